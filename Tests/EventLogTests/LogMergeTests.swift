import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("Merging logs")
struct LogMergeTests {
  private typealias Placed = (event: Event, log: String, position: Int)

  /// Logs that share some events, each in an order of its own.
  private func makeLogs(
    _ folder: TemporaryFolder, _ generator: inout EventGenerator
  ) throws -> (logs: [LogReader], events: [Placed]) {
    let shared = generator.events(60)
    var logs: [LogReader] = []
    var all: [Placed] = []
    for number in 0..<4 {
      var events = generator.events(generator.random.index(150))
      events += shared.filter { _ in generator.random.chance(0.6) }
      // Equal times, so that what decides between them is tested.
      for index in events.indices where generator.random.chance(0.3) {
        events[index].time = shared[index % 5].time
      }
      switch number {
      case 0: events.sort { $0.time < $1.time }
      case 1: events.shuffle(using: &generator.random)
      default: break
      }
      let path = folder.path("log-\(number)")
      let options = LogOptions(segmentByteCount: 9_000, seed: generator.random.next())
      let writer = try LogWriter(path, options: options)
      for event in events {
        try writer.append([event])
        if generator.random.chance(0.05) { try writer.commit() }
      }
      try writer.commit()
      let log = try LogReader(path)
      logs.append(log)
      all += events.enumerated().map { ($1, log.id?.description ?? "", $0) }
    }
    return (logs, all)
  }

  /// Sorts everything, then goes through it.
  private func naive(_ events: [Placed]) -> [Event] {
    var known: [EventID: [Event]] = [:]
    return events.sorted {
      ($0.event.time.microseconds, $0.log, $0.position)
        < ($1.event.time.microseconds, $1.log, $1.position)
    }.map(\.event).filter { event in
      guard let id = event.id else { return true }
      defer { known[id, default: []].append(event) }
      return known[id]?.contains(event) != true
    }
  }

  @Test("gives what sorting everything gives, in any order of the logs", arguments: 0..<20)
  func merges(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    var generator = EventGenerator(seed: seed)
    let (logs, events) = try makeLogs(folder, &generator)
    let expected = naive(events)
    var bytes: [[UInt8]] = []
    for (number, sliceCount) in [1 << 15, 7, 64].enumerated() {
      let shuffled = logs.shuffled(using: &generator.random)
      let merge = try LogMerge(shuffled, sliceCount: sliceCount)
      let path = folder.path("merged-\(number)")
      let writer = try LogWriter(path, options: LogOptions(seed: merge.seed))
      let summary = try merge.write(to: writer, temporaryFolder: path)
      #expect(summary.written == UInt64(expected.count))
      #expect(summary.written + summary.duplicates == UInt64(events.count))
      #expect(merge.eventCount == UInt64(events.count))
      let merged = try LogReader(path)
      #expect(try merged.allEvents() == expected, "seed \(seed)")
      let file = try SystemDisk().open(merged.segments[0].path, writable: false)
      bytes.append(try file.read(at: 0, count: Int(try file.size())))
    }
    #expect(Set(bytes).count == 1, "seed \(seed)")
  }

  @Test("logs without events add nothing, and the same log twice is refused")
  func edges() throws {
    let folder = try TemporaryFolder()
    var generator = EventGenerator(seed: 3)
    let events = generator.events(20)
    let writer = try LogWriter(folder.path("a"))
    try writer.append(events)
    try writer.commit()
    _ = try LogWriter(folder.path("empty"))
    let log = try LogReader(folder.path("a"))
    let merge = try LogMerge([try LogReader(folder.path("empty")), log])
    let target = try LogWriter(folder.path("c"))
    #expect(try merge.write(to: target, temporaryFolder: folder.path).written == 20)
    #expect(throws: LogError.self) { try LogMerge([log, log]) }
    #expect(try LogMerge([]).eventCount == 0)
  }
}
