import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("Event filters")
struct EventFilterTests {
  private func random(_ generator: inout EventGenerator, from base: Int64) -> EventFilter {
    var filter = EventFilter()
    if generator.random.chance(0.4) {
      let from = UInt64(generator.random.index(600))
      filter.positions = from..<from + UInt64(generator.random.index(900))
    }
    if generator.random.chance(0.4) {
      filter.since = Timestamp(microseconds: base + Int64(generator.random.index(300_000_000)))
    }
    if generator.random.chance(0.4) {
      filter.until = Timestamp(microseconds: base + Int64(generator.random.index(900_000_000)))
    }
    if generator.random.chance(0.4) {
      filter.kinds = [.goal, EventKind.allCases[generator.random.index(8)]]
    }
    if generator.random.chance(0.4) { filter.experiments = [Array("exp1".utf8), Array("x".utf8)] }
    if generator.random.chance(0.4) {
      let unit = generator.random.index(40)
      filter.units = [Array("u-\(unit)".utf8), []]
    }
    return filter
  }

  private func meets(_ record: EventRecord, _ position: UInt64, _ filter: EventFilter) -> Bool {
    let text = { (field: EventRecord.TextField) in record.string(field).map { Array($0.utf8) } }
    return filter.positions.contains(position)
      && filter.since.map { record.time >= $0 } ?? true
      && filter.until.map { record.time < $0 } ?? true
      && filter.kinds?.contains(record.kind) ?? true
      && filter.experiments.map { wanted in text(.experiment).map(wanted.contains) ?? false }
        ?? true
      && filter.units.map { wanted in text(.unit).map(wanted.contains) ?? false } ?? true
  }

  @Test(
    "a follower sees each matching event once across segments, and no other",
    arguments: 0..<8)
  func follow(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let options = LogOptions(segmentByteCount: 8_000)
    let writer = try LogWriter(folder.path("log"), options: options)
    var generator = EventGenerator(seed: seed)
    let filters = (0..<8).map { _ in random(&generator, from: 1_767_323_045_000_000) }
    let reader = try LogReader(folder.path("log"))
    var followers = filters.map { FilteredEvents(reader, matching: $0) }
    var seen: [[UInt64]] = filters.map { _ in [] }
    for round in 0..<10 {
      try writer.append(generator.events(generator.random.index(160)))
      if round % 4 != 3 { try writer.commit() }
      for index in followers.indices where generator.random.chance(0.6) || round == 9 {
        _ = try followers[index].refresh()
        try followers[index].forEach { seen[index].append($1) }
      }
    }
    let whole = try LogReader(folder.path("log"))
    #expect(whole.segments.count > 1)
    for (index, filter) in filters.enumerated() {
      var naive: [UInt64] = []
      try whole.forEachEvent { if meets($0, $1, filter) { naive.append($1) } }
      #expect(seen[index] == naive, "seed \(seed): \(filter)")
      var direct: [UInt64] = []
      try whole.forEachEvent(matching: filter) { direct.append($1) }
      #expect(direct == naive, "seed \(seed): \(filter)")
    }
  }

  @Test("a follower of a log that was rewritten continues with the new codes of its names")
  func writtenAnew() throws {
    let folder = try TemporaryFolder()
    var generator = EventGenerator(seed: 5)
    let events = generator.events(300)
    let writer = try LogWriter(folder.path("log"))
    try writer.append(Array(events[..<200]))
    try writer.commit()
    var follower = FilteredEvents(try LogReader(folder.path("log")), matching: EventFilter())
    var seen: [Event] = []
    try follower.forEach { record, _ in seen.append(try Event(record)) }
    let path = folder.path("log") + "/" + SegmentHeader.fileName(basePosition: 0)
    try SystemDisk().remove(path)
    let other = try LogWriter(folder.path("other"))
    for event in events[..<200].reversed() { try other.append([event]) }
    try other.append(Array(events[200...]))
    try other.commit()
    for name in try SystemDisk().list(folder.path("log")) ?? []
    where LogHead.names.contains(name) {
      try SystemDisk().remove(folder.path("log") + "/" + name)
    }
    for name in try SystemDisk().list(folder.path("other")) ?? [] where name != "LOCK" {
      try SystemDisk().rename(
        folder.path("other") + "/" + name, to: folder.path("log") + "/" + name)
    }
    #expect(try follower.refresh())
    try follower.forEach { record, _ in seen.append(try Event(record)) }
    #expect(seen == events)
  }

  @Test("a frame filter passes a frame only if its header matches")
  func frames() throws {
    let folder = try TemporaryFolder()
    let writer = try LogWriter(folder.path("log"))
    for second in [10, 20, 30] as [Int64] {
      var record = EventRecord(kind: .goal, time: Timestamp(microseconds: second * 1_000_000))
      record[.unit] = record.add("u")
      record[.experiment] = record.add("e\(second)")
      record[.goal] = record.add("g")
      try writer.append(record)
      try writer.commit()
    }
    let reader = try LogReader(folder.path("log"))
    let at = { Timestamp(microseconds: $0 * 1_000_000) }
    #expect(reader.eventCount(where: FrameFilter()) == 3)
    #expect(reader.eventCount(where: FrameFilter(since: at(20))) == 2)
    #expect(reader.eventCount(where: FrameFilter(until: at(20))) == 1)
    #expect(reader.eventCount(where: FrameFilter(since: at(11), until: at(20))) == 0)
    #expect(reader.eventCount(where: FrameFilter(experiments: [2])) == 1)
    #expect(reader.eventCount(where: FrameFilter(experiments: [1, 3])) == 2)
    #expect(reader.eventCount(where: FrameFilter(experiments: [])) == 0)
    #expect(reader.eventCount(where: FrameFilter(kinds: [.decision])) == 0)
  }
}
