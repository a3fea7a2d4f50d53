import Testing

@testable import Statistics

@Suite("Quantiles with intervals")
struct QuantileEstimateTests {
  @Test("the textbook ranks of the median, and their exact coverage")
  func median() throws {
    let a = try #require(QuantileEstimate(0.5, of: ReferenceSamples.a.sorted()))
    #expect(a.value == 12.0)
    #expect(a.interval == Interval(9.8, 14.3))
    // 1 − 2·(1 + 10)/1024.
    expectClose(a.coverage, 0.978515625, 1e-14)
    let twenty = try #require(QuantileEstimate(0.5, of: (1...20).map(Double.init)))
    #expect(twenty.interval == Interval(6, 15))
    expectClose(twenty.coverage, 0.958610534667969, 1e-13)
    expectClose(a.standardError, 4.5 / (2 * -StandardNormal.quantile(0.021484375 / 2)), 1e-12)
  }

  @Test("a sample too small to bound a quantile has an infinite end")
  func small() throws {
    let five = try #require(QuantileEstimate(0.5, of: [1, 2, 3, 4, 5]))
    #expect(five.interval == Interval(-.infinity, .infinity) && five.coverage == 1)
    #expect(five.standardError == nil)
    let six = try #require(QuantileEstimate(0.5, of: [1, 2, 3, 4, 5, 6]))
    #expect(six.interval == Interval(1, 6))
    let high = try #require(QuantileEstimate(0.99, of: (1...100).map(Double.init)))
    #expect(high.interval.low == 97 && high.interval.high == .infinity)
    #expect(QuantileEstimate.difference(treatment: six, control: five) == nil)
    for (p, level) in [(0, 0.95), (1, 0.95), (.nan, 0.95), (0.5, 0), (0.5, 1), (0.5, .nan)] {
      #expect(QuantileEstimate(p, of: [1, 2], level: level) == nil)
      #expect(QuantileEstimate(p, ofUnits: [[1], [2]], level: level) == nil)
    }
    #expect(QuantileEstimate(0.5, of: []) == nil && QuantileEstimate(0.5, of: [1, .nan]) == nil)
    #expect(QuantileEstimate(0.5, ofUnits: [[1, 2], []]) == nil)
    #expect(QuantileEstimate(0.5, ofUnits: [[1], [.nan]]) == nil)
  }

  @Test("the ranks agree with sums of binomial probabilities")
  func twin() throws {
    for seed in 0..<300 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let (n, p) = (1 + Draw.index(below: 60, using: &random), Draw.openUnit(using: &random))
      let level = [0.5, 0.9, 0.95, 0.99][Draw.index(below: 4, using: &random)]
      var masses = [1.0]
      for _ in 0..<n {
        masses = (0...masses.count).map { k in
          (k > 0 ? masses[k - 1] * p : 0) + (k < masses.count ? masses[k] * (1 - p) : 0)
        }
      }
      let tail = (1 - level) / 2
      let low = (0...n).last { masses[..<$0].reduce(0, +) <= tail } ?? 0
      let high = (1...n + 1).first { masses[$0...].reduce(0, +) <= tail } ?? n + 1
      let estimate = try #require(QuantileEstimate(p, of: (1...n).map(Double.init), level: level))
      #expect(estimate.interval.low == (low > 0 ? Double(low) : -.infinity), "seed \(seed)")
      #expect(estimate.interval.high == (high <= n ? Double(high) : .infinity), "seed \(seed)")
      expectClose(estimate.coverage, masses[low..<high].reduce(0, +), 1e-10)
    }
  }

  @Test("the coverage is at least nominal, whatever the distribution")
  func coverage() {
    var random = Xoshiro256(seed: 3)
    let truth = 2.302585092994046
    let covered = (0..<1000).count { _ in
      let sample = (0..<60).map { _ in Draw.exponential(using: &random) }.sorted()
      return QuantileEstimate(0.9, of: sample)?.interval.contains(truth) == true
    }
    // At least 95 %; the standard deviation of 1000 is 6.9.
    #expect(covered > 925 && covered < 998, "\(covered)")
  }

  @Test(
    "clustered values need the units: the interval of independent values undercovers")
  func clusters() {
    var random = Xoshiro256(seed: 4)
    var (independent, clustered) = (0, 0)
    for _ in 0..<300 {
      let units = (0..<50).map { _ in
        let mean = Draw.normal(using: &random)
        return (0..<8).map { _ in Draw.normal(mean: mean, standardDeviation: 0.7, using: &random) }
      }
      let sorted = units.flatMap { $0 }.sorted()
      if QuantileEstimate(0.5, of: sorted)?.interval.contains(0) == true { independent += 1 }
      if QuantileEstimate(0.5, ofUnits: units)?.interval.contains(0) == true { clustered += 1 }
    }
    // 95 % of 300 is 285, with a standard deviation of 3.8.
    #expect((268...299).contains(clustered), "\(clustered)")
    #expect(independent < 240, "\(independent)")
  }

  @Test("units of one value each have nearly the interval of independent values")
  func singletons() throws {
    var random = Xoshiro256(seed: 6)
    let sorted = (0..<2000).map { _ in Draw.normal(using: &random) }.sorted()
    let alone = try #require(QuantileEstimate(0.75, of: sorted))
    let units = try #require(QuantileEstimate(0.75, ofUnits: sorted.map { [$0] }))
    #expect(alone.value == units.value)
    #expect(abs(units.interval.low - alone.interval.low) < 0.01)
    #expect(abs(units.interval.high - alone.interval.high) < 0.01)
    // The asymptotic standard error √(p(1 − p)/n)/f(q) is .0305.
    expectClose(alone.standardError, 0.0305, 0.15)
  }

  @Test("the interval of a difference of medians has about its nominal coverage")
  func differences() {
    var random = Xoshiro256(seed: 8)
    let covered = (0..<400).count { _ in
      let draw = { (shift: Double, random: inout Xoshiro256) in
        QuantileEstimate(
          0.5, of: (0..<80).map { _ in Draw.normal(mean: shift, using: &random) }.sorted())
      }
      guard let t = draw(1, &random), let c = draw(0, &random) else { return false }
      return QuantileEstimate.difference(treatment: t, control: c)?.interval?.contains(1) == true
    }
    #expect((364...397).contains(covered), "\(covered)")
  }
}
