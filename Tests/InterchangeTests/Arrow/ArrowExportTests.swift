import Arrow
import Events
import TestSupport
import Testing

@testable import Interchange

@Suite("Export as Arrow streams")
struct ArrowExportTests {
  private func imported(_ bytes: [UInt8]) throws -> [String] {
    let folder = try TemporaryFolder()
    var source = try Importer().open(folder.write(bytes))
    var record = ImportedRecord()
    var lines: [String] = []
    while true {
      switch try source.next(&record) {
      case .record:
        for event in record.events.prefix(record.count) {
          try event.validate()
          var line: [UInt8] = []
          JSONLines.append(event, to: &line)
          lines.append(String(decoding: line.dropLast(), as: UTF8.self))
        }
      case .rejected(let record): Issue.record("row \(record.line): \(record.reason)")
      case .ignored, .end: return lines
      }
    }
  }

  @Test("every event of every kind comes back as it was, in order", arguments: UInt64(0)..<30)
  func roundTrip(seed: UInt64) throws {
    var generator = EventGenerator(seed: seed)
    let log = try ArrowLog(generator.events(300), frameRowCount: 64)
    let lines = try log.lines
    #expect(try imported(log.exported()) == lines)
    let regular = try ArrowLog(generator.regularEvents(300), frameRowCount: 100)
    #expect(try imported(regular.exported()) == regular.lines)
  }

  @Test(
    "reading by columns and row by row write the same bytes, for all kinds and for some",
    arguments: UInt64(0)..<60)
  func twins(seed: UInt64) throws {
    var generator = EventGenerator(seed: seed)
    let events =
      seed % 3 == 0 ? generator.events(200) : generator.regularEvents(200)
    let log = try ArrowLog(events, frameRowCount: 1 + generator.random.index(120))
    var kinds: [Set<EventKind>?] = [nil, [.decision], [.goal, .dataPoint], [.conversion]]
    kinds.append(Set(EventKind.allCases.filter { _ in generator.random.chance(0.5) }))
    for kinds in kinds {
      let naive = try log.exported(kinds, rowByRow: true)
      #expect(try log.exported(kinds) == naive, "kinds \(kinds.map { "\($0)" } ?? "all")")
    }
  }

  @Test("most logs need no column json")
  func columns() throws {
    var generator = EventGenerator(seed: 1)
    let log = try ArrowLog(generator.regularEvents(500))
    let names = try schema(log.exported())
    #expect(!names.contains("json"))
    #expect(names.contains("context.é") && names.contains("metadata.age"))
    var other = EventGenerator(seed: 2)
    #expect(try schema(ArrowLog(other.events(500)).exported()).contains("json"))
  }

  private func schema(_ bytes: [UInt8]) throws -> [String] {
    var source = try ByteSource(PortionedInput(bytes, portion: .max))
    return try ArrowInput.schema(&source)?.fields.map(\.name) ?? []
  }

  @Test("a stream of one kind has its events and the columns that these have")
  func kinds() throws {
    var generator = EventGenerator(seed: 4)
    let log = try ArrowLog(generator.regularEvents(400), frameRowCount: 50)
    let stream = try log.exported([.conversion])
    let lines = try log.lines.filter { $0.hasPrefix(#"{"type":"conversion""#) }
    #expect(try imported(stream) == lines)
    #expect(
      try schema(stream) == [
        "type", "time", "unit", "goal", "revenue", "negative", "metadata.age", "metadata.é",
        "metadata.is new", "id", "system", "instance",
      ])
  }

  @Test("an empty log is a stream without batches")
  func empty() throws {
    let log = try ArrowLog([])
    #expect(try imported(log.exported()).isEmpty)
    #expect(try schema(log.exported()) == ["type", "time", "unit", "id"])
  }
}
