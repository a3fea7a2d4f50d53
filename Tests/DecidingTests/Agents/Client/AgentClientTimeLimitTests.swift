import Deciding
import Events
import TestSupport
import Testing
import Threads

@Suite("Timeouts of clients")
struct AgentClientTimeLimitTests {
  private func client(
    _ transport: some AgentTransport, _ world: ManualWorld, timeout: Duration = .milliseconds(1)
  ) -> AgentClient {
    AgentClient(
      owner: "acme", transport: transport, session: "s-1", timeout: timeout,
      surroundings: world.surroundings)
  }

  @Test("CO-T20: a transport that is slower than the time limit gives the default")
  func tooSlow() async {
    let world = ManualWorld()
    let slow = ClosureTransport { _ in
      try await world.time.sleep(for: .milliseconds(2))
      return .choice("a")
    }
    let agent = client(slow, world).agent("shop")
    async let pending = agent.decision(choices: "a,b", default: "Z")
    await eventually { world.time.sleeperCount == 2 }
    world.time.advance(microseconds: 1_000)
    let choice = await pending
    #expect(choice.code == "Z")
    #expect(choice.policy == .none)
    #expect(choice.reason == .timeout)
    #expect(choice.error == .timeout(.milliseconds(1)))
    await eventually { world.time.sleeperCount == 0 }
  }

  @Test("a transport that is in time is heard, and the clock is let go")
  func inTime() async {
    let world = ManualWorld()
    let slow = ClosureTransport { _ in
      try await world.time.sleep(for: .microseconds(999))
      return .choice("b")
    }
    let agent = client(slow, world).agent("shop")
    async let pending = agent.decision(choices: "a,b")
    await eventually { world.time.sleeperCount == 2 }
    world.time.advance(microseconds: 999)
    let choice = await pending
    #expect(choice.code == "b")
    #expect(!choice.isFallback)
    await eventually { world.time.sleeperCount == 0 }
  }

  @Test("CO-60: an answer that comes too late is dropped, also when the transport does not give up")
  func late() async {
    let world = ManualWorld()
    let gate = Gate()
    let wasCancelled = Monitor<[Bool]>([])
    let stubborn = ClosureTransport { _ in
      await gate.wait()
      wasCancelled.withLock { $0.append(Task.isCancelled) }
      return .choice("a")
    }
    let agent = client(stubborn, world).agent("shop")
    let answers = Monitor<[String]>([])
    let caller = Task {
      let choice = await agent.decision(choices: "a,b", default: "Z")
      answers.withLock { $0.append(choice.code) }
    }
    await eventually { world.time.sleeperCount == 1 && gate.waitingCount == 1 }
    world.time.advance(microseconds: 1_000)
    await caller.value
    gate.open()
    await eventually { wasCancelled.withLock { !$0.isEmpty } }
    #expect(answers.withLock { $0 } == ["Z"])
    #expect(wasCancelled.withLock { $0 } == [true], "the transport is told to give up")
  }

  @Test("a goal out of time may be sent again")
  func lateGoal() async {
    let world = ManualWorld()
    let gate = Gate()
    let stubborn = ClosureTransport { _ in
      await gate.wait()
      return .choice("a")
    }
    let agent = client(stubborn, world, timeout: .seconds(5)).agent("shop")
    async let pending = agent.goal("sold")
    await eventually { world.time.sleeperCount == 1 }
    world.time.advance(seconds: 5)
    let reply = await pending
    #expect(reply.error == .timeout(.seconds(5)))
    #expect(reply.isRetryable)
    #expect(!reply.accepted)
    gate.open()
  }

  @Test("a caller that is cancelled goes on at once with the fallback")
  func cancelled() async {
    let world = ManualWorld()
    let gate = Gate()
    let stubborn = ClosureTransport { _ in
      await gate.wait()
      return .choice("b")
    }
    let agent = client(stubborn, world).agent("shop")
    let caller = Task { await agent.decision(choices: "a,b") }
    await eventually { world.time.sleeperCount == 1 && gate.waitingCount == 1 }
    caller.cancel()
    let choice = await caller.value
    #expect(choice.code == "a")
    #expect(choice.reason == .offline)
    #expect(choice.error?.description.contains("cancelled") == true)
    await eventually { world.time.sleeperCount == 0 }
    gate.open()
  }

  @Test("a caller that is already cancelled sends no request")
  func cancelledBefore() async {
    let world = ManualWorld()
    let gate = Gate()
    let transport = ClosureTransport { _ in
      Issue.record("the service was asked")
      return .choice("b")
    }
    let agent = client(transport, world).agent("shop")
    let caller = Task {
      await gate.wait()
      return await agent.decision(choices: "a,b")
    }
    caller.cancel()
    gate.open()
    #expect(await caller.value.code == "a")
    #expect(world.time.sleeperCount == 0)
  }

  @Test("expireSession says that time was up")
  func expire() async {
    let world = ManualWorld()
    let gate = Gate()
    let stubborn = ClosureTransport { _ in
      await gate.wait()
      return .choice("b")
    }
    let agent = client(stubborn, world).agent("shop")
    let caller = Task { () -> AgentError? in
      do throws(AgentError) {
        try await agent.expireSession()
        return nil
      } catch {
        return error
      }
    }
    await eventually { world.time.sleeperCount == 1 }
    world.time.advance(seconds: 1)
    #expect(await caller.value == .timeout(.milliseconds(1)))
    gate.open()
  }
}

@Suite("Many tasks ask at once")
struct AgentClientConcurrencyTests {
  @Test("of one service, whose log says in the end what it knows", arguments: [Route.local, .text])
  func oneService(route: Route) async {
    let host = ClientHost(route)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        let agent = host.agent(session: "s-\(number % 3)")
        group.addTask {
          for round in 0..<40 {
            let choice = await agent.decision(choices: "a,b")
            #expect(!choice.isFallback)
            let goal = await agent.goal(reward: 1)
            #expect(goal.error == nil)
            if round % 10 == number { try? await agent.expireSession() }
          }
        }
      }
    }
    onThreads(4) { number in
      for _ in 0..<40 {
        let call = AgentCall.goal(GoalRequest(agent: nil, session: "s-\(number)"))
        _ = try? host.agents.answer(call)
      }
    }
    host.expectRebuilt("\(route)")
  }

  @Test("each has one outcome, whoever is first: answer, time limit or cancellation")
  func races() async {
    let world = ManualWorld()
    let transport = ClosureTransport { request in
      for _ in 0..<(request.owner.utf8.count % 3) { await Task.yield() }
      return .choice("b")
    }
    let agent = AgentClient(
      owner: "acme", transport: transport, session: "s-1", timeout: .microseconds(1),
      surroundings: world.surroundings
    ).agent("shop")
    let ticking = Task {
      while !Task.isCancelled {
        world.time.advance(microseconds: 1)
        await Task.yield()
      }
    }
    let codes = await withTaskGroup(of: String.self) { group in
      for number in 0..<1_000 {
        group.addTask {
          let caller = Task { await agent.decision(choices: "a,b") }
          if number % 3 == 0 { caller.cancel() }
          return await caller.value.code
        }
      }
      return await group.reduce(into: [String]()) { $0.append($1) }
    }
    ticking.cancel()
    await ticking.value
    #expect(codes.count == 1_000)
    #expect(codes.allSatisfy { ["a", "b"].contains($0) })
    await eventually {
      world.time.advance(seconds: 1)
      return world.time.sleeperCount == 0
    }
  }
}
