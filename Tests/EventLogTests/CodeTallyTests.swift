import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("Counts and sums by code")
struct CodeTallyTests {
  @Test("are those of a loop over the rows", arguments: LongTests.chunks(60, of: 400))
  func naive(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let limit = [1, 2, 7, 15, 16, 17, 200][random.index(7)]
    // Now and then codes that the tally has no place for.
    let largest = limit + (random.chance(0.2) ? 20 : 0)
    var tally = CodeTally(codeLimit: UInt32(limit))
    var rows = [Int](repeating: 0, count: limit)
    var numbers = rows
    var sums = rows.map { Double($0) }
    for _ in 0..<1 + random.index(4) {
      let codes = (0..<random.index(10_000)).map { _ in UInt32(random.index(largest)) }
      let kinds = codes.map { _ in UInt8(1 + random.index(3)) }
      let present = Bitmap(count: codes.count) { _ in random.chance(0.6) }
      // Whole numbers, so that no order of additions shows.
      let dense = (0..<present.setCount).map { _ in Double(random.index(1_000)) }
      var column = NumberColumn()
      var raw: [UInt8] = []
      present.write(to: &raw)
      NumberStream.write(dense, to: &raw)
      var scratch = NumberStream.Scratch()
      try column.load(raw[...], rows: codes.count, hasGaps: true, &scratch)
      tally.count(codes, of: kinds, .goal)
      tally.add(column, by: codes)
      for row in codes.indices {
        let code = kinds[row] == EventKind.goal.rawValue ? Int(codes[row]) : 0
        if code < limit { rows[code] += 1 }
        guard let number = column[row], codes[row] < limit else { continue }
        numbers[Int(codes[row])] += 1
        sums[Int(codes[row])] += number
      }
    }
    #expect(tally.rowCounts == rows, "seed \(seed)")
    #expect(tally.numberCounts == numbers, "seed \(seed)")
    #expect(tally.sums == sums, "seed \(seed)")
  }

  @Test("columns of different lengths count for nothing")
  func lengths() {
    var tally = CodeTally(codeLimit: 3)
    tally.count([1, 2], of: [1], .decision)
    tally.add(NumberColumn(), by: [1])
    #expect(tally.rowCounts == [0, 0, 0])
    #expect(tally.sums == [0, 0, 0])
    #expect(CodeTally(codeLimit: 0).rowCounts.isEmpty)
  }
}
