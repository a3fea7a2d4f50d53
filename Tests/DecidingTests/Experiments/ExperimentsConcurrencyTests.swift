import DecidingCore
import Events
import TestSupport
import Testing
import Threads

@testable import DecidingExperiments

@Suite("Experiments: concurrency")
struct ExperimentsConcurrencyTests {
  @Test("many threads make every call at once; the log has their results")
  func threads() async throws {
    let world = try ExperimentsWorld(.halves)
    let client = world.client
    let finished = Monitor(0)
    onThreads(8) { thread in
      for step in 0..<60 {
        let user = "u\((thread * 7 + step) % 10)"
        switch (thread + step) % 8 {
        case 0: try? client.addData(userID: user, data: VisitorInterest(step))
        case 1:
          client.flush(userID: user) { _ in finished.withLock { $0 += 1 } }
        case 2:
          client.trackConversion(userID: user, goalID: 1, revenue: 1, completionHandler: nil)
        case 3: try? client.apply(step % 2 == 0 ? .halves : .thirds)
        case 4: try? client.setForcedVariation(step % 3 == 0 ? nil : 148382, in: 75253, for: user)
        case 5:
          _ = try? client.preview(user, 75253)
          _ = client.visit(of: user)
          if step % 20 == 0 { _ = client.snapshot() }
        default: _ = try? client.triggerExperiment(user, 75253, track: step % 5 != 0)
        }
        world.time.advance(seconds: 50)
      }
    }
    await ExperimentsWorld.eventually { finished.withLock { $0 } == 60 }
    try world.expectReplays()
    #expect(Set(world.events.map(\.id)).count == world.events.count)
  }

  @Test("each datum is sent once and in order, whichever call sends it")
  func everyDatum() async throws {
    let world = try ExperimentsWorld(.halves)
    let client = world.client
    await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask {
          for step in 0..<100 {
            try? client.addData(userID: "u", data: CustomData(index: task, value: "\(step)"))
            if step % 7 == task { try? await client.flush(userID: "u") }
            if step % 11 == task { _ = try? client.triggerExperiment("u", 75253) }
          }
        }
      }
    }
    try await client.flush()
    for task in 0..<8 {
      let values = world.told.compactMap(\.toldDatum).filter { $0.key == "\(task)" }.map(\.value)
      #expect(values == (0..<100).map { .text("\($0)") })
    }
    try world.expectReplays()
  }

  @Test("whoever waits hears the configuration that a started client loads, among stops and starts")
  func lifeCycle() async throws {
    let world = try ExperimentsWorld()
    world.loader.answers(.halves)
    let client = world.client
    let heard = await withTaskGroup(of: Bool.self) { group in
      for task in 0..<16 {
        group.addTask {
          if task % 4 == 0 { client.start() }
          if task % 4 == 1 { try? await client.refresh() }
          return await client.runWhenReady(timeout: .seconds(1_000))
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(heard == 16)
    client.stop()
    await ExperimentsWorld.eventually { world.time.sleeperCount == 0 }
    #expect(world.events.count == 1)
    try world.expectReplays()
  }

  @Test("a factory returns one client for a site to many threads")
  func oneClient() throws {
    let world = try ExperimentsWorld()
    let clients = Monitor([ExperimentClient]())
    onThreads(8) { _ in
      let client = world.factory.create(siteCode: "new")
      clients.withLock { $0.append(client) }
    }
    let all = clients.withLock { $0 }
    #expect(all.count == 8 && all.allSatisfy { $0 === all[0] })
  }
}
