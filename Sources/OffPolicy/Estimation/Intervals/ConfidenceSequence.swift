public import Specifications
public import Statistics

/// `confidence-sequence:tightest-at=10000`: an interval that may be looked at after every decision, for large samples.
///
/// Simultaneously valid at all times (``AsymptoticSequence``): I. Waudby-Smith et al., "Time-uniform central limit
/// theory and asymptotic confidence sequences" (Annals of Statistics 2024). Applies to every estimator with a standard
/// error, from ``SequentialRule/leastUnits`` units with weight on, ``SequentialRule/leastEvents`` of them with a
/// reward.
public struct ConfidenceSequence: StatelessIntervalMethod {
  public static let info = SpecificationInfo(
    "confidence-sequence", "anytime-valid interval from the standard error, for large samples",
    source: "Waudby-Smith et al. 2024", example: "confidence-sequence:tightest-at=10000")

  /// The number of units at which the interval is tightest.
  public var tightestAt = 10_000.0
  public var specification = Self.info.specification()

  /// Creates the method with the default of each parameter.
  public init() {}

  public static var parameters: [Field] {
    Field.number(
      "tightest-at", \.tightestAt, in: 1...1e15,
      "number of units at which the interval is tightest, {range}")
  }

  public func interval(of sums: OffPolicySums, level: Double) -> Interval? {
    precondition(level > 0 && level < 1, "a confidence level is between 0 and 1")
    guard let value = sums.value, let error = sums.standardError, Self.isValid(sums.evidence)
    else { return nil }
    return AsymptoticSequence(tightestAt: tightestAt, alpha: 1 - level)
      .interval(estimate: value, standardError: error, count: Double(sums.units))
  }

  /// Whether there are enough units with weight for the normal approximation.
  public static func isValid(_ evidence: EstimateEvidence) -> Bool {
    evidence.weighted >= SequentialRule.leastUnits
      && evidence.earning >= SequentialRule.leastEvents
      && (!evidence.isBinary
        || evidence.weighted - evidence.earning >= SequentialRule.leastEvents)
  }
}
