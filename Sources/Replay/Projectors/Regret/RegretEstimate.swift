internal import Statistics

/// The means of the variants of a place, those of its replicates, and the regret that they make.
struct RegretEstimate {
  let means: [Double?]
  /// By replicate.
  private let replicates: [[Double]]
  private let level: Double

  /// From the sums of each variant, and their exact plain means.
  init(_ tallies: [RegretTally], plain: [Double?], _ rules: RegretRules) {
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
    level = rules.level
    let whole = means.compactMap { $0 }
    guard whole.count == means.count else {
      replicates = []
      return
    }
    var replicates: [[Double]] = []
    for replicate in 0..<rules.replicates {
      guard let means = Self.means(tallies, replicate, whole, rules.means) else { break }
      replicates.append(means)
    }
    // An interval of some of the replicates would hide why the others failed.
    self.replicates = replicates.count == rules.replicates ? replicates : []
  }

  /// The means of a replicate; a variant of which it has no unit keeps the mean of the log. Nil where sums are missing.
  private static func means(
    _ tallies: [RegretTally], _ replicate: Int, _ whole: [Double], _ kind: RegretMeans
  ) -> [Double]? {
    let sums = tallies.compactMap { $0.resampled?.sums(in: replicate) }
    guard sums.count == tallies.count else { return nil }
    // Numbers of decisions: their sum is exact in any order.
    let decisions = sums.reduce(0) { $0 + $1.denominator }
    return zip(sums, whole).map { sum, mean in
      let denominator = kind == .ips ? decisions : sum.denominator
      return denominator > 0 ? sum.numerator / denominator : mean
    }
  }

  /// The regret of as many decisions for each variant.
  func regret(_ counts: [Int]) -> Double? {
    let means = means.compactMap { $0 }
    guard means.count == counts.count else { return nil }
    return Self.regret(counts, means)
  }

  /// The percentile interval of the regret: the decisions are what they are, the means are those of the replicates, with the
  /// best variant of each.
  func interval(_ counts: [Int]) -> Interval? {
    let regrets = replicates.compactMap { Self.regret(counts, $0) }.sorted()
    guard !regrets.isEmpty, regrets.count == replicates.count,
      let low = QuantileType.linear.quantile((1 - level) / 2, of: regrets),
      let high = QuantileType.linear.quantile(1 - (1 - level) / 2, of: regrets)
    else { return nil }
    return Interval(low, max(low, high))
  }

  /// The sum over variants of count · (best mean − mean), exact until it is rounded; nil if it is not finite.
  private static func regret(_ counts: [Int], _ means: [Double]) -> Double? {
    guard let best = means.max() else { return nil }
    var sum = ExactSum()
    for (count, mean) in zip(counts, means) where mean < best {
      sum.add(product: best - mean, Double(count))
    }
    return sum.value.isFinite ? sum.value : nil
  }
}
