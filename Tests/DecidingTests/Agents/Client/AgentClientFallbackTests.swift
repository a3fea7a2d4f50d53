import Deciding
import Events
import TestSupport
import Testing
import Threads

@Suite("A client falls back")
struct AgentClientFallbackTests {
  private func client(
    _ transport: some AgentTransport = ClosureTransport.offline, overallDefault: String? = nil,
    world: ManualWorld = ManualWorld()
  ) -> AgentClient {
    AgentClient(
      owner: "acme", transport: transport, session: "s-1", overallDefault: overallDefault,
      surroundings: world.surroundings)
  }

  @Test("to the first choice of the single form, as it stands", arguments: GrammarVector.all)
  func single(_ vector: GrammarVector) async {
    guard let expected = vector.single else { return }
    let choice = await client().agent("shop").decision(choices: vector.text)
    #expect(choice.code == expected)
    #expect(choice.slot == "decision-1")
    #expect(choice.isFallback)
    #expect(choice.reason == .offline)
    #expect(choice.error == .network("no route to the host"))
  }

  @Test("to the first choice of each slot", arguments: GrammarVector.all)
  func multi(_ vector: GrammarVector) async {
    guard let expected = vector.multi else { return }
    let choices = await client().agent("shop").decisions(choices: vector.text)
    #expect(choices.choices.flatMap { [$0.slot, $0.code] } == expected)
    #expect(choices.isFallback)
    #expect(choices.error == .network("no route to the host"))
    #expect(choices.choices.allSatisfy { $0.reason == .offline && $0.policy == .none })
  }

  @Test("CO-T13: offline, to the default of the call")
  func offline() async {
    let choice = await client().agent("shop").decision(choices: "a,b", default: "Z")
    #expect(choice.code == "Z")
    #expect(choice.policy == .none)
    #expect(choice.reason == .offline)
  }

  @Test("CO-F4: to nothing without choices and default")
  func nothing() async {
    let agent = client().agent("shop")
    await #expect(throws: AgentError.noFallback) { try await agent.decision() }
    await #expect(throws: AgentError.noFallback) { try await agent.decision(at: "home") }
    let choices = await agent.decisions()
    #expect(choices.choices.isEmpty)
    #expect(choices["decision-1"] == nil)
    #expect(choices.error == .network("no route to the host"))
    #expect(choices.policy == .none)
  }

  @Test("CO-13 to the default of the call, then the first choice, then the overall default")
  func order() async throws {
    let agent = client(overallDefault: "A").agent("shop")
    #expect(await agent.decision(choices: "x,y", default: "Z").code == "Z")
    #expect(await agent.decision(choices: ["x", "y"]).code == "x")
    #expect(await agent.decision(choices: 3).code == "0")
    #expect(try await agent.decision(default: "Z").code == "Z")
    #expect(try await agent.decision(at: "home").code == "A")
    #expect(try await agent.decision(at: "home").point == "home")
    #expect(await agent.decisions(default: "Z")["decision-1"]?.code == "Z")
    #expect(await agent.decisions()["decision-1"]?.code == "A")
  }

  @Test("slot by slot, to the default that names the slot")
  func slots() async {
    let agent = client().agent("shop")
    let text = "color:red,blue/size:sm,md"
    let named = await agent.decisions(choices: text, default: "size:lg/other:x")
    #expect(named.choices.map(\.code) == ["red", "lg"])
    let plain = await agent.decisions(choices: text, default: "Z")
    #expect(plain.choices.map(\.code) == ["Z", "Z"])
    let alone = await agent.decisions(default: "color:blue/size:lg")
    #expect(alone["color"]?.code == "blue")
    #expect(alone["size"]?.code == "lg")
  }

  @Test("without asking, when there cannot be such choices", arguments: [0, -1, 10_001, .max])
  func impossibleCount(count: Int) async throws {
    let transport = ClosureTransport { _ in
      Issue.record("the service was asked")
      return .choice("0")
    }
    let agent = client(transport, overallDefault: "A").agent("shop")
    let choice = await agent.decision(choices: count)
    #expect(choice.code == "A")
    #expect(choice.reason == .error)
    let message = try #require(choice.error).description
    #expect(message.contains("1 ... 10000") && message.contains("\(count)"))
    #expect(await agent.decision(choices: [String]()).code == "A")
    #expect(await client(transport).agent("shop").decision(choices: [String]()).code == "")
  }

  @Test("CO-T12 when the service refuses, with what it said")
  func refusal() async {
    let refusing = ClosureTransport { _ in throw AgentError.unknownAgent("shop") }
    let choice = await client(refusing).agent("shop").decision(choices: "a,b", default: "Z")
    #expect(choice.code == "Z")
    #expect(choice.policy == .none)
    #expect(choice.reason == .error)
    #expect(choice.status == .excluded)
    #expect(choice.propensity == nil)
    #expect(choice.error == .unknownAgent("shop"))
  }

  @Test("when the log cannot take the decision")
  func notRecorded() async {
    let full = ClosureTransport { _ in throw AgentError.notRecorded("disk full") }
    let choice = await client(full).agent("shop").decision(choices: "a,b")
    #expect(choice.reason == .notRecorded)
  }

  @Test("when a transport fails in a way of its own")
  func foreignError() async {
    struct Broken: Error {}
    let choice = await client(ClosureTransport { _ in throw Broken() }).agent("shop")
      .decision(choices: "a,b")
    #expect(choice.error == .network("Broken()"))
    #expect(choice.reason == .offline)
  }

