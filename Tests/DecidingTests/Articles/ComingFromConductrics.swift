import Deciding
import DecidingOverHTTP
import Events
import TestSupport
import Testing
import Threads

/// What handlers received.
private final class Answers: Sendable {
  private let content = Monitor([String]())
  var all: [String] { content.withLock { $0 } }
  func append(_ answer: String) { content.withLock { $0.append(answer) } }
}

/// The examples of the article "Coming from Conductrics", line by line, and what it says of them.
@Suite("Coming from Conductrics")
struct ComingFromConductrics {
  private let world = ManualWorld()
  private let agents: Agents
  private let conductrics: AgentClient
  private let agent: Agent

  init() {
    let surroundings = world.surroundings
    let agents = Agents(owner: "my-owner-code", surroundings: surroundings)
    let conductrics = AgentClient(
      owner: "my-owner-code", transport: LocalAgents(agents), surroundings: surroundings)
    self.agents = agents
    self.conductrics = conductrics
    agent = conductrics.agent("ios-example-agent")
  }

  struct TextTransport: AgentTransport {
    let post: @Sendable (String) async throws -> String

    func send(_ request: AgentRequest) async throws -> AgentReply {
      let text = try await post(JSONValue(encoding: request).description)
      return try AgentReply(parsing: text, to: request)
    }
  }

  @Test("after a restart the service has the same state")
  func restart() async {
    let before = await agent.decision(choices: "a,b")
    let restarted = Agents(
      owner: "my-owner-code", surroundings: world.surroundings, replaying: world.events)
    let client = AgentClient(
      owner: "my-owner-code", transport: LocalAgents(restarted), session: conductrics.session,
      surroundings: world.surroundings)
    let after = await client.agent("ios-example-agent").decision(choices: "a,b")
    #expect(after.code == before.code && after.reason == .sticky)
  }

  @Test("a service elsewhere is reached by text")
  func text() async {
    let service = LocalAgents(agents)
    let transport = TextTransport { text in
      let request: AgentRequest = try JSONValue(parsing: text).decoded()
      return try service.reply(to: request).json(explained: true).description
    }
    let client = AgentClient(
      owner: "my-owner-code", transport: transport, surroundings: world.surroundings)
    let choice = await client.agent("ios-example-agent").decision(choices: "a,b")
    #expect(choice.reason == .random && choice.propensity == 0.5)
  }

  @Test("a service elsewhere is reached over HTTP")
  func http() async throws {
    let remote = AgentClient(
      owner: "my-owner-code", apiKey: "my-api-key",
      transport: try HTTPAgents("https://agents.example.com"))
    #expect(remote.apiKey == "my-api-key" && remote.timeout == .seconds(5))

    let service = AgentsOverHTTP(agents: agents)
    let server = try TestHTTPServer { service.respond(to: $0) }
    let client = AgentClient(
      owner: "my-owner-code", apiKey: "my-api-key", transport: try HTTPAgents(server.address),
      session: conductrics.session, surroundings: world.surroundings)
    let choice = await client.agent("ios-example-agent").decision(choices: "a,b")
    #expect(choice.reason == .random && choice.propensity == 0.5)
    #expect(await agent.decision(choices: "a,b").code == choice.code)
  }

  @Test("get a decision without waiting")
  func handler() async {
    let answers = Answers()
    agent.decision(choices: "a,b") { choice in
      answers.append(choice.code)
    }
    await eventually { !answers.all.isEmpty }
    #expect(await agent.decision(choices: "a,b").code == answers.all.first)
  }

  @Test("get a decision")
  func decision() async throws {
    let agent = conductrics.agent("ios-example-agent")
    let choice = await agent.decision(choices: "a,b")
    let isNew = choice.code == "b"

    #expect(isNew == (choice.code != "a"))
    #expect(choice.reason == .random && choice.policy == .random && choice.propensity == 0.5)
    #expect(choice.status == .confirmed)
    #expect(await agent.decision(choices: ["a", "b"]).code == choice.code)
    let fresh = try await agent.decision(at: "elsewhere")
    #expect(["a", "b"].contains(fresh.code))
    #expect(["0", "1", "2"].contains(await agent.decision(choices: 3, at: "number").code))
    #expect(await agent.decision(choices: "3", at: "digits").code == "3")
  }

  @Test("at a point, and with the choices used last")
  func point() async throws {
    let button = await agent.decision(choices: "small,big", at: "cart")

    let again = try await agent.decision(at: "cart")

    #expect(["small", "big"].contains(button.code))
    #expect(again.code == button.code && again.point == "cart")
  }

  @Test("get several decisions at once")
  func decisions() async {
    let choices = await agent.decisions(choices: "color:red,blue/size:sm,md,lg")
    let color = choices["color"]?.code
    let size = choices["size"]?.code

    #expect(["red", "blue"].contains(color))
    #expect(["sm", "md", "lg"].contains(size))
    let unnamed = await agent.decisions(choices: "a,b/c,d", at: "unnamed")
    #expect(unnamed.choices.map(\.slot) == ["decision-1", "decision-2"])
    let twice = await agent.decisions(choices: "x:a/x:b", at: "twice")
    #expect(twice.choices.map(\.code) == ["b"])
  }

