import Deciding
import Events
import TestSupport
import Testing

@Suite("A client reaches its agents, in one process, over text, over HTTP, and after a restart")
struct AgentClientVectorTests {
  private static let all = ClientVector.decisions + ClientVector.goals

  @Test("as the table says", arguments: all, Route.allCases)
  func vectors(_ vector: ClientVector, _ route: Route) async throws {
    for seed in UInt64(1)...3 {
      let host = ClientHost(route, settings: vector.settings, seed: seed)
      try await vector.run(host)
      host.expectRebuilt(vector.id)
    }
  }

  @Test("CO-17: a refused code still falls back", arguments: Route.allCases)
  func codes(route: Route) async {
    let host = ClientHost(route)
    let limit = String(repeating: "a", count: 50)
    let bad: [(code: String, error: AgentError)] = [
      ("", .invalidCode("", role: .choice)), ("a b", .invalidCode("a b", role: .choice)),
      ("é", .invalidCode("é", role: .choice)), ("a.b", .invalidCode("a.b", role: .choice)),
      (limit + "a", .codeTooLong(limit + "a", limit: 50)),
    ]
    for (code, error) in bad {
      let choice = await host.agent().decision(choices: [code, "b"])
      #expect(choice.code == code)
      #expect(choice.reason == .error)
      #expect(choice.error == host.refusal(error))
    }
    #expect(host.world.events.isEmpty)
    for code in ["ios-example-agent", "A_1-b", limit] {
      let choice = await host.agent(code).decision(choices: "a,b")
      #expect(!choice.isFallback)
      #expect(choice.warnings.isEmpty == (code != limit))
    }
    let reserved = await host.agent("-").decision(choices: "a,b")
    #expect(reserved.error == host.refusal(.reservedCode("-")))
  }

  @Test("CO-F2, CO-F3, CO-F8: what the service refuses falls back to the text as it stands")
  func refusedText() async {
    for text in ["", ",b", " a,b", "a:b,c", "a/b"] {
      let choice = await ClientHost().agent().decision(choices: text)
      #expect(choice.isFallback)
      #expect(choice.code == String(text.prefix { $0 != "," }))
    }
  }

  @Test("CO-21: a choice has its friendly name", arguments: Route.allCases)
  func names(route: Route) async throws {
    let host = ClientHost(route)
    let slot = AgentSlot(choices: [AgentOption("a", name: "The old way"), AgentOption("b")])
    try host.agents.define(AgentDefinition("shop", points: [AgentPoint(slots: [slot])]))
    let a = await host.agent().decision(choices: "a,b", allowed: ["a"])
    let b = await host.agent(session: "s-2").decision(choices: "a,b", excluding: ["a"])
    #expect(a.name == "The old way" && b.name == nil && b.code == "b")
  }

  @Test("segment, features and visitor reach the service", arguments: Route.allCases)
  func parameters(route: Route) async {
    let host = ClientHost(route)
    let features = [AgentFeature("a", weight: 0.33), AgentFeature("b")]
    let choices = await host.agent().decisions(
      choices: "a,b", at: "cart", segment: "vip", features: features)
    #expect(choices.segment == "vip" && choices.features == features)
    #expect(choices.point == "cart" && choices["decision-1"]?.point == "cart")
    let count = host.world.events.count
    let bot = await host.agent(session: "s-2")
      .decision(choices: "a,b", visitor: AgentVisitor(isBot: true))
    #expect(bot.code == "a" && bot.policy == .bot && !bot.isFallback)
    let shy = await host.agent(session: "s-3")
      .decision(choices: "a,b", visitor: AgentVisitor(doNotTrack: true))
    #expect(shy.code == "a" && shy.policy == .paused && shy.reason == .doNotTrack)
    #expect(host.world.events.count == count)
  }

  @Test("a weight that is no number is left to the service", arguments: Route.allCases)
  func weights(route: Route) async {
    let choice = await ClientHost(route).agent().decision(
      choices: "a,b",
      features: [AgentFeature("f", weight: .nan), AgentFeature("g,:", weight: .infinity)])
    #expect(!choice.isFallback)
    #expect(choice.warnings.count == 2)
  }

