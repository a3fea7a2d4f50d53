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
///   has an interval by Student's t from the variance over units, if anything varies.
/// - Otherwise the policy may have learned. Then bounds of each mean are used that hold at every number of its
///   decisions simultaneously, however that number came about: exact ones for rewards of 0 or 1 (S. R. Howard et al.,
///   2021), else those of a normal mixture with an estimated variance (T. L. Lai, 1976; ``MixtureT``). The regret is
///   bounded by the worst case within them.
///
/// Where less is better, μ is the negated mean, and its bounds change sides.
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
    let known = means.compactMap { $0 }
    self.means = known.map { rules.sign * $0 }
    alpha = 1 - rules.level
    areShared = place.sharedUnits > 0
    guard known.count == tallies.count, !tallies.isEmpty else { return nil }
    let spreads = zip(tallies, known).map { Spread($0, mean: $1, place, rules.means) }
    let pooled = Spread.pooled(spreads)
    let chosen = spreads.map { spread in
      spread.units < Self.fewUnits && rules.means == .plain ? spread.borrowing(pooled) : spread
    }
    errors = chosen.map(\.error)
    degrees = chosen.map(\.degrees)
    let isBinary =
      rules.means == .plain && tallies.allSatisfy { $0.rewardsNotBinary == 0 && $0.isOncePerUnit }
    let varies = errors.contains { $0 > 0 }
    guard isBinary || varies else { return nil }
    if Self.hasConstantPropensities(tallies), varies {
      bounds = []
    } else {
      let share = alpha / Double(tallies.count)
      let usual = max(1, Double(place.decisions.count) / Double(tallies.count))
      var exact = ExactBounds(alpha: share, tightestAt: usual)
      bounds = zip(zip(tallies, known), chosen).map { pair, spread in
        let own =
          isBinary
          ? exact.bounds(pair.0)
          : spread.bounds(around: pair.1, alpha: share, tightestAt: usual)
        return rules.sign > 0 ? own : (-own.high, -own.low)
      }
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
    let (low, high) = bounds.isEmpty ? byContrasts(counts) : byBounds(counts)
    guard low.isFinite, high.isFinite else { return nil }
    return Interval(max(0, low), max(0, low, high))
  }

  private func byContrasts(_ counts: [Int]) -> (low: Double, high: Double) {
    var contrasts = RegretContrasts(counts, means: means, errors: errors, degrees: degrees)
    return contrasts?.bounds(alpha: alpha, areShared: areShared) ?? (-.infinity, .infinity)
  }

  private func byBounds(_ counts: [Int]) -> (low: Double, high: Double) {
    let floor = bounds.map(\.low).max() ?? 0
    var low = ExactSum()
    for (count, bound) in zip(counts, bounds) where count > 0 {
      low.add(Double(count) * max(0, floor - bound.high))
    }
    // Σ n(highᵦ − low) over the variants but b, from the sums over all variants.
    var (lows, total, unbounded) = (ExactSum(), 0.0, 0)
    for (count, bound) in zip(counts, bounds) where count > 0 {
      total += Double(count)
      if bound.low.isFinite {
        lows.add(product: Double(count), bound.low)
      } else {
        unbounded += 1
      }
    }
    let highs = bounds.indices.map { best -> Double in
      let (count, bound) = (Double(counts[best]), bounds[best])
      let isOwn = count > 0 && !bound.low.isFinite
      guard total > count else { return 0 }
      guard unbounded == (isOwn ? 1 : 0), bound.high.isFinite else { return .infinity }
      var high = ExactSum()
      high.add(product: total - count, bound.high)
      high.subtract(lows)
      if !isOwn { high.add(product: count, bound.low) }
      return high.value
    }
    return (low.value, highs.max() ?? 0)
  }
}

extension RegretTally {
  /// Whether no unit has more than one decision.
  fileprivate var isOncePerUnit: Bool { units.numerator.count == weighed }
}

/// Bounds of proportions, for rewards that are 0 or 1; those of equal numbers are computed once.
private struct ExactBounds {
  let sequence: BernoulliSequence
  private var known: [Proportion: (low: Double, high: Double)] = [:]

  init(alpha: Double, tightestAt count: Double) {
    sequence = BernoulliSequence(tightestAt: count, alpha: alpha)
  }

  mutating func bounds(_ tally: RegretTally) -> (low: Double, high: Double) {
    let proportion = Proportion(successes: Int(tally.rewards.value), trials: tally.weighed)
    if let bounds = known[proportion] { return bounds }
    let interval = sequence.interval(proportion)
    let bounds = (low: interval?.low ?? 0, high: interval?.high ?? 1)
    known[proportion] = bounds
    return bounds
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
