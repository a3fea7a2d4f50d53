import TestSupport
import Testing

@testable import EventLog

@Suite("Optional numbers")
struct NumberColumnTests {
  private func bytes(_ numbers: [Double?], hasGaps: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    if hasGaps { Bitmap(count: numbers.count) { numbers[$0] != nil }.write(to: &bytes) }
    NumberStream.write(numbers.compactMap { $0 }, to: &bytes)
    return bytes
  }

  @Test(
    "a reused column holds the last numbers",
    arguments: 0..<200 as Range<UInt64>)
  func again(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var column = NumberColumn()
    var scratch = NumberStream.Scratch()
    for _ in 0..<6 {
      let share = [0, 0.05, 0.5, 0.98, 1][random.index(5)]
      let kind = random.index(4)
      let numbers = (0..<random.index(2_000)).map { _ -> Double? in
        guard random.chance(share) else { return nil }
        switch kind {
        case 0: return Double(random.index(100_000)) / 100
        case 1: return Double(bitPattern: random.next() >> 2)
        case 2: return [0.1, 0.5, .pi][random.index(3)]
        default: return Double(random.index(1 << 50))
        }
      }
      let hasGaps = random.chance(0.5) || numbers.contains(nil)
      try column.load(
        bytes(numbers, hasGaps: hasGaps)[...], rows: numbers.count, hasGaps: hasGaps, &scratch)
      #expect(numbers.indices.map { column[$0] } == numbers, "seed \(seed)")
      #expect(column.numbers() == numbers.map { $0 ?? 0 }, "seed \(seed)")
      #expect(column.dense == numbers.compactMap { $0 }, "seed \(seed)")
      var visited = numbers.map { _ in Double?.none }
      column.forEach { visited[$0] = $1 }
      #expect(visited == numbers, "seed \(seed)")
    }
    column.loadNone(rows: 70)
    #expect((0..<70).allSatisfy { column[$0] == nil })
  }

  @Test("a bitmap with rows past its end is refused")
  func pastEnd() {
    var raw = bytes([1, nil, 2], hasGaps: true)
    raw[0] |= 8
    var column = NumberColumn()
    var scratch = NumberStream.Scratch()
    #expect(throws: ColumnError.self) {
      try column.load(raw[...], rows: 3, hasGaps: true, &scratch)
    }
  }
}
