import DecidingCore
import Events
import TestSupport
import Testing
import Threads

@testable import DecidingConfig

@Suite("Active configuration: many threads and tasks")
struct ActiveConfigConcurrencyTests {
  @Test("many threads: the log gives back the state, and every listener hears an unbroken chain")
  func threads() throws {
    let delivery = HandDelivery()
    let world = ManualWorld()
    let config = ActiveConfig(
      downloader: ScriptedDownloader(), deliver: delivery.deliver,
      surroundings: world.surroundings)
    let heard = (0..<3).map { _ in Heard<ConfigChange>() }
    let subscriptions = heard.map { heard in
      config.register(section: "S", changes: { heard.hear($0) })
    }
    onThreads(6) { number in
      var generator = SeededGenerator(seed: UInt64(number))
      for _ in 0..<60 {
        let value = JSONValue.integer(Int64(generator.index(5)))
        switch generator.index(7) {
        case 0: config.setUser(generator.pick(["A", "B"], or: "A"))
        case 1: try? config.removeStored(user: "A")
        case 2: _ = config.register(section: "S") { _ in }
        case 3: _ = config["S"]?.int("a")
        case 4: delivery.run()
        default: try? config.set(configuration(["S": ["a": value]], meta: ["group": value]))
        }
      }
    }
    delivery.run()
    #expect(ActiveConfigState(replaying: world.events) == config.state)
    for heard in heard {
      let changes = heard.all
      #expect(!changes.isEmpty && changes.last?.new == config["S"])
      for (before, after) in zip(changes, changes.dropFirst()) {
        #expect(before.new == after.old && after.old != after.new)
      }
    }
    withExtendedLifetime(subscriptions) {}
  }

  @Test("many tasks with the default delivery: streams, downloads, releases")
  func tasks() async throws {
    // The front goes away when the work is done, and so the stream ends.
    let (listening, last) = try await Self.workTogether()
    let heard = await listening.value
    #expect(heard.last == last)
    for (before, after) in zip(heard, heard.dropFirst()) { #expect(before != after) }
  }

  /// What a stream gives while eight tasks use a front, and what is in use in the end.
  private static func workTogether() async throws -> (listening: Task<[Int?], Never>, last: Int?) {
    let world = ManualWorld()
    let downloader = ScriptedDownloader()
    downloader.give(document(["S": ["a": -1]], meta: ["group": "d"]))
    let config = ActiveConfig(downloader: downloader, surroundings: world.surroundings)
    let stream = config.updates(section: "S")
    let listening = Task {
      var heard: [Int?] = []
      for await section in stream { heard.append(section?.int("a")) }
      return heard
    }
    try config.exposures(experiment: "e", metaKey: "group")
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<8 { group.addTask { await work(config, number) } }
    }
    #expect(ActiveConfigState(replaying: world.events) == config.state)
    return (listening, config["S"]?.int("a"))
  }

  private static func work(_ config: ActiveConfig, _ number: Int) async {
    var generator = SeededGenerator(seed: UInt64(number))
    for _ in 0..<40 {
      let value = JSONValue.integer(Int64(generator.index(5)))
      switch generator.index(6) {
      case 0: config.setUser(generator.pick([nil, "A", "B"], or: nil))
      case 1: _ = try? await config.download()
      case 2:
        let task = Task { try? await config.download() }
        task.cancel()
        _ = await task.value
      case 3:
        let subscription = config.register(section: "S") { _ in }
        await Task.yield()
        config.unregister(subscription)
      case 4:
        for await _ in config.notices.prefix(0) {}
        for await _ in config.updates(section: "T").prefix(0) {}
      default: try? config.set(configuration(["S": ["a": value]], meta: ["group": value]))
      }
    }
  }

  @Test("what a deliver that runs at once tells comes one after the other, in order")
  func inline() throws {
    let config = ActiveConfig(
      downloader: ScriptedDownloader(), deliver: { $0() },
      surroundings: ManualWorld().surroundings)
    let heard = Heard<ConfigChange>()
    let busy = Monitor(0)
    let subscription = config.register(
      section: "S",
      changes: { change in
        #expect(
          busy.withLock {
            $0 += 1; return $0
          } == 1)
        heard.hear(change)
        busy.withLock { $0 -= 1 }
      })
    onThreads(4) { number in
      for value in 0..<50 {
        let value = JSONValue.integer(Int64(number * 100 + value))
        try? config.set(configuration(["S": ["a": value]]))
      }
    }
    let changes = heard.all
    #expect(changes.count == 200 && changes.last?.new == config["S"])
    for (before, after) in zip(changes, changes.dropFirst()) { #expect(before.new == after.old) }
    config.unregister(subscription)
  }
}
