public import Specifications

/// The sums behind the estimate of any off-policy estimator.
///
/// Results depend neither on the order of the decisions, nor on how they were split into parts that are merged.
public struct OffPolicySums: Sendable {
  /// The estimator.
  public let estimator: any OffPolicyEstimator
  private var state: any EstimatorSums
  /// What has weight.
  public private(set) var evidence = EstimateEvidence()
  private let candidates: [any OffPolicyEstimator]

  /// Creates sums without decisions.
  public init(_ estimator: any OffPolicyEstimator) {
    self.estimator = estimator
    state = estimator.makeSums()
    candidates = estimator.modelCandidates
  }

  /// Adds a number of equal decisions, each of a unit of its own, with the same result as single additions.
  ///
  /// - Precondition: `times` is not negative.
  public mutating func add(_ decision: LoggedDecision, times: Int = 1) {
    state.add(decision, times: times)
    evidence.add(unit: [decision].span, candidates, times: times)
  }

  /// Adds all the decisions of one unit; does nothing without any.
  public mutating func add(unit decisions: Span<LoggedDecision>) {
    state.add(unit: decisions)
    evidence.add(unit: decisions, candidates)
  }

  /// Adds all the units of another instance.
  ///
  /// - Precondition: It has the same estimator.
  public mutating func merge(_ other: OffPolicySums) {
    precondition(
      estimator.specification == other.estimator.specification,
      "sums of different estimators do not merge")
    Self.merge(&state, other.state)
    evidence.merge(other.evidence)
  }

  private static func merge<S: EstimatorSums>(_ state: inout S, _ other: any EstimatorSums) {
    if let other = other as? S { state.merge(other) }
  }

  /// Writes the sums.
  ///
  /// - Throws: ``StateError`` if those of the estimator cannot be written.
  package func write(to writer: inout StateWriter) throws(StateError) {
    try state.write(to: &writer)
    evidence.write(to: &writer)
  }

  /// Reads sums of the same estimator, in place of these; see ``EstimatorSums/read(from:logger:)``.
  ///
  /// - Throws: ``StateError`` if the bytes are not such sums.
  package mutating func read(
    from reader: inout StateReader,
    logger: (inout StateReader) throws(StateError) -> UInt32
  ) throws(StateError) {
    try state.read(from: &reader, logger: logger)
    try evidence.read(from: &reader)
  }

  /// The number of decisions.
  public var count: Int { state.count }

  /// The number of units.
  public var units: Int { state.units }

  /// The number of decisions that the target policy could have made too: those with a weight above zero.
  public var matched: Int { state.matched }

  /// The estimated value of the target policy; nil if the decisions do not determine it.
  public var value: Double? { state.value }

  /// The standard error of the value, by unit; nil for the reason ``missingError``.
  public var standardError: Double? { missingError == nil ? spread : nil }

  /// The variation of the units' parts of the estimate as a standard error, whatever it says of the value; nil for fewer
  /// than two units, or without a value.
  var spread: Double? { state.standardError }

  /// Why there is no standard error; nil if there is one. An error of zero is none: decisions that are all alike say
  /// nothing of the ones that could have been.
  public var missingError: MissingError? {
    guard let value, value.isFinite else { return evidence.missingValue }
    guard units > 1 else { return .fewUnits }
    if let model = modelError { return model }
    guard evidence.earning > 0 else { return .noReward }
    guard evidence.weighted > 1 else { return .singleUnit }
    guard let spread, spread.isFinite else { return .notFinite }
    return spread > abs(value) * Self.roundingError ? nil : .noVariance
  }

  /// The relative error of a sum that is only rounding.
  static let roundingError = 1e-13

  private var modelError: MissingError? {
    guard !candidates.isEmpty else { return nil }
    let chosen = choice.flatMap { choice in
      candidates.firstIndex { $0.specification == choice }
    }
    return evidence.modelError(chosen ?? 0)
  }

  /// The specification of the estimator chosen by the decisions, for an estimator that chooses; nil for others, and
  /// before there is a choice.
  public var choice: Specification? { state.choice }

  /// Returns the confidence interval value ± z·standard error; nil if either is missing or not finite.
  ///
  /// - Parameter level: The confidence level, between 0 and 1, exclusive.
  /// - Returns: The interval.
  public func interval(level: Double = 0.95) -> Interval? {
    Difference.interval(value, standardError, degreesOfFreedom: nil, level: level)
  }
}

extension OffPolicySums: Equatable {
  public static func == (a: OffPolicySums, b: OffPolicySums) -> Bool {
    a.estimator.specification == b.estimator.specification && a.evidence == b.evidence
      && isEqual(a.state, b.state)
  }

  private static func isEqual<S: EstimatorSums>(_ a: S, _ b: any EstimatorSums) -> Bool {
    (b as? S) == a
  }
}

extension Difference {
  /// Returns the two-sided interval of an estimate; nil if it or its standard error is missing or not finite.
  static func interval(
    _ estimate: Double?, _ standardError: Double?, degreesOfFreedom: Double?, level: Double
  ) -> Interval? {
    guard let estimate, let standardError, estimate.isFinite, standardError.isFinite else {
      return nil
    }
    return Difference(
      estimate: estimate, standardError: standardError, degreesOfFreedom: degreesOfFreedom,
      alternative: .twoSided, level: level
    ).interval
  }
}
