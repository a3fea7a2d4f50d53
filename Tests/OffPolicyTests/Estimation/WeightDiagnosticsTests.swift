import Specifications
import Testing

@testable import OffPolicy
@testable import Statistics

@Suite("Diagnostics of importance weights")
struct WeightDiagnosticsTests {
  private func diagnostics(_ weights: [Double]) -> WeightDiagnostics {
    weights.reduce(into: WeightDiagnostics()) { diagnostics, weight in
      if let decision = LoggedDecision(reward: 0, weight: weight) { diagnostics.add(decision) }
    }
  }

  @Test("mean, greatest, effective sample size and shares of known weights")
  func known() {
    let some = diagnostics([0, 1, 1, 2])
    #expect(some.mean == 1 && some.greatest == 2 && some.matched == 3 && some.count == 4)
    #expect(some.shareWithoutWeight == 0.25 && some.variance == 2.0 / 3)
    expectClose(some.effectiveSampleSize, 16.0 / 6)
    #expect(some.histogram.weightShare(ofGreatest: 0.25) == 0.5)
    #expect(some.histogram.weightShare(ofGreatest: 1) == 1)
    #expect(some.histogram.quantile(1) == 2 && some.histogram.quantile(0) == 0)
    let none = WeightDiagnostics()
    #expect(none.mean == nil && none.effectiveSampleSize == nil && none.shareWithoutWeight == nil)
    #expect(none.histogram.weightShare(ofGreatest: 0.01) == nil)
    #expect(none.histogram.quantile(0.5) == nil && none.histogram.tailIndex == nil)
    #expect(diagnostics([0, 0]).effectiveSampleSize == nil)
    #expect(diagnostics([0, 0]).histogram.weightShare(ofGreatest: 0.5) == nil)
  }

  @Test("quantiles and tail weight are those of the sorted weights, to the width of a bin")
  func twin() throws {
    for seed in 0..<30 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let weights = (0..<400).map { _ in Double.exp(Draw.normal(using: &random)) }
      let sorted = weights.sorted()
      let histogram = diagnostics(weights).histogram
      for share in [0.01, 0.25, 0.5, 0.9, 0.99] {
        let rank = max(1, Int((share * 400).rounded(.up)))
        expectClose(histogram.quantile(share), sorted[rank - 1], 0.0625)
        let held = sorted.suffix(Int(share * 400)).reduce(0, +) / sorted.reduce(0, +)
        expectClose(histogram.weightShare(ofGreatest: share), held, 0.0625)
      }
      let bins = histogram.bins
      #expect(bins.reduce(0) { $0 + $1.count } == 400, "seed \(seed)")
      for bin in bins {
        let inside = weights.filter { bin.low <= $0 && $0 < bin.high }
        #expect(inside.count == bin.count, "seed \(seed)")
        expectClose(bin.sum, inside.reduce(0, +))
      }
    }
  }

  @Test("the tail index of Pareto weights is that of their distribution", arguments: [0.2, 0.5, 1])
  func tailIndex(index: Double) throws {
    var random = Xoshiro256(seed: 7)
    let weights = (0..<20_000).map { _ in Double.pow(Draw.openUnit(using: &random), -index) }
    let histogram = diagnostics(weights).histogram
    // About 424 weights in the tail: a relative standard error of 5 %.
    expectClose(histogram.tailIndex, index, 0.2)
    #expect(diagnostics([Double](repeating: 1, count: 100)).histogram.tailIndex == 0)
  }

  @Test("parts and repeated weights merge to the same diagnostics")
  func merging() throws {
    for seed in 0..<20 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let decisions = randomDecisions(50, using: &random)
      var (whole, grouped) = (WeightDiagnostics(), WeightDiagnostics())
      var parts = [WeightDiagnostics](repeating: WeightDiagnostics(), count: 4)
      for decision in decisions {
        let times = Draw.index(below: 4, using: &random)
        grouped.add(decision, times: times)
        for _ in 0..<times {
          whole.add(decision)
          parts[Draw.index(below: 4, using: &random)].add(decision)
        }
      }
      let merged = parts.shuffled(using: &random).reduce(into: WeightDiagnostics()) {
        $0.merge($1)
      }
      #expect(merged == whole && grouped == whole, "seed \(seed)")
      #expect(merged.histogram.bins == whole.histogram.bins)
      #expect(merged.histogram.tailIndex == whole.histogram.tailIndex)
    }
  }
}
