import TestSupport
import Testing

@testable import Statistics

@Suite("Confidence sequence of two proportions")
struct BernoulliPairSequenceTests {
  private func sequence(
    _ x: Int, of n: Int, _ y: Int, of m: Int, tightestAt: Double = 2_500, alpha: Double = 0.05
  ) throws -> BernoulliPairSequence {
    try #require(
      BernoulliPairSequence(
        treatment: Proportion(successes: x, trials: n), control: Proportion(successes: y, trials: m),
        tightestAt: tightestAt, alpha: alpha))
  }

  @Test("p-value and intervals are those of a search over a fine grid by SciPy 1.17")
  func reference() throws {
    let none = try sequence(0, of: 1_000, 10, of: 1_000)
    expectClose(none.pValue, 0.0398203494179, 1e-8)
    expectInterval(none.difference, -0.0231498629686, -0.000410705053445, 1e-7)
    expectInterval(none.ratio, 0, 0.927911923607, 1e-7)
    let few = try sequence(3, of: 400, 17, of: 500)
    expectClose(few.pValue, 0.261181154540, 1e-8)
    expectInterval(few.difference, -0.0675752254314, 0.0120511281911, 1e-7)
    expectInterval(few.ratio, 0.00692973686112, 1.55697223331, 1e-7)
    let strict = try sequence(2, of: 3_000, 9, of: 1_500, tightestAt: 500, alpha: 0.025)
    expectClose(strict.pValue, 0.424255800229, 1e-8)
    expectInterval(strict.difference, -0.0179706533223, 0.00115381158906, 1e-7)
  }

  @Test("difference, ratio and p-value agree, and exchanging the variants mirrors them")
  func agreement() throws {
    for n in [20, 1_000, 4_000] {
      for (x, y) in [(0, 5), (0, 9), (0, 10), (0, 20), (1, 12), (4, 4), (3, 19), (n, n - 7), (n - 1, n - 18)] {
        let (own, other) = (try sequence(x, of: n, y, of: n), try sequence(y, of: n, x, of: n))
        let isOpen = own.pValue >= 0.05
        #expect(own.difference.contains(0) == isOpen, "\(x) and \(y) of \(n)")
        #expect(own.ratio?.contains(1) == isOpen, "\(x) and \(y) of \(n)")
        #expect(abs(own.difference.low + other.difference.high) < 1e-9)
        #expect(abs(own.pValue - other.pValue) < 1e-9)
      }
    }
    let never = try sequence(0, of: 50, 0, of: 60)
    #expect(never.pValue == 1 || never.pValue > 0.999_999)
    #expect(never.ratio == nil && never.difference.contains(0))
    #expect(try sequence(0, of: 50, 3, of: 60).ratio?.low == 0)
    #expect(try sequence(3, of: 50, 0, of: 60).ratio?.high == .infinity)
    let nothing = Proportion(successes: 0, trials: 0)
    #expect(BernoulliPairSequence(treatment: nothing, control: nothing, tightestAt: 100) == nil)
  }

  @Test(
    "of equal rates of rare events at most 5 % are told apart at any of 20 looks up to 20,000 units",
    arguments: [0, 0.001, 0.01], [0.5, 0.1])
  func errorRate(rate: Double, share: Double) throws {
    let runs = rate == 0 ? 1 : LongTests.areWanted ? 2_000 : 60
    let (own, rest) = (Int(1_000 * share), Int(1_000 * (1 - share)))
    var random = SeededGenerator(seed: 4_100 + UInt64(rate * 10_000) + UInt64(share * 10))
    var wrong = 0
    for _ in 0..<runs {
      var (x, y) = (0, 0)
      let isWrong = try (1...20).contains { look in
        for _ in 0..<own where random.chance(rate) { x += 1 }
        for _ in 0..<rest where random.chance(rate) { y += 1 }
        return try sequence(x, of: look * own, y, of: look * rest).pValue < 0.05
      }
      if isWrong { wrong += 1 }
    }
    if LongTests.areWanted { print("rate \(rate), share \(share): \(wrong) of \(runs) told apart") }
    // Simulated elsewhere: 0.1 to 0.7 %.
    #expect(Double(wrong) <= 0.05 * Double(runs), "\(wrong) of \(runs)")
  }
}
