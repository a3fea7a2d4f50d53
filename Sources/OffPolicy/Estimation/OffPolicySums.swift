public import Specifications
public import Statistics

/// The sums behind the estimate of any off-policy estimator.
///
/// Results depend neither on the order of the decisions, nor on how they were split into parts that are merged.
public struct OffPolicySums: StateFields {
  /// The estimator.
  public let estimator: any OffPolicyEstimator
  private var state: AnyEstimatorSums
  /// The evidence in the decisions that have weight.
  public private(set) var evidence = EstimateEvidence()
  private let candidates: [any OffPolicyEstimator]

  /// Creates sums without decisions.
  public init(_ estimator: any OffPolicyEstimator) {
    self.estimator = estimator
    state = AnyEstimatorSums(estimator.makeSums())
    candidates = estimator.modelCandidates
  }

  /// Adds a number of equal decisions, each of a unit of its own, with the same result as single additions.
  ///
  /// - Precondition: `times` is not negative.
  public mutating func add(_ decision: LoggedDecision, times: Int = 1) {
    state.sums.add(decision, times: times)
    evidence.add(unit: [decision].span, candidates, times: times)
  }

  /// Adds all the decisions of one unit; does nothing without any.
  public mutating func add(unit decisions: Span<LoggedDecision>) {
    state.sums.add(unit: decisions)
    evidence.add(unit: decisions, candidates)
  }

  /// Visits the sums.
  ///
  /// - Precondition: The other sums have the same estimator.
  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    precondition(
      estimator.specification == other.estimator.specification,
      "sums of different estimators do not merge")
    visit(&state, other.state)
    visit(&evidence, other.evidence)
  }

  /// The number of decisions.
  public var count: Int { state.sums.count }

  /// The number of units.
  public var units: Int { state.sums.units }

  /// The number of decisions that the target policy could have made too: those with a weight above zero.
  public var matched: Int { state.sums.matched }

  /// The estimated value of the target policy; nil if the decisions do not determine it.
  public var value: Double? { state.sums.value }

  /// The standard error of the value, by unit; nil for the reason ``missingError``.
  public var standardError: Double? { missingError == nil ? spread : nil }

  /// The variation of the units' parts of the estimate as a standard error, whatever it says of the value; nil for
  /// fewer than two units, or without a value.
  var spread: Double? { state.sums.standardError }

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
  public var choice: Specification? { state.sums.choice }

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
      && a.state == b.state
  }
}

/// The sums of any estimator.
private struct AnyEstimatorSums: StateField, Equatable {
  var sums: any EstimatorSums

  init(_ sums: any EstimatorSums) { self.sums = sums }

  mutating func merge(_ other: Self) { Self.merge(&sums, other.sums) }

  private static func merge<S: EstimatorSums>(_ sums: inout S, _ other: any EstimatorSums) {
    if let other = other as? S { sums.merge(other) }
  }

  func write(to writer: inout StateWriter) { sums.write(to: &writer) }

  mutating func read(from reader: inout StateReader) throws(StateError) {
    try sums.read(from: &reader)
  }

  static func == (a: Self, b: Self) -> Bool { isEqual(a.sums, b.sums) }

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