  @Test("when the answer is to something else")
  func mismatch() async {
    let replies: [AgentReply] = [
      .answer(.expired(agent: "shop", session: "s-1")), .batch([]),
      .answer(.decision(DecisionReply(agent: "shop", session: "s-1", point: "p", decisions: []))),
    ]
    for reply in replies {
      let agent = client(ClosureTransport { _ in reply }).agent("shop")
      let choice = await agent.decision(choices: "a,b")
      #expect(choice.code == "a")
      guard case .invalidReply = choice.error else {
        Issue.record("\(String(describing: choice.error))")
        continue
      }
      #expect(await agent.decisions(choices: "a,b").error == choice.error)
      let goal = await agent.goal()
      #expect(goal.error == choice.error)
      #expect(goal.isRetryable)
    }
    let wrong = client(ClosureTransport { _ in .choice("a") }).agent("shop")
    await #expect(throws: AgentError.self) { try await wrong.expireSession() }
    await #expect(throws: AgentError.self) { try await wrong.pause(on: "a") }
    await #expect(throws: AgentError.self) { try await wrong.resume() }
  }

  @Test("CO-T14: a goal that cannot be delivered is not accepted, and can be retried")
  func goal() async {
    let reply = await client().agent("shop").goal("sold", reward: 2.2)
    #expect(reply.reward == 0)
    #expect(!reply.accepted)
    #expect(reply.isRetryable)
    #expect(reply.goal == "sold")
    #expect(reply.agent == "shop")
    #expect(reply.error == .network("no route to the host"))
    let everywhere = await client().goal()
    #expect(everywhere.agent == nil)
    #expect(everywhere.goal == "goal-1")
    #expect(everywhere.isRetryable)
  }

  @Test("CO-V10: a reward that is no number is not sent", arguments: [Double.nan, .infinity])
  func reward(value: Double) async {
    let transport = ClosureTransport { _ in
      Issue.record("the service was asked")
      return .choice("a")
    }
    let reply = await client(transport).agent("shop").goal(reward: value)
    #expect(reply.error == .invalidReward(value))
    #expect(!reply.isRetryable)
  }

  @Test("expireSession, pause and resume throw what went wrong")
  func throwing() async {
    let agent = client().agent("shop")
    let error = AgentError.network("no route to the host")
    await #expect(throws: error) { try await agent.expireSession() }
    await #expect(throws: error) { try await agent.pause(on: "a") }
    await #expect(throws: error) { try await agent.resume() }
  }

  @Test("CO-T22: offline, each decision of a batch falls back by itself")
  func batch() async throws {
    let asked = try [
      BatchDecision(agent: "x", default: "Z"), BatchDecision(agent: "y"), BatchDecision(agent: "z"),
    ]
    let choices = await client(overallDefault: "A").decisions(asked)
    #expect(choices.map { $0.choices.map(\.code) } == [["Z"], ["A"], ["A"]])
    #expect(choices.map(\.agent) == ["x", "y", "z"])
    #expect(choices.allSatisfy { $0.isFallback && $0.choices.first?.reason == .offline })
    #expect(await client().decisions(asked).map(\.choices.count) == [1, 0, 0])
    #expect(await client().decisions([]).isEmpty)
    let short = client(ClosureTransport { _ in .batch([]) })
    #expect(await short.decisions(asked).map(\.choices.count) == [1, 0, 0])
  }
}

@Suite("A client has a session")
struct AgentClientSessionTests {
  private func client(_ session: String?, _ world: ManualWorld) -> AgentClient {
    AgentClient(
      owner: "acme", transport: ClosureTransport.offline, session: session,
      surroundings: world.surroundings)
  }

  @Test("CO-2: the given one, or a fresh one for its lifetime")
  func sessions() async {
    let world = ManualWorld()
    #expect(client("mine", world).session == "mine")
    var made = client(nil, world)
    #expect(made.session == "id-1")
    let agent = made.agent("shop")
    #expect(await agent.decision(choices: "a,b").session == "id-1")
    #expect(await agent.goal().session == "id-1")
    made.setSession("mine")
    #expect(made.agent("shop").session == "mine")
    made.setSession(nil)
    #expect(made.session == "id-2")
    #expect(agent.session == "id-1", "an agent keeps the session it was named with")
    #expect(world.events.isEmpty)
  }

  @Test("CO-1: it waits five seconds unless told otherwise")
  func timeout() {
    #expect(client(nil, ManualWorld()).timeout == .seconds(5))
  }

  @Test("every request names owner, key and session")
  func requests() async throws {
    let transport = TextTransport(service: ClosureTransport.offline)
    let client = AgentClient(
      owner: "acme", apiKey: "secret", transport: transport, session: "s-1",
      surroundings: ManualWorld().surroundings)
    _ = await client.agent("shop").decision(choices: "a,b", at: "cart", status: .provisional)
    let sent = try #require(transport.log.withLock { $0 }.first)
    let expected: JSONValue = [
      "owner": "acme", "apikey": "secret",
      "call": [
        "agent": "shop", "type": "decision", "choices": "a,b",
        "query": ["session": "s-1", "point": "cart", "status": "p"],
      ],
    ]
    #expect(try JSONValue(parsing: sent) == expected)
  }
}
