import TestSupport
import Testing

@testable import EventLog

@Suite("Loops over columns")
struct ColumnKernelsTests {
  private func codes(_ random: inout SeededGenerator, _ count: Int, _ bits: Int) -> [UInt32] {
    (0..<count).map { _ in
      bits == 0 ? 0 : UInt32(truncatingIfNeeded: random.next() >> (64 - UInt64(bits)))
    }
  }

  @Test("codes are below a limit when each one is", arguments: 0..<2_000 as Range<UInt64>)
  func areBelow(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let codes = codes(&random, random.index(300), random.index(33))
    let largest = codes.max() ?? 0
    let limits: [UInt32] = [
      0, 1, largest, largest &+ 1, 1 << 31, 1 << 31 - 1, .max, UInt32(random.index(1 << 32)),
    ]
    for limit in limits {
      #expect(
        ColumnKernels.areBelow(limit, codes) == codes.allSatisfy { $0 < limit },
        "seed \(seed), limit \(limit)")
    }
  }

  @Test("differences become prefix sums, wrapping around", arguments: 0..<500 as Range<UInt64>)
  func sum(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var values = (0..<1 + random.index(3_000)).map { _ in Int64(bitPattern: random.next()) }
    let start = random.index(values.count)
    let count = random.index(values.count - start + 1)
    let first = Int64(bitPattern: random.next())
    var expected = values
    for index in start..<start + count {
      expected[index] = index == start ? first : expected[index - 1] &+ values[index]
    }
    ColumnKernels.sum(&values, from: start, count: count, first: first)
    #expect(values == expected, "seed \(seed)")
  }

  @Test("values out of bounds are left unchanged")
  func bounds() {
    var values: [Int64] = [1, 2, 3]
    for (start, count) in [(-1, 2), (0, 4), (3, 1), (2, 2), (0, 0)] {
      ColumnKernels.sum(&values, from: start, count: count, first: 9)
    }
    ColumnKernels.spread([1, 2], to: Bitmap(count: 3, allSet: true), into: &values)
    ColumnKernels.spread([7], to: Bitmap(count: 4) { $0 == 3 }, into: &values)
    #expect(values == [1, 2, 3])
    var numbers: [Double] = [0, 0]
    #expect(!ColumnKernels.look(up: [0, 1, 0], in: [5, 6], into: &numbers))
    #expect(!ColumnKernels.look(up: [0, 2], in: [5, 6], into: &numbers))
    ColumnKernels.divide([1, 2, 3] as [Int32], by: 2, into: &numbers)
    #expect(numbers == [0, 0])
    var bytes: [UInt8] = [9]
    #expect(ColumnKernels.narrow([1, 2], [1, 1], 1, 0..<2, into: &bytes) == .max)
    #expect(ColumnKernels.narrow([1], [1], 1, 0..<2, into: &bytes) == .max)
    #expect(bytes == [9])
  }

  @Test("dense values are spread to the set rows", arguments: 0..<500 as Range<UInt64>)
  func spread(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let share = Double.random(in: 0...1, using: &random)
    let rows = Bitmap(count: random.index(3_000)) { _ in random.chance(share) }
    let dense = (0..<rows.setCount).map { Int32($0) + 1 }
    var values = [Int32](repeating: -1, count: rows.count)
    ColumnKernels.spread(dense, to: rows, into: &values)
    var next = dense.makeIterator()
    #expect(values == (0..<rows.count).map { rows[$0] ? next.next() ?? 0 : -1 }, "seed \(seed)")
  }

  @Test("codes are looked up, and integers divided", arguments: 0..<500 as Range<UInt64>)
  func numbers(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let table = (0..<1 + random.index(40)).map { _ in Double(bitPattern: random.next()) }
    let codes = (0..<random.index(3_000)).map { _ in UInt32(random.index(table.count)) }
    var numbers = [Double](repeating: 0, count: codes.count)
    #expect(ColumnKernels.look(up: codes, in: table, into: &numbers))
    #expect(
      numbers.map(\.bitPattern) == codes.map { table[Int($0)].bitPattern }, "seed \(seed)")
    let whole = codes.map { _ in Int32(truncatingIfNeeded: random.next()) }
    let divisor = NumberStream.powersOfTen[random.index(16)]
    ColumnKernels.divide(whole, by: divisor, into: &numbers)
    #expect(numbers == whole.map { Double($0) / divisor }, "seed \(seed)")
  }

  @Test("codes become bytes, 0 for another kind", arguments: 0..<500 as Range<UInt64>)
  func narrow(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let codes = codes(&random, 1 + random.index(3_000), random.index(10))
    let kinds = codes.map { _ in UInt8(random.index(3)) }
    let start = random.index(codes.count)
    let range = start..<start + random.index(codes.count - start + 1)
    var bytes = [UInt8](repeating: 77, count: range.count + random.index(9))
    let bits = ColumnKernels.narrow(codes, kinds, 1, range, into: &bytes)
    #expect(bits == codes[range].reduce(0, |), "seed \(seed)")
    for (index, row) in range.enumerated() {
      #expect(bytes[index] == (kinds[row] == 1 ? UInt8(truncatingIfNeeded: codes[row]) : 0))
    }
    #expect(bytes[range.count...].allSatisfy { $0 == 77 })
  }
}
