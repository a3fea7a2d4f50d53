public import Specifications

/// `confidence-sequence:tightest-at=10000`: an interval that may be looked at after every decision, for large samples.
///
/// Simultaneously valid at all times (``AsymptoticSequence``): I. Waudby-Smith et al., "Time-uniform central limit
/// theory and asymptotic confidence sequences" (Annals of Statistics 2024). Applies to every estimator with a standard
/// error, from ``SequentialRule/leastUnits`` units with weight on, ``SequentialRule/leastEvents`` of them with a reward.
public struct ConfidenceSequence: StatelessIntervalMethod {
  private static let tightestAt = Parameter.number(
    "tightest-at", default: 10_000, in: 1...1e15,
    "number of units at which the interval is tightest, {range}")

  public static let info = SpecificationInfo(
    "confidence-sequence", "anytime-valid interval from the standard error, for large samples",
    [tightestAt],
    source: "Waudby-Smith et al. 2024")

  public let specification: Specification
  private let tightestAt: Double

  /// Creates the method; ``info`` lists the range and the default of the parameter.
  ///
  /// - Throws: ``SpecificationError`` if the value is out of range.
  public init(tightestAt: Double? = nil) throws(SpecificationError) {
    try self.init(Self.info.specification(Self.tightestAt.written(tightestAt)))
  }

  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    tightestAt = try Self.tightestAt.value(in: specification)
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
