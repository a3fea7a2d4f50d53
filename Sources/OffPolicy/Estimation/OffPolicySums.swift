public import Specifications
public import Statistics

/// The sums behind the estimate of any off-policy estimator.
///
/// Results depend neither on the order of the decisions, nor on how they were split into parts that are merged.
public struct OffPolicySums: StateFields, Equatable {
  private var state: AnyEstimatorState
  /// The evidence in the decisions that have weight.
  public private(set) var evidence = EstimateEvidence()
  private let candidates: [any OffPolicyEstimator]

  /// Creates sums without decisions.
  public init(_ estimator: any OffPolicyEstimator) {
    state = AnyEstimatorState(estimator)
    candidates = estimator.weighingCandidates
  }

  /// The estimator.
  public var estimator: any OffPolicyEstimator { state.state.estimator }

  /// Adds a number of equal decisions, each of a unit of its own, with the same result as single additions.
  ///
  /// - Precondition: `times` is not negative.
  public mutating func add(_ decision: LoggedDecision, times: Int = 1) {
    add(unit: ([decision] as InlineArray<1, LoggedDecision>).span, times: times)
  }

  /// Adds all the decisions of one unit, or of a number of units with the same ones; does nothing without any.
  ///
  /// - Precondition: `times` is not negative.
  public mutating func add(unit decisions: Span<LoggedDecision>, times: Int = 1) {
    precondition(times >= 0, "a decision cannot be added a negative number of times")
    guard times > 0, !decisions.isEmpty else { return }
    state.state.add(unit: decisions, times: times)
    evidence.add(unit: decisions, candidates, times: times)
  }

  /// Visits the sums.
  ///
  /// - Precondition: The other sums have the same estimator.
  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&state, other.state)
    visit(&evidence, other.evidence)
  }

  public static func == (a: OffPolicySums, b: OffPolicySums) -> Bool {
    a.evidence == b.evidence && a.state == b.state
  }

  /// The number of decisions.
  public var count: Int { state.state.moments.decisions }

  /// The number of units.
  public var units: Int { state.state.moments.units }

  /// The number of decisions that the target policy could have made too: those with a weight above zero.
  public var matched: Int { state.state.moments.matched }

  /// The estimated value of the target policy; nil if the decisions do not determine it.
  public var value: Double? { evidence.matchError(estimator) == .drawnChoices ? nil : state.state.value }

  /// The standard error of the value, by unit; nil for the reason ``missingError``.
  public var standardError: Double? { missingError == nil ? spread : nil }

  /// The variation of the units' parts of the estimate as a standard error, whatever it says of the value; nil for
  /// fewer than two units, or without a value.
  var spread: Double? { state.state.standardError }

  /// Why there is no standard error; nil if there is one. An error of zero is none: decisions that are all alike say
  /// nothing of the ones that could have been.
  public var missingError: MissingError? {
    let match = evidence.matchError(estimator)
    guard let value, value.isFinite else { return match ?? evidence.missingValue }
    guard units > 1 else { return .fewUnits }
    let candidate = candidate
    if let error = match ?? candidate.flatMap({ evidence.weightError($0, hasModel: hasModel) }) { return error }
    guard evidence.earning > 0 else { return .noReward }
    guard evidence.weighted > 1 else { return .singleUnit }
    guard let spread, spread.isFinite else { return .notFinite }
    guard spread > abs(value) * Self.roundingError else { return .noVariance }
    return candidate.flatMap { evidence.cutError($0, lost: evidence.lostMean($0), spread: spread) }
  }

  /// The relative error of a sum that is only rounding.
  static let roundingError = 1e-13

  /// Whether the estimate is another one than that of the policy, whatever its interval is made of: it rests on a
  /// reward model without a known error, cuts weights, or takes decisions alike that are not.
  var isBiased: Bool {
    switch missingError {
    case .cutWeights, .drawnChoices, .unequalPropensities: true
    case nil: false
    default: hasModel
    }
  }

  private var hasModel: Bool { estimator.rewardModel != .none }

  /// The place of the estimator chosen among the candidates, if there are any.
  private var candidate: Int? {
    guard !candidates.isEmpty else { return nil }
    return choice.flatMap { choice in candidates.firstIndex { $0.specification == choice } } ?? 0
  }

  /// The specification of the estimator chosen by the decisions, for an estimator that chooses; nil for others, and
  /// before there is a choice.
  public var choice: Specification? { state.state.choice }

  /// Returns the confidence interval value ± z·standard error; nil if either is missing or not finite.
  ///
  /// - Parameter level: The confidence level, between 0 and 1, exclusive.
  /// - Returns: The interval.
  public func interval(level: Double = 0.95) -> Interval? {
    Difference.interval(value, standardError, degreesOfFreedom: nil, level: level)
  }
}

/// An estimator with its sums.
private protocol EstimatorState: StateField, Equatable {
  var estimator: any OffPolicyEstimator { get }
  var moments: MomentSums { get }
  var value: Double? { get }
  var standardError: Double? { get }
  var choice: Specification? { get }
  mutating func add(unit decisions: Span<LoggedDecision>, times: Int)
}

/// An estimator of a known type with its sums.
private struct StateOf<Estimator: OffPolicyEstimator>: EstimatorState, StateFields {
  let own: Estimator
  var sums: Estimator.Sums

  var estimator: any OffPolicyEstimator { own }
  var moments: MomentSums { sums.moments }
  var value: Double? { own.value(of: sums) }
  var standardError: Double? { own.standardError(of: sums) }
  var choice: Specification? { own.choice(of: sums) }

  mutating func add(unit decisions: Span<LoggedDecision>, times: Int) {
    own.add(unit: decisions, times: times, to: &sums)
  }

  mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    precondition(
      own.specification == other.own.specification, "sums of different estimators do not merge")
    visit(&sums, other.sums)
  }

  static func == (a: Self, b: Self) -> Bool {
    a.sums == b.sums && a.own.specification == b.own.specification
  }
}

/// An estimator of any type with its sums, as a field of a state.
private struct AnyEstimatorState: StateField, Equatable {
  var state: any EstimatorState

  init(_ estimator: some OffPolicyEstimator) {
    state = StateOf(own: estimator, sums: estimator.makeSums())
  }

  mutating func merge(_ other: Self) { state.merge(any: other.state) }

  func write(to writer: inout StateWriter) { state.write(to: &writer) }

  mutating func read(from reader: inout StateReader) throws(StateError) {
    try state.read(from: &reader)
  }

  static func == (a: Self, b: Self) -> Bool { a.state.isEqual(to: b.state) }
}

extension StateField where Self: Equatable {
  /// Adds another state of the same type; ignores any other.
  mutating func merge(any other: any StateField) {
    if let other = other as? Self { merge(other) }
  }

  /// Returns whether another state is of the same type and equal.
  func isEqual(to other: any StateField) -> Bool { (other as? Self) == self }
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
