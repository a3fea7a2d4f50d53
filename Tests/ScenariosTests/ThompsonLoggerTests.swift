import Statistics
import Testing

@testable import Scenarios

@Suite("The Thompson logger")
struct ThompsonLoggerTests {
  @Test(
    "probabilities become ten thousandths that sum to 10,000, none below the floor",
    arguments: 1...200 as ClosedRange<UInt64>)
  func rounding(seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    let raw = (0..<5).map { _ in
      let u = Draw.unit(using: &generator)
      return u * u * u * u
    }
    let total = raw.reduce(0, +)
    let probabilities = raw.map { $0 / total }
    let shares = ThompsonLogger.shares(of: probabilities)
    #expect(shares.reduce(0, +) == 10_000, "seed \(seed)")
    for (share, probability) in zip(shares, probabilities) {
      #expect(share >= ThompsonLogger.floor)
      #expect(abs(Double(share) - (100 + 9_500 * probability)) <= 1)
    }
  }

  @Test("what rounding leaves goes to the largest remainder, the first of equal ones")
  func remainders() {
    #expect(ThompsonLogger.shares(of: [1.0 / 3, 1.0 / 3, 1.0 / 3]) == [3_334, 3_333, 3_333])
    #expect(ThompsonLogger.shares(of: [1, 0, 0, 0, 0]) == [9_600, 100, 100, 100, 100])
  }

  @Test("it starts even, learns every 200 decisions, and finds the better variant")
  func learns() {
    var logger = ThompsonLogger(variants: 2)
    var generator = Xoshiro256(seed: 1)
    #expect(logger.probabilities == [0.5, 0.5])
    for round in 0..<1_001 {
      let before = logger.probabilities
      let variant = logger.choose(using: &generator)
      logger.count(decisionFor: variant)
      if Draw.bernoulli(variant == 0 ? 0.2 : 0.4, using: &generator) {
        logger.count(rewardFor: variant)
      }
      if round % 200 != 0 { #expect(logger.probabilities == before, "round \(round)") }
    }
    #expect(logger.probabilities[1] > 0.9)
    #expect(logger.probabilities[0] >= 0.01)
  }
}
