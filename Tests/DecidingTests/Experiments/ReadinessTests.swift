import DecidingCore
import Events
import TestSupport
import Testing
import Threads

@testable import DecidingExperiments

/// A clock whose sleepers find, at the instant at which they wake, that something was done.
private final class BusyTime: TimeSource {
  private let content = Monitor<(@Sendable () -> Void)?>(nil)

  var now: Timestamp { Timestamp(microseconds: 0) }

  func doing(_ body: @escaping @Sendable () -> Void) { content.withLock { $0 = body } }

  func sleep(for duration: Duration) async throws {
    content.withLock { $0 }?()
  }
}

@Suite("Experiments: readiness")
struct ReadinessTests {
  @Test("KA-R3 nothing loads in time: one answer, false, though a configuration comes later")
  func late() async throws {
    let world = try ExperimentsWorld()
    let answers = Monitor([Bool]())
    world.client.runWhenReady(1_000) { isReady in answers.withLock { $0.append(isReady) } }
    await ExperimentsWorld.eventually { world.time.sleeperCount == 1 }
    world.time.advance(seconds: 0.999_999)
    #expect(answers.withLock { $0 }.isEmpty)
    world.time.advance(microseconds: 1)
    await ExperimentsWorld.eventually { !answers.withLock { $0 }.isEmpty }
    world.time.advance(seconds: 0.5)
    try world.client.apply(.halves)
    #expect(world.client.ready)
    #expect(answers.withLock { $0 } == [false])
    #expect(world.told.isEmpty)
  }

  @Test("KA-R4 without a time it is two seconds: a configuration at 1999 ms is in time")
  func inTime() async throws {
    let world = try ExperimentsWorld()
    async let answer = world.client.runWhenReady()
    await ExperimentsWorld.eventually { world.time.sleeperCount == 1 }
    world.time.advance(seconds: 1.999)
    try world.client.apply(.halves)
    #expect(await answer)
    // The timer of a waiter that has its answer is called off.
    await ExperimentsWorld.eventually { world.time.sleeperCount == 0 }
  }

  @Test("KA-2 a configuration and the end of the time at the same instant: true")
  func sameInstant() async throws {
    for seed in 0..<50 {
      let time = BusyTime()
      let sink = MemorySink()
      let factory = ClientFactory(
        loader: ManualExperimentLoader(),
        surroundings: Surroundings(time: time, ids: CountingIDs(), sink: sink))
      let client = factory.create(siteCode: ExperimentsWorld.site)
      time.doing { try? client.apply(.halves) }
      #expect(await client.runWhenReady(timeout: .seconds(1)), "\(seed)")
    }
  }

  @Test("KA-2 waiting callers get true at the instant at which the configuration comes")
  func exactInstant() async throws {
    let world = try ExperimentsWorld()
    async let first = world.client.runWhenReady(timeout: .seconds(1))
    async let second = world.client.runWhenReady(timeout: .seconds(2))
    await ExperimentsWorld.eventually { world.time.sleeperCount == 2 }
    world.time.advance(seconds: 1)
    #expect(await first == false)
    world.time.advance(microseconds: 999_999)
    try world.client.apply(.halves)
    world.time.advance(microseconds: 1)
    #expect(await second)
  }

  @Test("a timeout of zero or less returns at once, and so does a ready client")
  func atOnce() async throws {
    let world = try ExperimentsWorld()
    let answers = Monitor([Bool]())
    #expect(await world.client.runWhenReady(timeout: .zero) == false)
    #expect(await world.client.runWhenReady(timeout: .seconds(-1)) == false)
    for milliseconds in [0, -1, Int.min] {
      world.client.runWhenReady(milliseconds) { answer in answers.withLock { $0.append(answer) } }
    }
    #expect(answers.withLock { $0 } == [false, false, false])
    try world.client.apply(.halves)
    world.client.runWhenReady { answer in answers.withLock { $0.append(answer) } }
    #expect(answers.withLock { $0 }.last == true)
    #expect(await world.client.runWhenReady(timeout: .zero))
  }

  @Test("KA-2 a configuration in the log makes a client ready from the start")
  func fromTheLog() throws {
    let world = try ExperimentsWorld(.halves)
    #expect(try world.rebuilt().client.ready)
    let other = try world.rebuilt().factory.create(siteCode: "another")
    #expect(!other.ready)
  }

  @Test("a task cancelled while it waits gets the current state")
  func cancelled() async throws {
    let world = try ExperimentsWorld()
    let task = Task { await world.client.runWhenReady(timeout: .seconds(1)) }
    await ExperimentsWorld.eventually { world.time.sleeperCount == 1 }
    task.cancel()
    #expect(await task.value == false)
    await ExperimentsWorld.eventually { world.time.sleeperCount == 0 }
    let early = Task {
      await ExperimentsWorld.eventually { Task.isCancelled }
      return await world.client.runWhenReady(timeout: .seconds(1))
    }
    early.cancel()
    #expect(await early.value == false)
    #expect(world.time.sleeperCount == 0)
  }

  @Test("many callers waiting for the configuration are each resumed once", arguments: 0..<20)
  func race(seed: Int) async throws {
    let world = try ExperimentsWorld()
    let answers = Monitor([Bool]())
    for _ in 0..<20 {
      world.client.runWhenReady(1_000) { answer in answers.withLock { $0.append(answer) } }
    }
    let hasTimers = seed % 2 == 0
    if hasTimers { await ExperimentsWorld.eventually { world.time.sleeperCount == 20 } }
    let ticking = Task { world.time.advance(seconds: seed % 4 < 2 ? 0.5 : 1) }
    try world.client.apply(.halves)
    await ticking.value
    // Those who began late and missed the configuration's instant sleep on; none does, as it is there.
    await ExperimentsWorld.eventually { answers.withLock { $0.count } == 20 }
    #expect(world.client.ready)
    for _ in 0..<20 { await Task.yield() }
    #expect(answers.withLock { $0.count } == 20)
  }
}
