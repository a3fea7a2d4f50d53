/// The estimator of the mean reward of a variant, for the regret.
///
/// If the policy prefers variants that did well, or traffic changes, the plain means of the variants are over
/// different mixtures of units; weights 1 / propensity correct for that.
public enum RegretMeans: String, CaseIterable, Sendable {
  /// The sum of the rewards of its decisions divided by their number.
  case plain
  /// Σ r/p divided by the number of decisions of the place, whichever variant they chose: the inverse propensity score
  /// estimate of the policy that always chooses the variant (D. G. Horvitz and D. J. Thompson, 1952).
  case ips
  /// Σ r/p divided by Σ 1/p: the self-normalised estimate (A. Swaminathan and T. Joachims, 2015).
  case snips
}

/// The settings of a regret computation.
public struct RegretRules: Sendable {
  /// How goals are credited.
  public var attribution: Attribution
  /// The estimator of the mean reward of a variant.
  public var means: RegretMeans
  /// Whether rows have confidence intervals.
  public var hasIntervals: Bool
  /// The confidence level of intervals, between 0 and 1, exclusive.
  public var level: Double
  /// The approximate maximum number of decisions around the rows of curves that are kept at once.
  var keptDecisions = 1 << 20
  /// The number of ranges in which the decisions of a place are counted.
  var orderRanges = 4_096

  /// Creates settings, by default with plain means and intervals.
  public init(
    _ attribution: Attribution = Attribution(), means: RegretMeans = .plain,
    hasIntervals: Bool = true, level: Double = 0.95
  ) {
    self.attribution = attribution
    self.means = means
    self.hasIntervals = hasIntervals
    self.level = level
  }

  /// The factor that makes a mean a gain: -1 for a metric of which less is better.
  var sign: Double { attribution.metric.metric.direction.sign }

  var needs: UnitNeeds {
    // Intervals depend on whether propensities ever changed.
    let needs = attribution.metric.needs.union(.hashes)
    return means == .plain && !hasIntervals ? needs : needs.union(.propensities)
  }
}