  @Test("send a goal")
  func goals() async throws {
    #expect(await agent.goal().refusal == .noDecision)
    #expect(world.events.count == 1)
    _ = await agent.decision(choices: "a,b")
    let reached = await agent.goal()
    let purchase = await agent.goal("purchase", reward: 3.99)

    #expect(reached.accepted && reached.reward == 1)
    #expect(purchase.accepted && purchase.reward == 3.99)
    #expect(await agent.goal("purchase", reward: 3.99).refusal == .limit)

    let everywhere = await conductrics.goal("share")

    #expect(everywhere.rewards.map(\.agent) == ["ios-example-agent"])
    #expect(everywhere.rewards.map(\.reward) == [1])
  }

  @Test("choose the session")
  func session() {
    var client = conductrics
    let first = client.session
    client.setSession("my-identifier")
    client.setSession(nil)
    client.timeout = .seconds(2)

    #expect(client.timeout == .seconds(2))
    #expect(client.session != "my-identifier" && client.session != first)
    #expect(agent.session == first)
  }

  @Test("end the session")
  func expire() async throws {
    _ = await agent.decision(choices: "a,b")
    try await agent.expireSession()

    #expect(await agent.goal().refusal == .expired)
    #expect(await agent.decision(choices: "a,b").reason == .random)
    world.time.advance(seconds: (12 * 24 + 12) * 3_600 + 30 * 60)
    #expect(await agent.decision(choices: "a,b").reason == .random)
  }

  @Test("when the service cannot be reached")
  func fallback() async throws {
    let surroundings = world.surroundings
    let transport = ClosureTransport.offline
    let hasty = AgentClient(
      owner: "my-owner-code", transport: transport, timeout: .seconds(2), overallDefault: "a",
      surroundings: surroundings)
    let fallback = await hasty.agent("ios-example-agent").decision(choices: "b,c")

    #expect(fallback.code == "b" && fallback.isFallback && fallback.reason == .offline)
    #expect(fallback.error == .network("no route to the host"))
    #expect(try await hasty.agent("ios-example-agent").decision().code == "a")
    let plain = AgentClient(
      owner: "my-owner-code", transport: transport, surroundings: surroundings)
    #expect(plain.timeout == .seconds(5))
    await #expect(throws: AgentError.noFallback) { try await plain.agent("x").decision() }
  }

  @Test("options of the later wrapper")
  func options() async throws {
    let held = await agent.decision(
      choices: "a,b,c", default: "Z", status: .provisional, allowed: ["a", "b"],
      traits: [AgentTrait("plan", "pro")], inputs: ["country": "SE"])

    #expect(["a", "b"].contains(held.code) && held.status == .provisional)
    #expect(held.traits == ["cust/plan:pro"])
    #expect(await agent.goal().refusal == .notConfirmed)

    let confirmed = await agent.decision(choices: "a,b,c")

    #expect(confirmed.code == held.code && confirmed.status == .confirmed)

    let both = await conductrics.decisions([
      try BatchDecision(agent: "ios-example-agent", choices: "a,b,c"),
      try BatchDecision(agent: "second-agent", choices: "x,y", default: "Z"),
    ])

    #expect(both.map(\.policy) == [.sticky, .random])
  }

  @Test("force an outcome")
  func forced() async throws {
    try agents.force("b", for: conductrics.session, in: "ios-example-agent")
    let forced = await agent.decision(choices: "a,b,c")
    try agents.unforce(session: conductrics.session, in: "ios-example-agent")

    #expect(forced.code == "b" && forced.reason == .forced && forced.propensity == 1)
    #expect(await agent.decision(choices: "a,b,c").reason == .random)
  }

  @Test("pause an agent")
  func pause() async throws {
    let before = await agent.decision(choices: "a,b")
    try await agent.pause(on: "b")
    let shown = await agent.decision(choices: "a,b")
    try await agent.resume()

    #expect(shown.code == "b" && shown.policy == .paused)
    #expect(await agent.decision(choices: "a,b").code == before.code)
    let decisions = world.events.filter { if case .decision = $0.payload { true } else { false } }
    #expect(decisions.count == 1)
  }

  @Test("define an agent")
  func define() async throws {
    try agents.define(
      AgentDefinition(
        "checkout",
        points: [
          AgentPoint(
            slots: [
              AgentSlot(choices: [
                AgentOption("old", name: "The old way", weight: 3),
                AgentOption("new", name: "The new way", meta: ["magic": "12345"]),
              ])
            ])
        ],
        goals: [AgentGoal("purchase", max: 500, limit: nil)], policy: "epsilon-greedy:epsilon=0.1"))

    let checkout = conductrics.agent("checkout")
    let new = await checkout.decision(choices: "old,new", allowed: ["new"])
    #expect(new.name == "The new way" && new.meta["magic"]?.string == "12345")
    #expect(await checkout.goal("purchase", reward: 501).refusal == .aboveMax)
    for _ in 0..<3 { #expect(await checkout.goal("purchase", reward: 0).accepted) }
  }

  @Test("long codes are warned of, and refused ones fall back")
  func codes() async {
    let long = String(repeating: "a", count: 25)
    #expect(await conductrics.agent(long).decision(choices: "a,b").warnings.count == 1)
    let refused = await agent.decision(choices: "a b,c")
    #expect(refused.code == "a b" && refused.isFallback)
  }
}
