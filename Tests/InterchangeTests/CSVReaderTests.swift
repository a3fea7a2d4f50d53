import TestSupport
import Testing

@testable import Interchange

@Suite("CSV reader")
struct CSVReaderTests {
  struct Record: Equatable {
    var line: Int
    var offset: Int64
    var fields: [String]
  }

  private let directory: TemporaryFolder

  init() throws {
    directory = try TemporaryFolder()
  }

  private func reader(_ text: String, maximumLength: Int = 64 << 20) throws -> CSVReader {
    CSVReader(try ByteSource(path: directory.write(text)), maximumLength: maximumLength)
  }

  /// The records, and for malformed ones their reason in the place of fields.
  private func records(_ text: String, maximumLength: Int = 64 << 20) throws -> [Record] {
    var csv = try reader(text, maximumLength: maximumLength)
    var result: [Record] = []
    while true {
      switch try csv.next() {
      case .end: return result
      case .malformed(let reason, let offset):
        result.append(Record(line: csv.line, offset: offset, fields: ["malformed: \(reason)"]))
      case .record:
        let fields = csv.fields.map { String(decoding: csv.bytes[$0], as: UTF8.self) }
        result.append(Record(line: csv.line, offset: csv.offset, fields: fields))
        #expect(csv.isASCII == csv.bytes.allSatisfy { $0 < 0x80 })
      }
    }
  }

  @Test("fields, empty fields, CRLF, byte order mark and a last line without end")
  func plain() throws {
    #expect(
      try records("\u{FEFF}a,b\r\n,\r\n\r\n1,\u{E9}") == [
        Record(line: 1, offset: 3, fields: ["a", "b"]),
        Record(line: 2, offset: 8, fields: ["", ""]),
        Record(line: 4, offset: 13, fields: ["1", "\u{E9}"]),
      ])
    var csv = try reader("\n\na\n\r\n")
    while try csv.next() != .end {}
    #expect(csv.blankLines == 3)
    #expect(try records("").isEmpty)
  }

  @Test("quoted commas, quotes and newlines; line numbers count the newlines inside quotes")
  func quoted() throws {
    #expect(
      try records("\"a,\"\"b\"\"\",\"x\ny\r\nz\"\r\n\"\",end\nlast") == [
        Record(line: 1, offset: 0, fields: ["a,\"b\"", "x\ny\r\nz"]),
        Record(line: 4, offset: 20, fields: ["", "end"]),
        Record(line: 5, offset: 27, fields: ["last"]),
      ])
  }

  @Test("wrong quotes cost their line only, and are named with line and byte")
  func malformed() throws {
    let inside = "malformed: a quote stands inside a field that does not begin with one"
    let behind =
      "malformed: text stands behind a closing quote; write a quote inside quotes twice"
    #expect(
      try records("a\"b,c\n\"a\" ,c\n\"a\"\rb\nok\n") == [
        Record(line: 1, offset: 1, fields: [inside]),
        Record(line: 2, offset: 9, fields: [behind]),
        Record(line: 3, offset: 17, fields: [behind]),
        Record(line: 4, offset: 19, fields: ["ok"]),
      ])
  }

  @Test("a quote that is never closed makes one line malformed, not the rest of the file")
  func unclosed() throws {
    let reason = "malformed: a quote is opened and never closed"
    #expect(
      try records("a,b\n1,\"2\n3,4\n5,6") == [
        Record(line: 1, offset: 0, fields: ["a", "b"]),
        Record(line: 2, offset: 6, fields: [reason]),
        Record(line: 3, offset: 9, fields: ["3", "4"]),
        Record(line: 4, offset: 13, fields: ["5", "6"]),
      ])
    let long = "1,\"2\n" + String(repeating: "3,4\n", count: 300_000)
    #expect(try records(long, maximumLength: 1_000_000).count == 300_001)
  }

  @Test("stray quotes on two lines take no lines between them")
  func strayQuotes() throws {
    let read = try records("a,b\n1,\"2\n3,4\n5,6\n7,\"8\n9,0\n")
    #expect(read.map(\.line) == [1, 2, 3, 4, 5, 6])
    #expect(read.map { $0.fields[0].hasPrefix("malformed") } == [false, true, false, false, true, false])
  }

  @Test("reads back valid CSV, whatever the fields contain")
  func randomRecords() throws {
    for seed in UInt64(0)..<300 {
      var random = SeededGenerator(seed: seed)
      let alphabet = ["a", ",", "\"", "\n", "\r", "\u{E9}", "b", "0"]
      var text = ""
      var expected: [Record] = []
      var line = 1
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let fields = (0..<Int.random(in: 2...5, using: &random)).map { _ in
          (0..<Int.random(in: 0...12, using: &random))
            .map { _ in alphabet.randomElement(using: &random) ?? "" }.joined()
        }
        expected.append(Record(line: line, offset: Int64(text.utf8.count), fields: fields))
        line += fields.joined().utf8.count { $0 == 10 } + 1
        text += fields.map { field in
          let isSpecial = field.utf8.contains { [10, 13, 34, 44].contains($0) }
          guard isSpecial || Bool.random(using: &random) else { return field }
          return "\"" + field.replacing("\"", with: "\"\"") + "\""
        }.joined(separator: ",")
        text += Bool.random(using: &random) ? "\r\n" : "\n"
      }
      #expect(try records(text) == expected, "seed \(seed)")
    }
  }

  @Test("the vector split agrees with a plain one")
  func split() {
    var random = SeededGenerator(seed: 8)
    for round in 0..<3_000 {
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        ([44, 43, 45, 0, 97, 0xAC, 0x2C] as [UInt8]).randomElement(using: &random) ?? 97
      }
      var fields: [Range<Int>] = []
      let isASCII = ByteSearch.split(bytes, at: 44, into: &fields)
      let expected = bytes.split(separator: 44, omittingEmptySubsequences: false).map(\.indices)
      #expect(fields == expected, "round \(round)")
      #expect(isASCII == bytes.allSatisfy { $0 < 0x80 })
    }
  }

  @Test("plain text of JSON ends where a look at each byte ends it")
  func plainText() {
    var random = SeededGenerator(seed: 9)
    for round in 0..<3_000 {
      let bytes = (0..<random.index(60)).map { _ in
        random.chance(0.05) ? ([0x22, 0x5C, 0x0A] as [UInt8])[random.index(3)] : UInt8(random.index(256))
      }
      let start = random.index(bytes.count + 1)
      let range = start..<start + random.index(bytes.count - start + 1)
      let expected = range.first { [0x22, 0x5C, 0x0A].contains(bytes[$0]) } ?? range.upperBound
      #expect(ByteSearch.endOfPlainText(in: bytes, range) == expected, "round \(round)")
    }
  }

  @Test("a record above the greatest length is an error that names its line")
  func tooLong() throws {
    let error = #expect(throws: ImportError.self) {
      try records("a,b\n" + String(repeating: "x", count: 2_500_000), maximumLength: 1_000_000)
    }
    #expect(error?.code == .badData)
    #expect(error?.description.contains("line 2 (byte 4)") == true)
  }
}
