import Deciding
import Events
import TestSupport
import Testing
import Threads

/// What a handler received, each time that it was called.
private final class Received<Value: Sendable>: Sendable {
  private let content = Monitor([Value]())

  func take(_ value: Value) {
    content.withLock { content in
      content.append(value)
      self.content.announce()
    }
  }

  /// Waits for the first call, and gives others some time.
  func values() async throws -> [Value] {
    while content.withLock({ $0.isEmpty }) { await Task.yield() }
    for _ in 0..<100 { await Task.yield() }
    return content.withLock { $0 }
  }
}

@Suite("Completion handlers of agents are called once")
struct AgentHandlersTests {
  @Test("with the answer", arguments: Route.allCases)
  func answers(route: Route) async throws {
    let host = ClientHost(route)
    let agent = host.agent()

    let choices = Received<AgentChoice>()
    agent.decision(choices: "a,b") { choices.take($0) }
    let choice = try #require(try await choices.values().first)
    #expect(!choice.isFallback && ["a", "b"].contains(choice.code))
    #expect(try await choices.values().count == 1)

    let again = Received<Result<AgentChoice, AgentError>>()
    agent.decision { again.take($0) }
    #expect(try await again.values().map { try $0.get().code } == [choice.code])

    let several = Received<AgentChoices>()
    agent.decisions(choices: "color:red,blue/size:sm,md", at: "p") { several.take($0) }
    #expect(try await several.values().map { $0.choices.map(\.slot) } == [["color", "size"]])

    let goals = Received<GoalReply>()
    agent.goal("sold", reward: 2.2) { goals.take($0) }
    #expect(try await goals.values().map(\.reward) == [2.2])
    let everywhere = Received<GoalReply>()
    host.client().goal("shared") { everywhere.take($0) }
    #expect(try await everywhere.values().map { $0.rewards.map(\.agent) } == [["shop"]])

    let ends = Received<AgentError?>()
    agent.expireSession { ends.take($0) }
    #expect(try await ends.values() == [nil])
    #expect(await agent.goal("sold").refusal == .expired)
    host.expectRebuilt("handlers")
  }

  @Test("with the fallback or the error")
  func failures() async throws {
    let world = ManualWorld()
    let client = AgentClient(
      owner: "acme", transport: ClosureTransport.offline, session: "s-1",
      surroundings: world.surroundings)
    let agent = client.agent("shop")
    let error = AgentError.network("no route to the host")

    let choices = Received<AgentChoice>()
    agent.decision(choices: ["b", "c"], default: "Z") { choices.take($0) }
    #expect(try await choices.values().map(\.code) == ["Z"])
    let again = Received<Result<AgentChoice, AgentError>>()
    agent.decision(at: "cart") { again.take($0) }
    #expect(try await again.values() == [.failure(.noFallback)])
    let goals = Received<GoalReply>()
    agent.goal { goals.take($0) }
    #expect(try await goals.values().map(\.error) == [error])
    let ends = Received<AgentError?>()
    agent.expireSession { ends.take($0) }
    #expect(try await ends.values() == [error])
  }

  @Test("the timeout of a client can be changed")
  func timeout() async {
    let world = ManualWorld()
    let gate = Gate()
    let stubborn = ClosureTransport { _ in
      await gate.wait()
      return .choice("a")
    }
    var client = AgentClient(
      owner: "acme", transport: stubborn, session: "s-1", surroundings: world.surroundings)
    client.timeout = .seconds(2)
    let agent = client.agent("shop")
    async let pending = agent.decision(choices: "a,b", default: "Z")
    await eventually { world.time.sleeperCount == 1 }
    world.time.advance(seconds: 2)
    #expect(await pending.error == .timeout(.seconds(2)))
    gate.open()
  }
}
