import Events
import TestSupport
import Testing

@testable import Interchange

@Suite("Fields as columns")
struct EventFieldColumnTests {
  private var events: [Event] { get throws { try FieldSamples.lines.map(FieldSamples.event) } }

  @Test("each comes back from an Arrow stream, by columns and row by row")
  func arrow() throws {
    let log = try ArrowLog(events)
    for rowByRow in [false, true] {
      let file = try TemporaryFolder()
      var source = try Importer().open(file.write(log.exported(rowByRow: rowByRow)))
      var record = ImportedRecord()
      var lines: [String] = []
      while case .record = try source.next(&record) {
        lines += record.events.prefix(record.count).map { FieldSamples.line($0) }
      }
      #expect(lines == FieldSamples.lines)
    }
  }

  @Test("each is a column of an Arrow stream, or its attributes are")
  func columns() {
    let columns = Set(ArrowEventColumn.allCases.map(\.rawValue)).union(["context", "metadata"])
    #expect(columns.isSuperset(of: EventFieldRow.all.map(\.name)))
  }

  @Test("each can be mapped, but for those of the system that wrote the event")
  func mapped() {
    let own: Set = ["system", "instance", "changed", "configuration"]
    let lists: Set = ["context", "features", "metadata"]
    let names = Set(EventFieldRow.all.map(\.name)).subtracting(own).subtracting(lists)
    let plain = Set(EventField.Plain.allCases.map(\.name))
    #expect(plain.subtracting(names) == ["reward", "when", "unless", "each", "unique"])
    #expect(names.isSubset(of: plain))
  }
}
