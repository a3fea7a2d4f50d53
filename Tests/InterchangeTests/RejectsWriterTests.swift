import TestSupport
import Testing

@testable import Interchange

@Suite("Rejects writer")
struct RejectsWriterTests {
  @Test("writes nothing without records, then a heading and one CSV row each, bytes as they came")
  func rows() throws {
    var bytes: [UInt8] = []
    let writer = RejectsWriter { bytes += $0 }
    #expect(bytes.isEmpty)
    let text: [UInt8] = [0xFF, 0x22, 0x0A, 0x2C]
    try writer.write(
      RejectedRecord(
        line: 3, byteOffset: 17, category: .encoding, reason: "not, UTF-8", bytes: text))
    try writer.write(
      RejectedRecord(line: 5, byteOffset: 99, category: .json, reason: "plain", bytes: []))
    let expected =
      Array("line,offset,reason,text\n3,17,\"not, UTF-8\",\"".utf8)
      + [0xFF, 0x22, 0x22, 0x0A, 0x2C, 0x22, 0x0A] + Array("5,99,plain,\n".utf8)
    #expect(bytes == expected)
  }

  @Test("its output reads back with the CSV reader")
  func roundTrip() throws {
    let directory = try TemporaryFolder()
    for seed in UInt64(0)..<100 {
      var random = SeededGenerator(seed: seed)
      let alphabet: [UInt8] = [10, 13, 34, 44, 97, 0xC3]
      let text = (0..<Int.random(in: 0...15, using: &random)).map { _ in
        alphabet.randomElement(using: &random) ?? 97
      }
      var bytes: [UInt8] = []
      let writer = RejectsWriter { bytes += $0 }
      try writer.write(
        RejectedRecord(line: 1, byteOffset: 2, category: .json, reason: "a \"b\"", bytes: text))
      var csv = CSVReader(try ByteSource(path: directory.write(bytes)))
      #expect(try csv.next() == .record)
      #expect(try csv.next() == .record)
      #expect(csv.fields.count == 4, "seed \(seed)")
      #expect(Array(csv.bytes[csv.fields[3]]) == text, "seed \(seed)")
    }
  }
}
