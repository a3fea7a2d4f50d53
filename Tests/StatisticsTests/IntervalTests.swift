import Statistics
import Testing

@Suite struct IntervalTests {
  @Test func theMeanIntervalIsStudents() throws {
    // scipy.stats.t.interval on the same data.
    let interval = try #require(Moments(MomentsTests.a).meanInterval())
    #expect(relativeError(interval.low, 10.589076357779774) <= 1e-14)
    #expect(relativeError(interval.high, 13.430923642220225) <= 1e-14)
    let wide = try #require(Moments(MomentsTests.a).meanInterval(level: 0.99))
    #expect(relativeError(wide.low, 9.968688180327925) <= 1e-14)
    #expect(relativeError(wide.high, 14.051311819672074) <= 1e-14)
  }

  @Test func aRatioHasANormalInterval() throws {
    // 3/2 -/+ 1.959963984540054 * sqrt((1/4 - 2 * 3/2 * 1/6 + 9/4 * 1/3) / (9/4) / 4)
    var ratio = RatioMoments()
    for (n, d) in [(3.0, 2.0), (2, 2), (2, 1), (2, 1)] { ratio.add(n, over: d) }
    let interval = try #require(ratio.ratio?.normalInterval())
    #expect(relativeError(interval.low, 1.0380320585501075) <= 1e-14)
    #expect(relativeError(interval.high, 1.9619679414498925) <= 1e-14)
    #expect(SampleMean(count: 2, mean: .infinity, variance: 1).normalInterval() == nil)
    #expect(SampleMean(count: 2, mean: 1, variance: .nan).normalInterval() == nil)
    #expect(SampleMean(count: 2, mean: 1, variance: 0).normalInterval() == Interval(1, 1))
  }

  @Test func valuesThatDoNotDifferHaveNoInterval() {
    #expect(Moments([0.1, 0.1, 0.1]).meanInterval() == nil)
    #expect(Moments([0.1 + 0.2, 0.3, 0.3]).meanInterval() == nil)
    // The squares of their deviations are below the range of numbers.
    #expect(Moments([1e-170, 3e-170]).meanInterval() == nil)
    #expect(Moments([1e-140, 3e-140]).meanInterval() != nil)
  }

  @Test func thereIsNoIntervalWithoutAVariance() {
    #expect(Moments().meanInterval() == nil)
    #expect(Moments([1]).meanInterval() == nil)
    #expect(Moments([1, .nan]).meanInterval() == nil)
    #expect(Moments([1e200, -1e200]).meanInterval() == nil)
  }

  @Test func theEndsBelongToTheInterval() {
    let interval = Interval(-1, 2.5)
    #expect(interval.width == 3.5)
    #expect([-1, 0, 2.5].allSatisfy(interval.contains))
    #expect(![-1.1, 2.6, .nan].contains(where: interval.contains))
  }

  /// Over many samples from a normal distribution the interval covers the mean as often as it says:
  /// a binomial count, held within five of its standard deviations.
  @Test(arguments: [1, 2, 3] as [UInt64], [0.5, 0.9, 0.95])
  func theMeanIsCoveredAsOftenAsStated(seed: UInt64, level: Double) {
    var generator = Xoshiro256(seed: seed)
    let rounds = 4000
    let covered = (0..<rounds).count { _ in
      let sample = (0..<5).map { _ in
        Draw.normal(mean: 3, standardDeviation: 2, using: &generator)
      }
      return Moments(sample).meanInterval(level: level)?.contains(3) ?? false
    }
    let deviation = (Double(rounds) * level * (1 - level)).squareRoot()
    #expect(abs(Double(covered) - Double(rounds) * level) <= 5 * deviation)
  }
}
