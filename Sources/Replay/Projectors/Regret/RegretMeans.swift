internal import Statistics

/// How the mean reward of a variant is found for the regret.
///
/// With the policy's preference for what did well, or with traffic that changes, the plain means of the variants are over
/// different mixtures of units; weights 1 / propensity undo that.
public enum RegretMeans: String, CaseIterable, Sendable {
  /// The sum of the rewards of its decisions over their number.
  case plain
  /// Σ r/p over the number of decisions of the place, whichever variant they chose: the inverse propensity score estimate of
  /// the policy that always chooses the variant (D. G. Horvitz and D. J. Thompson, 1952).
  case ips
  /// Σ r/p over Σ 1/p: the self-normalised one (A. Swaminathan and T. Joachims, 2015).
  case snips
}

/// What a regret is computed by.
public struct RegretRules: Sendable {
  /// How goals are credited.
  public var attribution: Attribution
  /// How the mean reward of a variant is found.
  public var means: RegretMeans
  /// Whether rows have intervals.
  public var hasIntervals: Bool
  /// The coverage of intervals, between 0 and 1, exclusive.
  public var level: Double
  /// How many decisions around the rows of curves may be kept at once, roughly.
  var keptDecisions = 1 << 20
  /// Into how many ranges the decisions of a place are counted.
  var orderRanges = 4_096

  /// Makes rules, by default with plain means and intervals.
  public init(
    _ attribution: Attribution = Attribution(), means: RegretMeans = .plain,
    hasIntervals: Bool = true, level: Double = 0.95
  ) {
    self.attribution = attribution
    self.means = means
    self.hasIntervals = hasIntervals
    self.level = level
  }

  var needs: UnitNeeds {
    // Intervals ask whether propensities ever changed.
    means == .plain && !hasIntervals ? [.decisions, .goals] : [.decisions, .goals, .propensities]
  }
}
