import TestSupport
import Testing

@testable import Interchange

@Suite("Line reader")
struct LineReaderTests {
  struct Line: Equatable {
    var number: Int
    var offset: Int64
    var text: [UInt8]
  }

  private let directory: TemporaryFolder

  init() throws {
    directory = try TemporaryFolder()
  }

  private func lines(_ bytes: [UInt8], maximumLength: Int = 64 << 20) throws -> [Line] {
    var reader = LineReader(
      try ByteSource(path: directory.write(bytes)), maximumLength: maximumLength)
    var result: [Line] = []
    while try reader.next() {
      result.append(
        Line(
          number: reader.number, offset: reader.offset,
          text: Array(reader.source.bytes[reader.range])))
    }
    return result
  }

  /// The same by splitting the whole text.
  private func twin(_ bytes: [UInt8]) -> [Line] {
    var result: [Line] = []
    var offset = 0
    var parts = bytes.split(separator: 10, omittingEmptySubsequences: false)
    if parts.last?.isEmpty == true { parts.removeLast() }
    for (index, part) in parts.enumerated() {
      var text = part
      while text.last == 13 { text = text.dropLast() }
      result.append(Line(number: index + 1, offset: Int64(offset), text: Array(text)))
      offset += part.count + 1
    }
    return result
  }

  @Test("splits at LF and CRLF, with or without an end of the last line")
  func randomTexts() throws {
    for seed in UInt64(0)..<400 {
      var random = SeededGenerator(seed: seed)
      let alphabet: [UInt8] = [10, 13, 97, 98, 0, 255]
      let count = Int.random(in: 0...60, using: &random)
      let bytes = (0..<count).map { _ in alphabet.randomElement(using: &random) ?? 97 }
      #expect(try lines(bytes) == twin(bytes), "seed \(seed)")
    }
  }

  @Test("lines may be longer than a block")
  func longLines() throws {
    var bytes: [UInt8] = []
    for count in [10, 3_000_000, 0, 1_200_000, 5] {
      bytes += [UInt8](repeating: 120, count: count) + [10]
    }
    #expect(try lines(bytes) == twin(bytes))
  }

  @Test("a line above the greatest length is an error that names it")
  func tooLong() throws {
    let bytes = Array("12345\r\n1234567\n".utf8)
    #expect(try lines(bytes, maximumLength: 7).count == 2)
    let error = #expect(throws: ImportError.self) { try lines(bytes, maximumLength: 6) }
    #expect(error?.code == .badData)
    #expect(error?.description.contains("line 2 (byte 7)") == true)
    let long = [UInt8](repeating: 120, count: 3_000_000)
    #expect(throws: ImportError.self) { try lines(long, maximumLength: 1_000_000) }
  }
}