  @Test("an agent may be paused for chosen sessions", arguments: Route.allCases)
  func pausedSessions(route: Route) async throws {
    let host = ClientHost(route)
    let agent = host.agent()
    #expect(await agent.decision(choices: "a,b", allowed: ["a"]).code == "a")
    try await agent.pause(on: "b", for: ["s-1"])
    #expect(await agent.decision(choices: "a,b").policy == .paused)
    #expect(await host.agent(session: "s-2").decision(choices: "a,b").policy == .random)
    try await agent.resume(for: ["s-1"])
    #expect(await agent.decision(choices: "a,b").code == "a")
    await #expect(throws: host.refusal(.invalidCode("a b", role: .choice))) {
      try await agent.pause(on: "a b")
    }
    await #expect(throws: host.refusal(.unknownAgent("nobody"))) {
      try await host.agent("nobody").resume()
    }
  }

  @Test("another owner has no agents here", arguments: [Route.local, .text, .http])
  func owners(route: Route) async throws {
    let host = ClientHost(route)
    let request = AgentRequest(
      owner: "other", body: .call(.expire(agent: "shop", session: "s-1")))
    let error = AgentError.service("unknown owner \"other\"; the agents here are \"acme\"'s")
    await #expect(throws: error) { try await host.transport.send(request) }
  }

  @Test("CO-7: a log that takes nothing never keeps a decision from its fallback")
  func refusingLog() async throws {
    let host = ClientHost()
    host.world.sink.refuse(true)
    let choice = await host.agent().decision(choices: "a,b")
    #expect(choice.code == "a" && choice.reason == .notRecorded)
    #expect(await host.agent().goal().isRetryable)
    let batch = await host.client().decisions([try BatchDecision(agent: "x", choices: "a,b")])
    #expect(batch.first?["decision-1"]?.reason == .notRecorded)
    host.world.sink.refuse(false)
    #expect(await host.agent().decision(choices: "a,b").reason == .random)
  }

  @Test("a batch of unlike calls is answered in order")
  func mixedBatch() {
    let host = ClientHost()
    let request = DecisionRequest(
      agent: "shop", session: "s-1", slots: [SlotChoices(choices: ["a", "b"])])
    let goal = GoalRequest(agent: "shop", session: "s-1")
    let results = host.agents.answers([
      .goal(goal), .decision(request), .goal(goal), .expire(agent: "shop", session: "s-1"),
      .goal(goal), .decision(DecisionRequest(agent: "a b")),
    ])
    let rewards = results.compactMap { result -> Double? in
      if case .success(.goal(let reply)) = result { reply.reward } else { nil }
    }
    #expect(rewards == [0, 1, 0])
    #expect(results.last == .failure(.invalidCode("a b", role: .agent)))
    host.expectRebuilt("mixed")
  }

  @Test("over plain text a client has at least the choices")
  func plainText() async {
    let host = ClientHost()
    var transport = TextTransport(service: LocalAgents(host.agents))
    transport.isExplained = false
    let client = AgentClient(
      owner: "acme", transport: transport, session: "s-1", surroundings: host.world.surroundings)
    let choices = await client.agent("shop").decisions(choices: "size:sm,md/color:red,blue")
    #expect(choices.choices.map(\.slot) == ["size", "color"])
    #expect(choices.policy == .random && choices.choices.allSatisfy { $0.status == .confirmed })
    let again = await client.agent("shop").decisions(choices: "size:sm,md/color:red,blue")
    #expect(again.choices.map(\.code) == choices.choices.map(\.code))
    #expect(again.policy == .sticky)
    #expect(await client.agent("shop").decision(choices: "a,b").error == nil)
    let goal = await client.agent("shop").goal(reward: 2.2)
    #expect(goal.reward == 2.2 && goal.accepted)
  }
}
