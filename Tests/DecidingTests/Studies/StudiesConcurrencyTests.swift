import DecidingCore
import Events
import Prediction
import TestSupport
import Testing

@testable import DecidingStudies

@Suite("Studies: concurrency")
struct StudiesConcurrencyTests {
  @Test("threads that record, ask and change options leave a log that says what they did")
  func threads() throws {
    let world = ManualWorld()
    let studies = try world.studies("A", "B", "C", by: .ppm(order: 2))
    let (threads, rounds) = (8, 50)
    onThreads(threads) { thread in
      var generator = SeededGenerator(seed: UInt64(thread))
      for round in 0..<rounds {
        let option = generator.pick(["A", "B", "C"], or: "A")
        try? studies.recordOptionTaken(withDescription: option, in: "s")
        if round % 5 == 0 { _ = try? studies.addOption(withDescription: "\(thread)", in: "s") }
        if round % 5 == 3 { _ = try? studies.removeOption(withDescription: "\(thread)", in: "s") }
        if let best = try? studies.mostLikelyPrediction(in: "s") {
          _ = try? studies.act(on: best, in: "s")
        }
        _ = studies.snapshot()
        _ = studies.all
        _ = studies["s"]?.predictions
      }
    }
    let takes = studies["s"]?.options.reduce(0) { $0 + $1.timesTaken }
    #expect(takes == threads * rounds)
    #expect(studies["s"]?.options.first?.timesEncountered == threads * rounds)
    try studies.expectRebuilt(in: world)
  }

  @Test("every subscriber hears of every change in the order of the log")
  func tasks() async throws {
    let world = ManualWorld()
    let studies = try world.studies("A", "B")
    for heard in await hear(studies, tasks: 10, rounds: 20) {
      #expect(heard == Array(1...200))
    }
    #expect(studies.subscribers.isEmpty)
    try studies.expectRebuilt(in: world)
  }

  /// Records from many tasks, and gives what each of four subscribers heard of the number of encounters.
  private func hear(_ studies: Studies, tasks: Int, rounds: Int) async -> [[Int]] {
    await withTaskGroup(of: [Int]?.self) { group in
      for stream in (0..<4).map({ _ in studies.changes }) {
        group.addTask {
          var encounters: [Int] = []
          for await change in stream {
            encounters.append(change.options.first?.timesEncountered ?? -1)
            if encounters.count == tasks * rounds { break }
          }
          return encounters
        }
      }
      for task in 0..<tasks {
        group.addTask {
          for round in 0..<rounds {
            let option = (task + round) % 2 == 0 ? "A" : "B"
            try? studies.recordOptionTaken(withDescription: option, in: "s")
            // Subscribers come and go meanwhile.
            _ = studies.changes
            await Task.yield()
          }
          return nil
        }
      }
      return await group.reduce(into: []) { all, heard in
        if let heard { all.append(heard) }
      }
    }
  }

  @Test("a stream ends when its reader is cancelled, and when the front is gone")
  func ends() async throws {
    let world = ManualWorld()
    var studies: Studies? = try world.studies("A")
    let stream = try #require(studies?.changes)
    let reader = Task { [stream] in
      var count = 0
      for await _ in stream { count += 1 }
      return count
    }
    try studies?.recordEncounter(in: "s")
    studies = nil
    #expect(await reader.value == 1)
    let other = try world.studies("A")
    let cancelled = Task { [changes = other.changes] in
      for await _ in changes {}
    }
    cancelled.cancel()
    await cancelled.value
    try other.recordEncounter(in: "s")
    #expect(other.subscribers.isEmpty)
  }
}
