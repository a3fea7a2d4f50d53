internal import Statistics

/// A confidence interval for the regret of a log that covers the true regret at least as often as its level says, also
/// with variants that are equally good or nearly so.
///
/// With μ the true mean rewards and n the numbers of decisions of a row, the regret is Σ nₐ(max μ − μₐ) = max over b
/// of Rᵦ, where Rᵦ = Σ nₐ(μᵦ − μₐ) is the gain of always choosing b. It is therefore at least every lower bound of
/// every Rᵦ that hold simultaneously (Bonferroni over the variants), and at most the greatest upper bound, of which
/// only that of the best variant has to hold.
///
/// - If every decision was drawn with the same propensities, the means are those of samples of fixed design, and Rᵦ
///   has an interval by Student's t from the variance over units.
/// - Otherwise the policy may have learned. Then bounds of each mean are used that hold at every number of its
///   decisions simultaneously, however that number came about: exact ones for rewards of 0 or 1 (S. R. Howard et al.,
///   2021), else those of a normal mixture with an estimated variance (T. L. Lai, 1976; ``MixtureT``). The regret is
///   bounded by the worst case within them.
///
/// A variant with few units uses the variance of all variants if that is greater: its own may be small by chance.
struct RegretBounds {
  private let means: [Double]
  /// Standard errors and their degrees of freedom.
  private let errors: [Double]
  private let degrees: [Double]
  /// The bounds of each mean; empty if propensities never changed.
  private let bounds: [(low: Double, high: Double)]
  private let areShared: Bool
  private let alpha: Double

  /// The number of units below which a variant uses the pooled variance.
  private static let fewUnits = 200

  /// Creates bounds from the sums of each variant and of their place; nil if a mean is missing, or nothing varies.
  init?(
    _ tallies: [RegretTally], means: [Double?], _ place: RegretPlaceTally, _ rules: RegretRules
  ) {
    self.means = means.compactMap { $0 }
    alpha = 1 - rules.level
    areShared = place.sharedUnits > 0
    guard self.means.count == tallies.count, !tallies.isEmpty else { return nil }
    let spreads = zip(tallies, self.means).map { Spread($0, mean: $1, place, rules.means) }
    let pooled = Spread.pooled(spreads)
    let chosen = spreads.map { spread in
      spread.units < Self.fewUnits && rules.means == .plain ? spread.borrowing(pooled) : spread
    }
    errors = chosen.map(\.error)
    degrees = chosen.map(\.degrees)
    let isBinary =
      rules.means == .plain && tallies.allSatisfy { $0.rewardsNotBinary == 0 && $0.isOncePerUnit }
    if Self.hasConstantPropensities(tallies) {
      bounds = []
      guard isBinary || errors.contains(where: { $0 > 0 }) else { return nil }
    } else {
      let share = alpha / Double(tallies.count)
      let usual = max(1, Double(place.decisions.count) / Double(tallies.count))
      bounds = zip(zip(tallies, self.means), chosen).map { pair, spread in
        isBinary
          ? pair.0.exactBounds(alpha: share, tightestAt: usual)
          : spread.bounds(around: pair.1, alpha: share, tightestAt: usual)
      }
      guard isBinary || errors.contains(where: { $0 > 0 }) else { return nil }
    }
  }

  /// Returns whether every decision was drawn with the same propensities.
  private static func hasConstantPropensities(_ tallies: [RegretTally]) -> Bool {
    // Sums over variants are exact, so that they do not depend on the order in which a log has them.
    let shares = tallies.map { $0.propensities.mean ?? .infinity }
    return tallies.allSatisfy {
      $0.withoutPropensity == 0 && $0.propensities.unusable == 0 && $0.propensities.isConstant
    } && ExactSum(shares).value <= 1 + PropensityTally.tolerance * Double(tallies.count)
  }

  /// Returns the interval of the regret of the given numbers of decisions of each variant; nil if it is unbounded.
  func interval(_ counts: [Int]) -> Interval? {
    guard means.count > 1 else { return Interval(0, 0) }
    let (low, high) = bounds.isEmpty ? byContrasts(counts) : byBounds(counts)
    guard low.isFinite, high.isFinite else { return nil }
    return Interval(max(0, low), max(0, low, high))
  }

  // MARK: Fixed propensities

