public import Statistics

/// What the first decisions of a place chose and earned, and what they lost against the best variant.
public struct RegretRow: Sendable, Equatable {
  /// How many decisions these are.
  public var decisions: Int
  /// How many of them chose each variant, in the order of ``RegretCurve/variants``.
  public var counts: [Int]
  /// The rewards credited to them, added up exactly and rounded once.
  public var rewardSum = 0.0
  /// For each decision the mean reward of the best variant less that of the chosen one, added up; nil where a mean is missing.
  public var regret: Double?
  /// The interval of the regret; nil where none was asked for, and where the log does not bound it on both sides.
  public var interval: Interval?
}

/// What is known of a variant of a place.
public struct RegretVariant: Sendable, Equatable {
  /// Code of the variant.
  public var code: UInt32
  /// How many decisions chose it.
  public var decisions: Int
  /// How many of them have a propensity; nil for plain means.
  public var withPropensity: Int?
  /// Its mean reward; nil where no decision tells it, or where it is not a finite number.
  public var mean: Double?
}

/// The regret of the decisions of an experiment at a point and for a slot, within a value of the dimension.
public struct RegretCurve: Sendable, Equatable {
  /// Experiment, point and slot; the variant is 0.
  public var place: Arm
  /// The value of the dimension; unknown when nothing is broken down.
  public var value: DimensionValue
  /// The variants, by ascending codes.
  public var variants: [RegretVariant]
  /// After 1, 2, 5, 10, 20, 50, ... decisions, and after all.
  public var rows: [RegretRow]

  /// The greatest mean reward; nil where the mean of a variant is missing, as the best one may be that.
  public var bestMean: Double? {
    let means = variants.compactMap(\.mean)
    return means.count == variants.count ? means.max() : nil
  }
}

/// The regret of a log in hindsight.
public struct RegretCurves: Sendable, Equatable {
  /// A curve for every place with a counted decision, by ascending codes.
  public var curves: [RegretCurve]
  /// What was read, and what of it did not count.
  public var ledger: RewardLedger
}
