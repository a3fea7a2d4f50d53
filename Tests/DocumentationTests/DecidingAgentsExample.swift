import DecidingAgents
import DecidingCore
import TestSupport
import Testing

/// The example of the catalogue of `DecidingAgents`.
@Suite("Example of DecidingAgents")
struct DecidingAgentsExample {
  private let shown = Shown()

  private func print(_ items: Any...) { shown.print(items) }

  @Test("the example runs")
  func example() throws {
    let sink = MemorySink()
    let agents = Agents(owner: "shop", surroundings: Surroundings(sink: sink))
    let reply = try agents.decide(
      DecisionRequest(
        agent: "checkout", session: "s-42", slots: [SlotChoices(choices: ["red", "blue"])]))
    for decision in reply.decisions {
      print(decision.slot, decision.code, decision.propensity ?? 1, decision.reason)
    }
    _ = try agents.goal(
      GoalRequest(agent: "checkout", session: "s-42", goal: "purchase", reward: 12.5))

    let restarted = Agents(
      owner: "shop", surroundings: Surroundings(sink: sink), replaying: sink.events)
    let choice = reply.decisions[0].code
    #expect(shown.lines == ["decision-1 \(choice) 0.5 random"])
    let again = try restarted.decide(
      DecisionRequest(
        agent: "checkout", session: "s-42", slots: [SlotChoices(choices: ["red", "blue"])]))
    #expect(again.decisions[0].code == choice)
  }
}