  private func byContrasts(_ counts: [Int]) -> (low: Double, high: Double) {
    let total = Double(counts.reduce(0, +))
    var (low, high) = (-Double.infinity, -Double.infinity)
    for best in means.indices {
      var gain = ExactSum()
      var sums = (variance: ExactSum(), length: ExactSum(), fourth: ExactSum())
      for variant in means.indices {
        let count = Double(counts[variant])
        gain.add(product: count, means[best] - means[variant])
        let reach = abs(variant == best ? total - count : -count) * errors[variant]
        sums.variance.add(reach * reach)
        sums.length.add(reach)
        sums.fourth.add(reach * reach * reach * reach / max(1, degrees[variant]))
      }
      let (variance, fourth) = (sums.variance.value, sums.fourth.value)
      // Units of several variants make their means dependent, in an unknown way.
      let error = areShared ? sums.length.value : variance.squareRoot()
      let t = StudentT(degreesOfFreedom: fourth > 0 ? max(1, variance * variance / fourth) : 1)
      low = max(low, gain.value + t.quantile(alpha / 2 / Double(means.count)) * error)
      high = max(high, gain.value - t.quantile(alpha / 2) * error)
    }
    return (low, high)
  }

  // MARK: Bounds of each mean

  private func byBounds(_ counts: [Int]) -> (low: Double, high: Double) {
    let floor = bounds.map(\.low).max() ?? 0
    var low = ExactSum()
    for (count, bound) in zip(counts, bounds) where count > 0 {
      low.add(Double(count) * max(0, floor - bound.high))
    }
    let highs = bounds.indices.map { best in
      var high = ExactSum()
      for variant in bounds.indices where variant != best && counts[variant] > 0 {
        high.add(Double(counts[variant]) * (bounds[best].high - bounds[variant].low))
      }
      return high.value
    }
    return (low.value, highs.max() ?? 0)
  }
}

extension RegretTally {
  /// Whether no unit has more than one decision.
  fileprivate var isOncePerUnit: Bool { units.numerator.count == weighed }

  /// Returns bounds of a proportion, for rewards that are 0 or 1.
  fileprivate func exactBounds(
    alpha: Double, tightestAt count: Double
  ) -> (low: Double, high: Double) {
    let proportion = Proportion(successes: Int(rewards.value), trials: weighed)
    let interval = BernoulliSequence(tightestAt: count, alpha: alpha).interval(proportion)
    return (interval?.low ?? 0, interval?.high ?? 1)
  }
}

/// The variation of the mean of a variant over units.
private struct Spread {
  var units: Int
  /// The sum over units of the squared deviation of each unit's contribution to the mean from its expected part.
  var squares: Double
  /// The denominator of the mean.
  var below: Double
  var degrees: Double
  var error: Double

  init(_ tally: RegretTally, mean: Double, _ place: RegretPlaceTally, _ kind: RegretMeans) {
    units = tally.units.numerator.count
    degrees = Double(max(0, units - 1))
    switch kind {
    case .plain, .snips:
      squares = tally.units.squares(around: mean)
      below = tally.units.denominator.sum
    case .ips:
      // Units that never had the variant count as well: they contributed no reward to it.
      let present = tally.units.denominator.totalOfSquares.value
      let absent = max(0, place.decisions.totalOfSquares.value - present)
      squares = tally.units.squares(around: mean) + mean * mean * absent
      below = place.decisions.sum
    }
    let correction = units > 1 ? Double(units) / Double(units - 1) : 1
    error = (squares * correction).squareRoot() / below
  }

  /// Returns the variance of a unit over all variants, with its degrees of freedom.
  static func pooled(_ spreads: [Spread]) -> (variance: Double, degrees: Double) {
    let degrees = spreads.reduce(0) { $0 + $1.degrees }
    return (degrees > 0 ? ExactSum(spreads.map(\.squares)).value / degrees : 0, degrees)
  }

  /// Returns the same with the pooled variance if that is greater, or there is no other.
  func borrowing(_ pooled: (variance: Double, degrees: Double)) -> Spread {
    let other = (pooled.variance * Double(units)).squareRoot() / below
    var result = self
    result.degrees = max(degrees, pooled.degrees)
    result.error = units > 1 ? max(error, other) : other
    return result
  }

  /// Returns bounds of the mean that hold at every number of units simultaneously.
  func bounds(
    around mean: Double, alpha: Double, tightestAt count: Double
  ) -> (low: Double, high: Double) {
    let reach = MixtureT(tightestAt: count, alpha: alpha).multiplier(
      count: Double(units), degreesOfFreedom: degrees)
    guard reach.isFinite, error.isFinite else { return (-.infinity, .infinity) }
    return (mean - reach * error, mean + reach * error)
  }
}
