import TestSupport
import Testing

@testable import Events

@Suite("The table of the fields of events")
struct EventFieldRowTests {
  @Test("has every key of JSON Lines, and none twice for a kind")
  func keys() {
    #expect(Set(EventFieldRow.all.map(\.key)) == Set(JSONLineField.allCases))
    for kind in EventKind.allCases {
      let keys = kind.fieldRows.map(\.key)
      #expect(Set(keys).count == keys.count, "\(kind)")
    }
  }

  @Test("has every text of a record, but for the members that no field is for")
  func texts() {
    let texts = EventFieldRow.all.compactMap { row -> EventRecord.TextField? in
      switch row.content {
      case .name(let field), .text(let field), .json(let field): field
      default: nil
      }
    }
    #expect(Set(texts).union([.unknown]) == Set(EventRecord.TextField.allCases))
  }

  @Test("each field is read, typed and written as it was", arguments: FieldSamples.lines)
  func roundTrip(_ line: String) throws {
    var record = EventRecord()
    var decoder = JSONLinesDecoder()
    try decoder.decode(Array(line.utf8).span, into: &record)
    #expect(!record[.unknown].isPresent)
    #expect(FieldSamples.line(record) == line)
    let event = try Event(record)
    try record.load(event)
    #expect(FieldSamples.line(record) == line)
  }

  @Test("a kind without a field preserves it", arguments: EventKind.allCases)
  func foreign(_ kind: EventKind) throws {
    let own = Set(kind.fieldRows.map(\.name))
    let line = try #require(
      FieldSamples.lines.filter { $0.hasPrefix(#"{"type":"\#(kind.name)""#) }.dropFirst().first)
    for name in Set(EventFieldRow.all.map(\.name)).subtracting(own) {
      let other = "\(line.dropLast()),\"\(name)\":[true]}"
      var record = EventRecord()
      var decoder = JSONLinesDecoder()
      try decoder.decode(Array(other.utf8).span, into: &record)
      #expect(record.string(.unknown) == "\"\(name)\":[true]")
      #expect(FieldSamples.line(record) == other)
    }
  }
}
