import Statistics
import Testing

@Suite struct ProportionTests {
  /// Row R7 of the reference table (statsmodels and scipy agree), given to 12 digits.
  @Test func theWilsonIntervalsOfTheReferenceTableAreReproduced() throws {
    let some = try #require(Proportion(successes: 130, trials: 1000).wilsonInterval())
    #expect(abs(some.low - 0.110563774625) <= 6e-13)
    #expect(abs(some.high - 0.152268026654) <= 6e-13)
    let none = try #require(Proportion(successes: 0, trials: 20).wilsonInterval())
    #expect(none.low == 0)
    #expect(abs(none.high - 0.161125158053) <= 6e-13)
  }

  @Test func failuresMirrorSuccesses() throws {
    for successes in 0...7 {
      let left = try #require(Proportion(successes: successes, trials: 7).wilsonInterval())
      let right = try #require(Proportion(successes: 7 - successes, trials: 7).wilsonInterval())
      #expect(abs(left.low - (1 - right.high)) <= 1e-16)
      #expect(left.contains(Double(successes) / 7))
    }
    #expect(Proportion(successes: 7, trials: 7).wilsonInterval()?.high == 1)
  }

  /// The ends of the score interval are where the score statistic is z.
  @Test(arguments: [(1, 3), (13, 100), (5, 1_000_000), (999_999, 1_000_000)], [0.8, 0.95, 0.999])
  func theEndsSolveTheScoreEquation(_ counts: (Int, Int), level: Double) throws {
    let proportion = Proportion(successes: counts.0, trials: counts.1)
    let interval = try #require(proportion.wilsonInterval(level: level))
    let p = try #require(proportion.value)
    let z = StandardNormal.quantile((1 + level) / 2)
    for end in [interval.low, interval.high] {
      let score = abs(p - end) / (end * (1 - end) / Double(counts.1)).squareRoot()
      #expect(relativeError(score, z) <= 1e-9)
    }
  }

  @Test func withoutTrialsThereIsNothingToSay() {
    #expect(Proportion(successes: 0, trials: 0).value == nil)
    #expect(Proportion(successes: 0, trials: 0).wilsonInterval() == nil)
    #expect(Proportion(successes: 3, trials: 4).value == 0.75)
  }

  @Test(arguments: [0x1p-60, 1 - 0x1p-53])
  func extremeLevelsStillGiveAnInterval(level: Double) throws {
    for successes in 0...3 {
      let interval = try #require(
        Proportion(successes: successes, trials: 3).wilsonInterval(level: level))
      #expect(interval.low >= 0 && interval.high <= 1)
    }
  }
}
