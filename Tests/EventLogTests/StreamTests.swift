import TestSupport
import Testing

@testable import EventLog

@Suite("Streams of values")
struct StreamTests {
  // MARK: Whole numbers

  private func encoding(_ values: [Int64]) throws -> ColumnEncoding? {
    var bytes: [UInt8] = []
    IntegerStream.write(values, to: &bytes)
    #expect(try IntegerStream.read(bytes[...], count: values.count, as: Int64.self) == values)
    return ColumnEncoding(rawValue: bytes[0])
  }

  @Test("integers get the smallest encoding, and round-trip")
  func integerEncodings() throws {
    #expect(try encoding([]) == .constant)
    #expect(try encoding([5, 5, 5]) == .constant)
    #expect(try encoding((0..<5_000).map { Int64($0) * 1_000_003 }) == .delta)
    #expect(try encoding((0..<5_000).map { $0 % 97 == 0 ? 40_000 : 0 }) == .sparse)
    #expect(try encoding((0..<5_000).map { Int64($0 * $0 * 7 % 1_009) }) == .packed)
    var (late, twice): ([Int64], [Int64]) = ([], [])
    for index in 0..<5_000 as Range<Int64> {
      late.append(index * 1_000 + index * 7_919 % 997 - (index % 900 == 9 ? 1 << 33 : 0))
      twice.append(index / 3 * 1_000 + index / 3 * 7_919 % 997)
    }
    #expect(try encoding(late) == .patchedDelta)
    #expect(try encoding(twice) == .patchedDelta)
    #expect(try encoding([.min, .max, 0, -1, .max, .min]) != nil)
  }

  @Test("random integers round-trip", arguments: 0..<300)
  func integers(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let count = random.index(3_000)
    let width = UInt64(random.index(65))
    let walk = random.chance(0.5)
    let gaps = random.chance(0.3)
    var last: Int64 = 0
    let values = (0..<count).map { _ -> Int64 in
      if gaps, random.chance(0.9) { return 7 }
      let value = Int64(truncatingIfNeeded: width == 0 ? 0 : random.next() >> (64 - width))
      last = walk ? last &+ value : value
      return last
    }
    _ = try encoding(values)
  }

  // MARK: Floating-point numbers

  private func numberEncoding(_ numbers: [Double]) throws -> ColumnEncoding? {
    var bytes: [UInt8] = []
    NumberStream.write(numbers, to: &bytes)
    let back = try NumberStream.read(bytes[...], count: numbers.count)
    #expect(back.map(\.bitPattern) == numbers.map(\.bitPattern))
    return ColumnEncoding(rawValue: bytes[0])
  }

