import TestSupport
import Testing

@testable import EventLog

/// Writing against twins that follow the layouts bit by bit.
@Suite("Writing of streams")
struct StreamWritingTests {
  private func values(_ random: inout SeededGenerator) -> [Int64] {
    let count = [0, 1, 2, 63, 64, 65, 1_023, 1_024, 1_025, 2_500][random.index(10)]
    let width = UInt64(1 + random.index(64))
    let base = random.chance(0.5) ? 0 : Int64(bitPattern: random.next())
    let usual = random.chance(0.6) ? Double(random.index(100)) / 100 : 0
    let walks = random.chance(0.3)
    var last: Int64 = 0
    return (0..<count).map { _ in
      if random.chance(usual) { return base &+ 7 }
      let value = Int64(bitPattern: random.next() >> (64 - width))
      last = walks ? last &+ value : value
      return base &+ last
    }
  }

  @Test("integers are written as by the naive implementation", arguments: 0..<300)
  func integers(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let values = values(&random)
    var bytes: [UInt8] = []
    IntegerStream.write(values, to: &bytes)
    #expect(bytes == NaiveStream.integers(values), "seed \(seed)")
  }

  @Test("packing with a base equals packing of differences, for every width", arguments: 0...64)
  func packing(width: Int) {
    var random = SeededGenerator(seed: UInt64(width))
    for count in [0, 1, 5, 64, 1_023, 1_024, 1_030, 2_048, 2_100] {
      let offsets = (0..<count).map { _ in width == 0 ? 0 : random.next() >> UInt64(64 - width) }
      let base = Int64(bitPattern: random.next())
      var bytes: [UInt8] = [1]
      let values = offsets.map { base &+ Int64(bitPattern: $0) }
      BitPacking.pack(values.span, minus: base, width: width, to: &bytes)
      #expect(bytes == [1] + NaiveStream.pack(offsets, width), "width \(width), count \(count)")
    }
  }

  @Test("distinct numbers get the indices that a dictionary would give", arguments: 0..<50)
  func distinct(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var distinct = DistinctNumbers()
    var twin: [UInt64: Int] = [:]
    for _ in 0..<2_000 {
      let bits = (Double(random.index(1 + Int(seed) * 30)) / 10).bitPattern
      let index = twin[bits] ?? twin.count
      twin[bits] = index
      #expect(distinct.index(of: bits) == index, "seed \(seed)")
    }
    #expect(distinct.bits.count == twin.count)
  }

  @Test("a tile of rows fills the columns as setting them row by row does", arguments: 0..<100)
  func tiles(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let rows = random.index(300)
    let share = Double(random.index(100)) / 100
    var (tile, moved) = (RowTile(), [IntegerColumn](repeating: IntegerColumn(), count: 32))
    var twin = moved
    for row in 0..<rows {
      for column in [0, 1, 17, 31] where random.chance(share * share) {
        let value = Int64(bitPattern: random.next())
        tile.set(ColumnID(rawValue: UInt16(column)), value, row)
        twin[column].set(value, row: row)
      }
      if (row + 1) % RowTile.rowCount == 0 { tile.move(to: &moved, end: row + 1) }
    }
    tile.move(to: &moved, end: rows)
    for column in 0..<32 {
      #expect(moved[column].values.isEmpty == twin[column].values.isEmpty, "seed \(seed)")
      guard !twin[column].values.isEmpty else { continue }
      moved[column].fill(to: rows)
      twin[column].fill(to: rows)
      #expect(moved[column].values == twin[column].values, "seed \(seed)")
    }
  }

  @Test("the index of an attribute is found for small and for large codes")
  func attributeIndex() {
    var random = SeededGenerator(seed: 1)
    var index = AttributeIndex()
    var twin: [UInt64: Int] = [:]
    for next in 0..<2_000 {
      let column = ColumnID(rawValue: UInt16(random.index(64)))
      let key =
        random.chance(0.5) ? UInt32(random.index(300)) : UInt32(truncatingIfNeeded: random.next())
      let both = UInt64(column.rawValue) << 32 | UInt64(key)
      #expect(index[column, key] == twin[both] ?? -1)
      index[column, key] = next
      twin[both] = next
      #expect(index[column, key] == next)
    }
  }
}

/// The streams of whole numbers as their layouts say, without any haste.
enum NaiveStream {
  static func integers(_ values: [Int64]) -> [UInt8] {
    guard let low = values.min(), let high = values.max(), low != high else {
      return header(.constant, 0, values.count, values.first ?? 0)
    }
    let width = BitPacking.width(of: UInt64(bitPattern: high &- low))
    let packed =
      header(.packed, width, values.count, low)
      + pack(values.map { UInt64(bitPattern: $0 &- low) }, width)
    let delta = header(.delta, 0, values.count, 0) + deltas(values)
    var dense = delta.count < packed.count ? delta : packed
    dense = NaivePatchedDeltas.stream(values, cheaperThan: dense.count - 16) ?? dense
    guard
      let usual = Set(values).first(where: { value in
        values.count { $0 == value } * 2 > values.count
      })
    else { return dense }
    let others = values.filter { $0 != usual }
    let bitmap = Bitmap(count: values.count) { values[$0] != usual }
    let range = IntegerRange(others.span)
    let cost =
      bitmap.words.count * 8 + 16 + BitPacking.byteCount(count: others.count, width: range.width)
    guard cost < dense.count - 16 else { return dense }
    var sparse = header(.sparse, 0, values.count, usual)
    bitmap.write(to: &sparse)
    return sparse + integers(others)
  }

  private static func deltas(_ values: [Int64]) -> [UInt8] {
    var (heads, bodies): ([UInt8], [UInt8]) = ([], [])
    for start in stride(from: 0, to: values.count, by: 1_024) {
      let block = Array(values[start..<min(start + 1_024, values.count)])
      let differences = zip(block.dropFirst(), block).map { $0 &- $1 }
      let least = differences.min() ?? 0
      let width = BitPacking.width(of: UInt64(bitPattern: (differences.max() ?? 0) &- least))
      heads.appendLittleEndian(block[0])
      heads.appendLittleEndian(least)
      heads.append(UInt8(width))
      bodies += pack([0] + differences.map { UInt64(bitPattern: $0 &- least) }, width)
    }
    return heads + bodies
  }

  /// One bit after the other.
  static func pack(_ values: [UInt64], _ width: Int) -> [UInt8] {
    var output = [UInt8](
      repeating: 0, count: BitPacking.byteCount(count: values.count, width: width))
    let word = [8, 16, 32, 64].first { $0 >= width } ?? 64
    let lanes = 1_024 / word
    let blocks = values.count / 1_024
    for (index, value) in values.enumerated() {
      for bit in 0..<width where value >> UInt64(bit) & 1 != 0 {
        var place = blocks * 1_024 * width + (index - blocks * 1_024) * width + bit
        if index < blocks * 1_024 {
          let (row, lane) = (index % 1_024 / lanes, index % lanes)
          let inLane = row * width + bit
          place =
            index / 1_024 * 1_024 * width + (inLane / word * lanes + lane) * word + inLane % word
        }
        output[place / 8] |= 1 << UInt8(place % 8)
      }
    }
    return output
  }

  static func header(
    _ encoding: ColumnEncoding, _ width: Int, _ count: Int, _ base: Int64
  ) -> [UInt8] {
    var output: [UInt8] = []
    StreamHeader(encoding: encoding, width: UInt8(width), count: count, base: base).write(
      to: &output)
    return output
  }
}
