internal import Statistics

/// The means of the variants of a place, and the resulting regret.
///
/// The greatest of several sample means is on average above the greatest true mean, so the regret is overestimated:
/// with variants that are equally good it is above its true value, 0, in every log. ``RegretBounds`` provides an
/// interval that allows for that.
struct RegretEstimate {
  let means: [Double?]
  private let sign: Double

  /// Creates an estimate from the sums of each variant, and their exact plain means.
  init(_ tallies: [RegretTally], plain: [Double?], _ rules: RegretRules) {
    sign = rules.sign
    let weighed = tallies.reduce(0) { $0 + $1.weighed }
    means = zip(tallies, plain).map { tally, plain in
      let mean: Double? =
        switch rules.means {
        case .plain: plain
        case .ips: tally.rewards.value / Double(weighed)
        case .snips: tally.rewards.value / tally.weights.value
        }
      return tally.weighed > 0 && mean?.isFinite == true ? mean : nil
    }
  }

  /// Returns the regret of the given numbers of decisions for each variant; nil without the mean of each, or of a
  /// single variant, which says nothing of the others that could have been chosen.
  func regret(_ counts: [Int]) -> Double? {
    let means = means.compactMap { $0.map { sign * $0 } }
    guard means.count == counts.count, means.count > 1 else { return nil }
    return Self.regret(counts, means)
  }

  /// Returns the sum over variants of count · (best mean − mean), exact until it is rounded; nil if it is not finite.
  private static func regret(_ counts: [Int], _ means: [Double]) -> Double? {
    guard let best = means.max() else { return nil }
    var sum = ExactSum()
    for (count, mean) in zip(counts, means) where mean < best {
      sum.add(product: best - mean, Double(count))
    }
    return sum.value.isFinite ? sum.value : nil
  }
}
