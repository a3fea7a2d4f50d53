import Deciding
import Events
import TestSupport
import Testing

@Suite("Over text and over HTTP as in one process")
struct AgentClientTwinTests {
  @Test(
    "any calls have the same answers and leave the same log", arguments: 0..<20,
    [Route.text, .http])
  func twins(chunk: UInt64, route: Route) async {
    for seed in chunk * 6..<chunk * 6 + 6 {
      let (near, far) = (ClientHost(.local, seed: seed), ClientHost(route, seed: seed))
      var random = SeededGenerator(seed: seed)
      for _ in 0..<30 {
        let request = AgentRequest(owner: "acme", body: body(&random))
        let answers = (
          await outcome(near.transport, request), await outcome(far.transport, request)
        )
        #expect(answers.0 == answers.1, "seed \(seed)")
        let seconds = random.pick([0.0, 1, 20_000, 2_000_000], or: 0)
        for host in [near, far] { host.world.time.advance(seconds: seconds) }
      }
      #expect(near.world.events == far.world.events, "seed \(seed)")
      near.expectRebuilt("seed \(seed)")
    }
  }

  private func body(_ random: inout SeededGenerator) -> AgentRequest.Body {
    random.chance(0.8)
      ? .call(call(&random)) : .batch((0..<random.index(4)).map { _ in call(&random) })
  }

  /// Mostly calls that belong together, sometimes any.
  private func call(_ random: inout SeededGenerator) -> AgentCall {
    guard random.chance(0.8) else { return WireGenerator.call(&random) }
    let agent = random.pick(["x", "y"], or: "x")
    let session = random.pick(["s-1", "s-2"], or: "s-1")
    switch random.index(8) {
    case 0: return .goal(GoalRequest(agent: agent, session: session, reward: 2.2))
    case 1: return .goal(GoalRequest(agent: nil, session: session, goal: "g"))
    case 2: return .expire(agent: agent, session: session)
    case 3: return .pause(agent: agent, choice: "b", sessions: random.chance(0.5) ? nil : [session])
    case 4: return .resume(agent: agent, sessions: random.chance(0.5) ? nil : [session])
    case 5:
      return .decisions(
        DecisionRequest(
          agent: agent, session: session, point: "p",
          slots: random.chance(0.5) ? nil : ChoiceText(multi: "c:r,b/s:m,l").slots))
    default:
      return .decision(
        DecisionRequest(
          agent: agent, session: session, slots: [SlotChoices(choices: ["a", "b", "c"])],
          status: random.chance(0.3) ? .provisional : .confirmed,
          allowed: random.chance(0.2) ? ["b"] : nil, traits: [AgentTrait("F", "1")]))
    }
  }

  /// The answers as text. Of an error only what it says comes over a text.
  private func outcome(_ transport: any AgentTransport, _ request: AgentRequest) async -> [String] {
    do {
      switch try await transport.send(request) {
      case .answer(let answer): return [answer.json(explained: true).description]
      case .batch(let results):
        return results.map { result in
          switch result {
          case .success(let answer): answer.json(explained: true).description
          case .failure(let error): says(error)
          }
        }
      }
    } catch {
      return [says(error)]
    }
  }

  private func says(_ error: any Error) -> String {
    if case AgentError.service(let reason) = error { reason } else { "\(error)" }
  }
}
