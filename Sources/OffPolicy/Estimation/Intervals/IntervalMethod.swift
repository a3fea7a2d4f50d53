public import Specifications
public import Statistics

/// A method for confidence intervals of off-policy estimates.
///
/// All intervals are two-sided: with confidence level 1 − α, either end is exceeded with a probability of at most about
/// α/2, so an end alone is a one-sided bound of level 1 − α/2. A program adds methods of its own to an
/// ``IntervalCatalog``.
public protocol IntervalMethod: Specified where ParameterSources == Void {
  /// The type of what the method keeps of the decisions, beyond the sums of the estimator.
  associatedtype State: IntervalState

  /// Whether the state depends on which unit made a decision or when: on the keys of additions, or on
  /// ``LoggedDecision/time``. Otherwise units with equal decisions are added at once, with their number. The default is
  /// true.
  var distinguishesUnits: Bool { get }

  /// Returns the state without decisions; nil if the method does not apply to the estimator.
  func makeState(for estimator: any OffPolicyEstimator) -> State?
}

extension IntervalMethod {
  public var distinguishesUnits: Bool { true }
}

/// The state that an ``IntervalMethod`` keeps of the decisions. Results depend neither on their order, nor on how they
/// were split into parts that are merged.
public protocol IntervalState: StateField, Equatable {
  /// Adds a number of units with the same decisions, at least one.
  ///
  /// - Parameters:
  ///   - decisions: The decisions.
  ///   - times: The number of units, at least 1.
  ///   - key: A hash of the unit; for several units, a number unique to them, which no other addition has.
  mutating func add(unit decisions: Span<LoggedDecision>, times: Int, key: UInt64)

  /// Returns the interval; nil if the decisions do not determine it.
  ///
  /// - Parameters:
  ///   - sums: The estimate, of the same decisions.
  ///   - level: The confidence level, between 0 and 1, exclusive.
  /// - Returns: The interval.
  func interval(of sums: OffPolicySums, level: Double) -> Interval?
}

/// A method that needs nothing but the estimate, its standard error and the number of units.
public protocol StatelessIntervalMethod: IntervalMethod, IntervalState where State == Self {}

extension StatelessIntervalMethod {
  public var distinguishesUnits: Bool { false }
  public func makeState(for estimator: any OffPolicyEstimator) -> Self? { self }
  public mutating func add(unit decisions: Span<LoggedDecision>, times: Int, key: UInt64) {}
  public mutating func merge(_ other: Self) {}
  public func write(to writer: inout StateWriter) {}
  public mutating func read(from reader: inout StateReader) {}
}
