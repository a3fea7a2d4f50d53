import TestSupport
import Testing

@testable import EventLog

@Suite("Codes with holes")
struct CodeRunsTests {
  @Test("match a list of all codes", arguments: 0..<UInt64(200))
  func naive(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let first = UInt32(1 + random.index(2))
    var runs = CodeRuns(firstCode: first)
    // The index of each code from 0 on, nil for a hole.
    var naive = [Int?](repeating: nil, count: Int(first))
    var names = 0
    for _ in 0..<random.index(12) {
      let count = random.index(5)
      if random.chance(0.5) {
        runs.append(names: count)
        naive += (names..<names + count).map { $0 }
        names += count
      } else {
        runs.appendHoles(UInt32(count))
        naive += [Int?](repeating: nil, count: count)
      }
    }
    #expect(runs.nextCode == UInt32(naive.count) && runs.count == names, "seed \(seed)")
    for (code, index) in naive.enumerated() {
      #expect(runs.index(of: UInt32(code)) == index, "seed \(seed), code \(code)")
      if let index { #expect(runs.code(at: index) == UInt32(code), "seed \(seed)") }
    }
    #expect(runs.index(of: UInt32(naive.count)) == nil && runs.index(of: .max) == nil)
  }

  @Test("a table of names gives the same codes with a hole in place of a removed one")
  func table() {
    var table = NameTable(firstCode: 1)
    #expect(table.intern([65]) == 1)
    table.appendHoles(3)
    #expect(table.intern([66]) == 5)
    #expect(table.intern([65]) == 1 && table.code(of: [66]) == 5)
    #expect(table[1] == [65] && table[2] == nil && table[4] == nil && table[5] == [66])
    #expect(table.nextCode == 6 && table.count == 2)
  }
}
