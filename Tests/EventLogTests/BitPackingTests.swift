import TestSupport
import Testing

@testable import EventLog

@Suite("Bit packing")
struct BitPackingTests {
  @Test("gives back every value of every width, for every length", arguments: 0...64)
  func roundTrip(width: Int) throws {
    var random = SeededGenerator(seed: UInt64(width))
    let mask = width == 64 ? UInt64.max : (1 << UInt64(width)) - 1
    for count in [0, 1, 7, 8, 63, 64, 65, 1_023, 1_024, 1_025, 2_048, 3_000] {
      let values = (0..<count).map { _ in random.next() & mask }
      var bytes: [UInt8] = []
      BitPacking.pack(values[...], width: width, to: &bytes)
      #expect(bytes.count == BitPacking.byteCount(count: count, width: width))
      var wide = [UInt64](repeating: 9, count: count)
      try BitPacking.unpack(
        bytes[...], width: width, base: 0, into: &wide, from: 0, count: count)
      #expect(wide == values, "width \(width), count \(count)")
      var based = [Int64](repeating: 9, count: count)
      try BitPacking.unpack(
        bytes[...], width: width, base: -77, into: &based, from: 0, count: count)
      #expect(based == values.map { Int64(truncatingIfNeeded: $0) &- 77 })
      if width <= 32 {
        var narrow = [UInt32](repeating: 9, count: count)
        try BitPacking.unpack(
          bytes[...], width: width, base: 0, into: &narrow, from: 0, count: count)
        #expect(narrow == values.map { UInt32(truncatingIfNeeded: $0) })
      }
    }
  }

  @Test("a block is what its layout says: value row * lanes + lane is value `row` of its lane")
  func layout() {
    let values = (0..<1_024).map { UInt64($0 % 8) }
    var bytes: [UInt8] = []
    BitPacking.pack(values[...], width: 3, to: &bytes)
    // Width 3 uses 128 lanes of 8-bit words: word k of lane l is byte k * 128 + l.
    for row in 0..<8 {
      for lane in 0..<128 {
        let bits = (0..<3).map { bit -> UInt64 in
          let at = row * 3 + bit
          return UInt64(bytes[at / 8 * 128 + lane] >> UInt8(at % 8) & 1) << UInt64(bit)
        }
        #expect(bits.reduce(0, |) == values[row * 128 + lane])
      }
    }
  }

  @Test("too few or too many bytes are refused")
  func wrongLength() {
    var output = [UInt32](repeating: 0, count: 10)
    for size in [0, 1, 3, 5, 100] {
      #expect(throws: ColumnError.self) {
        try BitPacking.unpack(
          [UInt8](repeating: 0, count: size)[...], width: 3, base: 0, into: &output, from: 0,
          count: 10)
      }
    }
    #expect(throws: ColumnError.self) {
      try BitPacking.unpack([][...], width: 65, base: 0, into: &output, from: 0, count: 0)
    }
    #expect(throws: ColumnError.self) {
      try BitPacking.unpack(
        [UInt8](repeating: 0, count: 8)[...], width: 3, base: 0, into: &output, from: 0, count: 20)
    }
  }
}