  @Test("numbers get the smallest encoding, and round-trip bit for bit")
  func numberEncodings() throws {
    #expect(try numberEncoding([]) == .constantNumber)
    #expect(try numberEncoding([0.25, 0.25]) == .constantNumber)
    #expect(
      try numberEncoding((0..<1_000).map { [1.0 / 3, 0.1, .pi][$0 % 3] }) == .numberDictionary)
    #expect(try numberEncoding((0..<1_000).map { Double($0 * 37 % 9_973) / 100 }) == .decimal)
    #expect(try numberEncoding((1...1_000).map { Double($0).squareRoot() }) == .rawNumber)
  }

  @Test("every class of number round-trips bit for bit, also as an exception among decimals")
  func specialNumbers() throws {
    let special: [Double] = [
      .nan, .signalingNaN, .infinity, -.infinity, -0.0, 0, .leastNonzeroMagnitude,
      .greatestFiniteMagnitude, 1e15, 1e16, 0x1p53, 0x1p53 + 2, 0.1 + 0.2, 1e-300,
    ]
    #expect(try numberEncoding(special) != nil)
    for number in special {
      #expect(
        try numberEncoding((0..<1_000).map { Double($0 * 31 % 997) / 10 } + [number]) == .decimal)
    }
  }

  @Test("random numbers round-trip bit for bit", arguments: 0..<200)
  func numbers(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let scale = [1.0, 10, 100, 1e4][random.index(4)]
    let kinds = 1 + random.index(3)
    let numbers = (0..<random.index(2_000)).map { _ -> Double in
      switch random.index(kinds) {
      case 0: Double(random.index(100_000)) / scale
      case 1: Double(bitPattern: random.next())
      default: [0.1, 0.2, 0.7][random.index(3)]
      }
    }
    _ = try numberEncoding(numbers)
  }

  // MARK: Texts

  private func textEncoding(_ texts: [String]) throws -> ColumnEncoding? {
    var list = TextList()
    for text in texts { list.append(text.utf8) }
    var bytes: [UInt8] = []
    TextStream.write(list, to: &bytes)
    #expect(try TextStream.read(bytes[...], count: texts.count) == list)
    return ColumnEncoding(rawValue: bytes[0])
  }

  @Test("texts that count up are stored as numbers, with or without leading zeros")
  func numbered() throws {
    #expect(try textEncoding((0..<500).map { "s-\($0)" }) == .numbered)
    #expect(try textEncoding(["e0007", "e0008", "e0123"]) == .numbered)
    #expect(try textEncoding(["e0", "e00"]) == .text)
    #expect(try textEncoding(["0", "1"]) == .numbered)
    #expect(try textEncoding(["", ""]) == .text)
    #expect(try textEncoding(["a1", "b1"]) == .text)
    #expect(try textEncoding(["1234567890123456789012", "1234567890123456789013"]) == .numbered)
    #expect(try textEncoding(["x"]) == .text)
    #expect(try textEncoding([]) == .text)
  }

  @Test("random texts round-trip", arguments: 0..<200)
  func texts(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pieces = ["u", "-", "0", "1", "42", "ü", "00", ""]
    let texts = (0..<random.index(300)).map { _ in
      (0..<random.index(5)).map { _ in pieces[random.index(pieces.count)] }.joined()
    }
    _ = try textEncoding(texts)
  }

  // MARK: Damage

  @Test(
    "streams with any byte changed, or truncated anywhere, give a value or an error, never a trap")
  func damagedStreams() throws {
    var streams: [[UInt8]] = []
    let packed: [Int64] = (0..<1_100).map { Int64($0 * 3 % 7) }
    let delta: [Int64] = (0..<50).map { Int64($0) * 9 }
    let sparse: [Int64] = (0..<900).map { $0 % 50 == 0 ? Int64($0) : 3 }
    var late: [Int64] = (0..<60).map { $0 * 99 + $0 * $0 % 61 }
    late[40] -= 1 << 33
    let twice: [Int64] = (0..<90).map { late[$0 / 2 + 9] }
    for values in [packed, delta, sparse, late, twice] {
      var bytes: [UInt8] = []
      IntegerStream.write(values, to: &bytes)
      streams.append(bytes)
    }
    var numbers: [UInt8] = []
    let mixed: [Double] = (0..<99).map { $0 % 9 == 0 ? .pi : Double($0) / 10 }
    NumberStream.write(mixed, to: &numbers)
    streams.append(numbers)
    var repeated: [UInt8] = []
    NumberStream.write((0..<99).map { [.pi, 0.1, 1.0 / 3][$0 % 3] }, to: &repeated)
    streams.append(repeated)
    var list = TextList()
    for text in ["a", "bc", "", "dü"] { list.append(text.utf8) }
    var texts: [UInt8] = []
    TextStream.write(list, to: &texts)
    streams.append(texts)
    for stream in streams {
      let count = Int(stream[4]) | Int(stream[5]) << 8
      for position in stream.indices {
        for flip in [1, 0x80, 0xFF] as [UInt8] {
          var changed = stream
          changed[position] ^= flip
          readEverything(changed, count: count)
        }
        readEverything(Array(stream[..<position]), count: count)
      }
    }
  }

  /// Reads the bytes as each sort of stream: a trap or a hang would end the test run.
  private func readEverything(_ bytes: [UInt8], count: Int) {
    let integers = try? IntegerStream.read(bytes[...], count: count, as: Int64.self)
    let numbers = try? NumberStream.read(bytes[...], count: count)
    let texts = try? TextStream.read(bytes[...], count: count)
    #expect(integers.map(\.count) ?? count == count)
    #expect(numbers.map(\.count) ?? count == count)
    #expect(texts.map(\.count) ?? count == count)
  }

  @Test("the checksum is CRC-32C, and its two implementations agree")
  func checksum() {
    #expect(Checksum.crc32c(Array("123456789".utf8)) == 0xE306_9283)
    #expect(Checksum.crc32c([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
    #expect(Checksum.crc32c([UInt8](repeating: 0xFF, count: 32)) == 0x62A8_AB43)
    #expect(Checksum.crc32c(Array(0..<32)) == 0x46DD_794E)
    var random = SeededGenerator(seed: 1)
    for count in 0..<300 {
      let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      #expect(Checksum.crc32c(bytes) == Checksum.crc32cPortable(bytes))
      let half = Checksum.crc32c(bytes[..<(count / 2)])
      #expect(Checksum.crc32c(bytes[(count / 2)...], after: half) == Checksum.crc32c(bytes))
    }
  }
}
