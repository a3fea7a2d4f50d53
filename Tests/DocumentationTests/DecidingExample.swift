import Deciding
import Events
import TestSupport
import Testing

/// The example of the catalogue of `Deciding`.
@Suite("Example of Deciding")
struct DecidingExample {
  private let shown = Shown()

  private func print(_ items: Any...) { shown.print(items) }

  @Test("the example runs")
  func example() throws {
    let sink = MemorySink()
    let surroundings = Surroundings(sink: sink)
    let agents = Agents(owner: "shop", surroundings: surroundings)
    let rollouts = Rollouts(unit: "s-42", surroundings: surroundings)
    try rollouts.setup(
      RolloutConfiguration(json: ["search": ["Variants": ["on": 30, "off": 70]]]))
    let search = rollouts.variant(experiment: "search", default: "search_off")
    let reply = try agents.decide(
      DecisionRequest(
        agent: "checkout", session: "s-42", slots: [SlotChoices(choices: ["red", "blue"])]))
    print(search, reply.decisions[0].code)

    let restarted = Agents(owner: "shop", surroundings: surroundings, replaying: sink.events)
    #expect(shown.lines == ["\(search) \(reply.decisions[0].code)"])
    #expect(Set(sink.events.map(\.system)) == [.agents, .rollouts])
    let again = try restarted.decide(DecisionRequest(agent: "checkout", session: "s-42"))
    #expect(again.decisions[0].code == reply.decisions[0].code)
  }
}
