/// The sums behind the estimate of any off-policy estimator.
///
/// Results depend neither on the order of the decisions, nor on how they were split into parts that are merged.
public struct OffPolicySums: Sendable {
  /// The estimator.
  public let estimator: any OffPolicyEstimator
  private var state: any EstimatorSums

  /// Creates sums without decisions.
  public init(_ estimator: any OffPolicyEstimator) {
    self.estimator = estimator
    state = estimator.makeSums()
  }

  /// Adds a number of equal decisions, each of a unit of its own, with the same result as single additions.
  ///
  /// - Precondition: `times` is not negative.
  public mutating func add(_ decision: LoggedDecision, times: Int = 1) {
    state.add(decision, times: times)
  }

  /// Adds all the decisions of one unit; does nothing without any.
  public mutating func add(unit decisions: Span<LoggedDecision>) { state.add(unit: decisions) }

  /// Adds all the units of another instance.
  ///
  /// - Precondition: It has the same estimator.
  public mutating func merge(_ other: OffPolicySums) {
    precondition(
      estimator.specification == other.estimator.specification,
      "sums of different estimators do not merge")
    Self.merge(&state, other.state)
  }

  private static func merge<S: EstimatorSums>(_ state: inout S, _ other: any EstimatorSums) {
    if let other = other as? S { state.merge(other) }
  }

  /// Writes the sums.
  ///
  /// - Throws: ``StateError`` if those of the estimator cannot be written.
  package func write(to writer: inout StateWriter) throws(StateError) {
    try state.write(to: &writer)
  }

  /// Reads sums of the same estimator, in place of these; see ``EstimatorSums/read(from:logger:)``.
  ///
  /// - Throws: ``StateError`` if the bytes are not such sums.
  package mutating func read(
    from reader: inout StateReader,
    logger: (inout StateReader) throws(StateError) -> UInt32
  ) throws(StateError) {
    try state.read(from: &reader, logger: logger)
  }

  /// The number of decisions.
  public var count: Int { state.count }

  /// The number of units.
  public var units: Int { state.units }

  /// The number of decisions that the target policy could have made too: those with a weight above zero.
  public var matched: Int { state.matched }

  /// The estimated value of the target policy; nil if the decisions do not determine it.
  public var value: Double? { state.value }

  /// The standard error of the value, by unit; nil for fewer than two units, or without a value.
  public var standardError: Double? { state.standardError }

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
    a.estimator.specification == b.estimator.specification && isEqual(a.state, b.state)
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
