public import Statistics

/// The choices, rewards and regret of the first decisions of a place.
public struct RegretRow: Sendable, Equatable {
  /// The number of decisions.
  public var decisions: Int
  /// The number of decisions that chose each variant, in the order of ``RegretCurve/variants``.
  public var counts: [Int]
  /// The sum of the rewards credited to them, exact and rounded once.
  public var rewardSum = 0.0
  /// The sum over decisions of the mean reward of the best variant minus that of the chosen one; nil if a mean is
  /// missing, or if there is a single variant.
  public var regret: Double?
  /// The confidence interval of the regret; nil if not requested, and if the log does not bound it on both sides.
  public var interval: Interval?
}

/// The statistics of a variant of a place.
public struct RegretVariant: Sendable, Equatable {
  /// The code of the variant.
  public var code: UInt32
  /// The number of decisions that chose it.
  public var decisions: Int
  /// The number of those decisions with a propensity; nil for plain means.
  public var withPropensity: Int?
  /// Its mean reward; nil if no decision determines it, or it is not finite.
  public var mean: Double?
}

/// The regret of the decisions of an experiment at one point and slot, for one value of the dimension.
public struct RegretCurve: Sendable, Equatable {
  /// Experiment, point and slot; the variant is 0.
  public var place: Arm
  /// The value of the dimension; unknown without a breakdown.
  public var value: DimensionValue
  /// The variants, sorted by code.
  public var variants: [RegretVariant]
  /// The rows after 1, 2, 5, 10, 20, 50, ... decisions, and after all.
  public var rows: [RegretRow]
  /// Whether the propensity of a variant is known to change; false if intervals are not requested.
  public var propensitiesChange = false

  /// Whether less is better.
  public var isLessBetter = false

  /// The greatest mean reward, or the least where less is better; nil if the mean of a variant is missing, because it
  /// might be the best.
  public var bestMean: Double? {
    let means = variants.compactMap(\.mean)
    return means.count == variants.count ? (isLessBetter ? means.min() : means.max()) : nil
  }
}

/// The regret of a log in hindsight.
public struct RegretCurves: Sendable, Equatable {
  /// A curve for every place with a counted decision, sorted by code.
  public var curves: [RegretCurve]
  /// The counts of what was read and what was excluded.
  public var ledger: RewardLedger
}
