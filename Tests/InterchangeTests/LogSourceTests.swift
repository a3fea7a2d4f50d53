import EventLog
import Events
import Specifications
import TestSupport
import Testing

@testable import Interchange

/// A log as the destination of an import, with the filter that knows its events.
private struct ImportedLog {
  let path: String

  /// Imports sources, one after another, in one session.
  @discardableResult
  func add(_ paths: [String], in folder: TemporaryFolder) throws -> ImportSummary {
    let filter = DuplicateFilter(directory: folder.path, memoryCapacity: 100)
    if let log = try? LogReader(path) {
      try log.forEachEvent { record, _ in try filter.addKnown(record) }
    }
    let session = ImportSession(filter: filter)
    let writer = try LogWriter(path)
    let importer = try Importer(.init(parsing: "auto"))
    for path in paths {
      var source = try importer.open(path)
      try session.run(&source, into: Appender(writer: writer))
    }
    return session.summary
  }

  struct Appender: RecordAppender {
    let writer: LogWriter
    func append(_ record: EventRecord) throws { try writer.append(record) }
    func commit() throws { try writer.commit() }
  }

  func events() throws -> [Event] {
    var events: [Event] = []
    try LogReader(path).forEachEvent { record, _ in events.append(try Event(record)) }
    return events
  }
}

@Suite("Importing logs")
struct LogSourceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ events: [Event], _ name: String) throws -> String {
    var lines: [UInt8] = []
    var record = EventRecord()
    for event in events {
      try record.load(event)
      JSONLines.append(record, to: &lines)
    }
    return try folder.write(lines, name)
  }

  @Test("a log gives its events exactly, in its order, with all that they have", arguments: 0..<20)
  func everything(seed: UInt64) throws {
    var generator = EventGenerator(seed: seed)
    let events = generator.events(300)
    let writer = try LogWriter(folder.path("a"), options: LogOptions(segmentByteCount: 9_000))
    for start in stride(from: 0, to: events.count, by: 37) {
      try writer.append(Array(events[start..<min(start + 37, events.count)]))
      try writer.commit()
    }
    var source = try Importer(.init(parsing: "csv")).open(folder.path("a"))
    var record = ImportedRecord()
    var found: [Event] = []
    while case .record = try source.next(&record) {
      #expect(record.count == 1)
      #expect(record.line == found.count + 1)
      found.append(try Event(record.events[0]))
    }
    #expect(found == events, "seed \(seed)")
    #expect(source.progress.fileBytes == source.progress.totalFileBytes)
  }

  @Test(
    "importing logs gives what importing the files gives that they were made from",
    arguments: 0..<60)
  func asFiles(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var generator = EventGenerator(seed: seed)
    // Events that files share, some of them several times, with and without ids.
    let pool = generator.events(30).map { event in
      var event = event
      if random.chance(0.5) { event.id = nil }
      return event
    }
    let files = try (0..<5).map { number in
      try write(
        (0..<random.index(40)).map { _ in pool[random.index(pool.count)] }, "\(number).jsonl")
    }
    // Some files are imported as they are, others as logs, of one file or of several; one may be given twice.
    var inputs: [String] = []
    var direct: [String] = []
    var next = 0
    while next < files.count {
      let end = min(next + 1 + random.index(3), files.count)
      let some = Array(files[next..<end])
      if random.chance(0.7) {
        let log = ImportedLog(path: folder.path("log-\(next)"))
        try log.add(some, in: folder)
        inputs.append(log.path)
        if random.chance(0.2) { inputs.append(log.path) }
      } else {
        inputs += some
      }
      direct += some
      next = end
    }
    let expected = ImportedLog(path: folder.path("direct"))
    try expected.add(direct, in: folder)
    let found = ImportedLog(path: folder.path("found"))
    try found.add(inputs, in: folder)
    #expect(try found.events() == expected.events(), "seed \(seed)")
    let again = try found.add(inputs, in: folder)
    #expect(again.eventsAppended == 0)
  }

  @Test("a finding of a log names the event, counted from 1")
  func findings() throws {
    let writer = try LogWriter(folder.path("a"))
    let goal = Goal(experiment: "e", goal: "g")
    try writer.append([
      Event(
        time: Timestamp(microseconds: 1_767_323_045_000_000), unit: "u",
        payload: .decision(Decision(experiment: "e", variant: "a"))),
      Event(
        time: Timestamp(microseconds: 1_767_323_045_000_000), unit: "v", payload: .goal(goal)),
    ])
    try writer.commit()
    let summary = try ImportedLog(path: folder.path("b")).add([folder.path("a")], in: folder)
    #expect(
      summary.quality[.goalBeforeDecision]?.description
        == "goal without an earlier decision of its unit and experiment, first on event 2 of "
        + folder.path("a"))
  }

  @Test("an incomplete log is refused")
  func refused() throws {
    _ = try LogFilling.open([(path: folder.path("a"), seed: 1)])
    let error = #expect(throws: ImportError.self) {
      try Importer(.init(parsing: "auto")).open(folder.path("a"))
    }
    #expect(error?.code == .badData)
    #expect(error?.description.contains("is incomplete") == true)
  }

  @Test(
    "an input without a byte has no records, whatever its format",
    arguments: ["auto", "csv", "obd", "vw"])
  func empty(format: String) throws {
    var source = try Importer(.init(parsing: format)).open(try folder.write("", "a.csv"))
    var record = ImportedRecord()
    guard case .end = try source.next(&record) else {
      Issue.record("there is a record")
      return
    }
  }

  @Test("the folder of a log stands for the log, also in another folder")
  func paths() throws {
    for name in ["log", "in-b"] {
      let writer = try LogWriter(folder.path(name))
      try writer.append([
        Event(
          time: Timestamp(microseconds: 1), unit: "u", payload: .dataPoint(DataPoint(kind: "k")))
      ])
      try writer.commit()
    }
    #expect(try InputPaths.expanded([folder.path("log")]) == [folder.path("log")])
    let all = try InputPaths.expanded([folder.path])
    #expect(all == [folder.path("in-b"), folder.path("log")])
  }
}
