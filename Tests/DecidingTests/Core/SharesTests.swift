import TestSupport
import Testing

@testable import DecidingCore

@Suite("Picking by shares")
struct SharesTests {
  @Test(
    "the first entry whose sum lies above the number",
    arguments: [
      (0.0, [0.5, 0.5], 0), (0.5, [0.5, 0.5], 1), (0.5.nextDown, [0.5, 0.5], 0),
      (0.5, [1.0 / 3, 1.0 / 3, 1.0 / 3], 1), (1.0.nextDown, [0.1, 0.2, 0.7], 2),
      (1.0.nextDown, [0.1, 0.2, 0.7, 0], 2), (0.0, [0, 1], 1), (0.2, [0.1, 0.1], nil),
      (0.999, [0, 0], nil), (0.5, [], nil), (0.9999999999, [0.5, 0.4999999999], 1),
    ] as [(Double, [Double], Int?)])
  func picks(x: Double, shares: [Double], expected: Int?) {
    #expect(Shares.pick(x, from: shares) == expected)
  }

  @Test("each entry gets its share of the numbers", arguments: 1...20 as ClosedRange<UInt64>)
  func shares(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let raw = (0..<1 + generator.index(6)).map { _ in Double(generator.index(5)) }
    let total = max(1, raw.reduce(0, +)) * (generator.chance(0.5) ? 1 : 2)
    let shares = raw.map { $0 / total }
    var counts = [Int](repeating: 0, count: shares.count)
    let steps = 10_000
    for step in 0..<steps {
      if let index = Shares.pick((Double(step) + 0.5) / Double(steps), from: shares) {
        counts[index] += 1
      }
    }
    for (count, share) in zip(counts, shares) {
      #expect(abs(Double(count) / Double(steps) - share) <= 2 / Double(steps), "\(shares)")
    }
  }

  @Test("digits go by value, and before other names")
  func idOrder() {
    let ids = ["b", "10", "9", "007", "7", "a", "", "18446744073709551617", "A"]
    let sorted = ids.sorted(by: IDOrder.precedes)
    #expect(sorted == ["7", "007", "9", "10", "18446744073709551617", "", "A", "a", "b"])
  }
}
