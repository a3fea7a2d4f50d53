import Testing

@testable import Statistics

@Suite("Outliers and checks before exposure")
struct OutlierTests {
  private let values: [Double] = [2, 0, 4, 4, 5, 0, 5, 6, 7, 40, -20]

  @Test("the bounds of each rule are those of its definition")
  func bounds() throws {
    #expect(OutlierRule.above(10).bounds(of: values) == Interval(-.infinity, 10))
    // Sorted: -20 0 0 2 4 4 5 5 6 7 40; quartiles 1 and 5.5, median 4.
    #expect(OutlierRule.fences().bounds(of: values) == Interval(1 - 6.75, 5.5 + 6.75))
    #expect(
      OutlierRule.quantiles(low: 0.1, high: 0.9).bounds(of: values) == Interval(0, 7))
    // Without zeros: -20 2 4 4 5 5 6 7 40.
    let positive = OutlierRule.quantiles(low: 0.125, high: 0.875, ignoringZeros: true)
    #expect(positive.bounds(of: values) == Interval(2, 7))
    // Distances from 4: 2 4 0 0 1 4 1 2 3 36 24, of which the median is 2.
    let hampel = try #require(OutlierRule.medianDistance().bounds(of: values))
    expectInterval(hampel, 4 - 6 * 1.482602218505602, 4 + 6 * 1.482602218505602, 1e-15)
    expectClose(1.482602218505602, 1 / StandardNormal.quantile(0.75), 1e-15)
  }

  @Test("capped and dropped values are counted")
  func actions() {
    let bounds = OutlierRule.fences().bounds(of: values)
    let capped = OutlierReport(values, bounds: bounds, action: .cap)
    #expect(capped.values == [2, 0, 4, 4, 5, 0, 5, 6, 7, 12.25, -5.75])
    #expect(capped.below == 1 && capped.above == 1)
    let dropped = OutlierReport(values, bounds: bounds, action: .drop)
    #expect(dropped.values == [2, 0, 4, 4, 5, 0, 5, 6, 7])
    #expect(dropped.below == 1 && dropped.above == 1)
    let untouched = OutlierReport(values, bounds: nil, action: .drop)
    #expect(untouched.values == values && untouched.below + untouched.above == 0)
    let winsorized = OutlierReport(
      ReferenceSamples.b,
      bounds: OutlierRule.quantiles(low: 0.1, high: 0.9).bounds(of: ReferenceSamples.b),
      action: .cap)
    #expect(
      winsorized.values == Winsorizing.winsorized(ReferenceSamples.b, low: 0.1, high: 0.9))
  }

  @Test("values that determine no bounds are unchanged")
  func none() {
    let rules: [OutlierRule] = [
      .above(.nan), .quantiles(low: 0.9, high: 0.1), .quantiles(low: -1, high: 2),
      .fences(factor: -1), .medianDistance(factor: .nan),
    ]
    for rule in rules { #expect(rule.bounds(of: values) == nil, "\(rule)") }
    for rule in [OutlierRule.fences(), .medianDistance(), .quantiles(low: 0, high: 1)] {
      #expect(rule.bounds(of: []) == nil)
      #expect(rule.bounds(of: [.nan, .nan]) == nil)
      #expect(rule.bounds(of: [3]) == Interval(3, 3))
    }
    #expect(OutlierRule.medianDistance().bounds(of: [.infinity, .infinity]) == nil)
    #expect(OutlierRule.fences().bounds(of: [-.infinity, .infinity]) == nil)
    let zeros = OutlierRule.quantiles(low: 0, high: 0.99, ignoringZeros: true)
    #expect(zeros.bounds(of: [0, 0]) == nil)
  }

  @Test("groups that differed before exposure are found, at the family-wise level")
  func preExposure() {
    let same = SampleMean(count: 100, mean: 5, variance: 4)
    let other = SampleMean(count: 100, mean: 6.2, variance: 4)
    let near = SampleMean(count: 100, mean: 5.75, variance: 4)
    let flat = SampleMean(count: 100, mean: 5, variance: 0)
    let check = PreExposureCheck([(same, same), (other, same), (flat, flat), (near, same)])
    #expect(check.suspicious == [1])
    #expect(check.adjusted[2] == nil && check.differences.count == 4)
    // Alone its p-value of .0087 would be below the level; with three metrics tested it is not.
    #expect(PreExposureCheck([(near, same)]).suspicious == [0])
    #expect((check.adjusted[3] ?? 0) > 0.01)
    #expect(PreExposureCheck([]).suspicious.isEmpty)
  }

  @Test("false alarms are no more frequent than the level")
  func soundExperiments() {
    var random = Xoshiro256(seed: 12)
    let suspected = (0..<500).count { _ in
      let metrics = (0..<3).map { _ in
        let groups = (0..<2).map { _ in
          ReferenceSamples.mean((0..<20).map { _ in Draw.normal(using: &random) })
        }
        return (treatment: groups[0], control: groups[1])
      }
      return !PreExposureCheck(metrics, level: 0.05).suspicious.isEmpty
    }
    // At most 5 % of 500, 25 with a standard deviation of 4.9.
    #expect(suspected > 5 && suspected < 48, "\(suspected)")
  }
}
