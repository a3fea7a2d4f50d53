import Events
import TestSupport
import Testing
import Threads

@testable import Interchange

/// Events in memory; appending fails after some.
private final class Events: RecordAppender {
  private(set) var lines: [String] = []
  private let capacity: Int

  struct Full: Error {}

  init(capacity: Int = .max) { self.capacity = capacity }

  func append(_ record: EventRecord) throws {
    guard lines.count < capacity else { throw Full() }
    var line: [UInt8] = []
    JSONLines.append(record, to: &line)
    lines.append(String(decoding: line, as: UTF8.self))
  }

  func commit() {}
}

/// A source whose second batch does not come before a gate is opened.
private struct WaitingSource: RecordSource {
  let gate: Monitor<Bool>
  let name = "pipe"
  let progress = SourceProgress(fileBytes: 0, textBytes: 0)
  var count = 0

  mutating func next(_ record: inout ImportedRecord) throws(ImportError) -> RecordStep {
    if count == 512 {
      yield { gate.withLock { $0 } }
      return .end
    }
    count += 1
    record.begin(line: count, byteOffset: 0)
    do throws(Rejection) {
      try record.append(
        Event(
          time: Timestamp(microseconds: 0), unit: UnitID("u-\(count)"),
          payload: .dataPoint(.init(kind: "k"))))
    } catch {
      throw ImportError(.badData, error.reason)
    }
    return .record
  }
}

@Suite("Reading ahead")
struct ReadAheadTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Native lines with duplicates, blank lines and, for odd seeds, invalid ones.
  private func text(_ seed: UInt64) -> String {
    var random = SeededGenerator(seed: seed)
    var lines: [String] = []
    for number in 0..<2_000 {
      let second = 10 + random.index(50)
      let id = random.chance(0.3) ? #""id":"i-\#(number)","# : ""
      let start = #"{\#(id)"time":"2026-01-02T03:04:\#(second)Z","unit":"u-\#(random.index(500))","#
      switch random.index(3) {
      case 0: lines.append(start + #""type":"decision","experiment":"e","variant":"a"}"#)
      case 1:
        lines.append(start + #""type":"goal","experiment":"e","goal":"g","value":\#(second)}"#)
      default: lines.append(start + #""type":"conversion","goal":"g"}"#)
      }
      if random.chance(0.05) { lines.append(lines[random.index(lines.count)]) }
      if random.chance(0.01) { lines.append(" ") }
      if seed % 2 == 1, random.chance(0.005) { lines.append(#"{"type":"visit"}"#) }
    }
    return lines.joined(separator: "\n")
  }

  private func filter() -> DuplicateFilter {
    DuplicateFilter(directory: folder.path, memoryCapacity: 500)
  }

  private func run(
    _ path: String, readsAhead: Bool, _ onError: ImportSession.ErrorPolicy
  ) throws -> (lines: [String], summary: ImportSummary, error: String?) {
    let log = Events()
    let session = ImportSession(filter: filter(), onError: onError, readsAhead: readsAhead)
    var message: String?
    for _ in 0..<2 {
      var source = try Importer(format: JSONLines()).open(path)
      do {
        try session.run(&source, into: log)
      } catch let error as ImportError {
        message = error.description
      }
    }
    return (log.lines, session.summary, message)
  }

  /// One record after the other.
  private func twin(_ path: String) throws -> (lines: [String], duplicates: Int64) {
    let (log, filter) = (Events(), filter())
    var duplicates: Int64 = 0
    var record = ImportedRecord()
    for _ in 0..<2 {
      try filter.beginInput()
      var source = try Importer(format: JSONLines()).open(path)
      records: while true {
        switch try source.next(&record) {
        case .end: break records
        case .record where try filter.isAlreadyThere(record.events[0]): duplicates += 1
        case .record: try log.append(record.events[0])
        default: break
        }
      }
    }
    return (log.lines, duplicates)
  }

  @Test("the outcome is that of reading one record after the other", arguments: UInt64(0)..<6)
  func outcome(seed: UInt64) throws {
    let path = try folder.write(text(seed), "events.jsonl")
    let expected = try twin(path)
    for readsAhead in [false, true] {
      let skipped = try run(path, readsAhead: readsAhead, .skip)
      #expect(skipped.lines == expected.lines, "seed \(seed)")
      #expect(skipped.summary.alreadyThere == expected.duplicates, "seed \(seed)")
      #expect(skipped.summary.eventsAppended == Int64(expected.lines.count), "seed \(seed)")
    }
    let (ahead, alone) = try (
      run(path, readsAhead: true, .stop), run(path, readsAhead: false, .stop)
    )
    #expect(ahead == alone, "seed \(seed)")
    #expect((ahead.error == nil) == (ahead.summary.rejected == 0), "seed \(seed)")
  }

  @Test("an error of the log ends the import at once, also while the input waits for more")
  func failure() throws {
    let session = ImportSession(filter: filter())
    let gate = Monitor(false)
    defer { gate.withLock { $0 = true } }
    var source = WaitingSource(gate: gate)
    #expect(throws: Events.Full.self) { try session.run(&source, into: Events(capacity: 3)) }
    #expect(session.summary.eventsAppended == 0)
  }
}
