import Events
import TestSupport
import Testing

@testable import Interchange

@Suite("JSON Lines source")
struct JSONLinesSourceTests {
  private let directory: TemporaryFolder

  init() throws {
    directory = try TemporaryFolder()
  }

  private let goal =
    #"{"type":"goal","time":"2026-01-02T03:04:05Z","unit":"u","experiment":"e","goal":"g"}"#

  @Test(
    "blank lines are passed over and counted; CRLF, byte order mark and a last line without end are fine"
  )
  func lines() throws {
    let text = "\u{FEFF}\(goal)\r\n\r\n \t \n\n\(goal)"
    var source = try Importer().open(directory.write(text))
    var record = ImportedRecord()
    var found: [Int] = []
    while case .record = try source.next(&record) {
      #expect(record.count == 1)
      #expect(record.events[0].string(.goal) == "g")
      found.append(record.line)
    }
    #expect(found == [1, 5])
    #expect(source.progress.blankLines == 3)
    #expect(source.progress.textBytes == Int64(text.utf8.count))
    #expect(source.progress.fileBytes == Int64(text.utf8.count))
    #expect(source.progress.totalFileBytes == Int64(text.utf8.count))
  }

  @Test("events in a list, or over several lines, are those of the lines")
  func texts() throws {
    let more = goal.replacing("\"g\"}", with: #""h","metadata":{"a":"x\\n","b":1}}"#)
    func events(_ text: String) throws -> [String] {
      var source = try Importer().open(directory.write(text))
      var (record, lines) = (ImportedRecord(), [String]())
      while case .record = try source.next(&record) {
        var line: [UInt8] = []
        JSONLines.append(record.events[0], to: &line)
        lines.append(String(decoding: line, as: UTF8.self))
      }
      return lines
    }
    let expected = try events("\(goal)\n\(more)\n")
    #expect(expected.count == 2)
    #expect(try events("[\(goal), \(more)]") == expected)
    let wide = [goal, more].map { $0.replacing("{\"type", with: "{\n  \"type").replacing(",\"", with: ",\n  \"") }
    #expect(try events("[\n\(wide.joined(separator: ",\n"))\n]\n") == expected)
    #expect(try events(wide.joined(separator: "\n")) == expected)
  }

  @Test("a line that is no event is rejected with its number and bytes, and reading goes on")
  func rejected() throws {
    let incomplete = goal.replacing(#","goal":"g""#, with: "")
    let text = "\(goal)\n{\"type\":\"goal\",\n\(incomplete)\n\(goal)\n"
    var source = try Importer().open(directory.write(text))
    var record = ImportedRecord()
    var rejected: [RejectedRecord] = []
    var events = 0
    loop: while true {
      switch try source.next(&record) {
      case .record: events += 1
      case .rejected(let one): rejected.append(one)
      case .ignored: Issue.record("an ignored record")
      case .end: break loop
      }
    }
    #expect(events == 2)
    #expect(rejected.map(\.line) == [2, 3])
    #expect(
      rejected.map { String(decoding: $0.bytes, as: UTF8.self) } == [
        "{\"type\":\"goal\",", incomplete,
      ])
    #expect(rejected[0].category == .json)
    let start = Int64(goal.utf8.count + 1)
    #expect((start...start + 15).contains(rejected[0].byteOffset))
    #expect(rejected.allSatisfy { !$0.reason.isEmpty })
  }
}
