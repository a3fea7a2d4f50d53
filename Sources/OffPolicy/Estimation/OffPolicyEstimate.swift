public import Specifications
public import Statistics

/// An off-policy estimate with confidence intervals of several methods, from one pass over the decisions.
///
/// Results depend neither on the order of the decisions, nor on how they were split into parts that are merged.
public struct OffPolicyEstimate: StateFields, Equatable {
  /// The sums of the estimator.
  public private(set) var sums: OffPolicySums
  /// The specifications of the interval methods, in order.
  public let methods: [Specification]
  private var states: [AnyIntervalState?]

  /// Creates an estimate without decisions.
  ///
  /// - Parameters:
  ///   - estimator: The estimator.
  ///   - intervals: The interval methods; those that do not apply to the estimator give no interval.
  public init(_ estimator: any OffPolicyEstimator, intervals: [any IntervalMethod] = []) {
    sums = OffPolicySums(estimator)
    methods = intervals.map(\.specification)
    states = intervals.map { AnyIntervalState($0, for: estimator) }
  }

  /// Adds a number of equal decisions, each of a unit of its own.
  ///
  /// - Parameters:
  ///   - decision: The decision.
  ///   - times: The number of decisions, not negative.
  ///   - key: A hash of the unit, for bootstraps; for several units, a number unique to them, which no other addition
  ///     has.
  public mutating func add(_ decision: LoggedDecision, times: Int = 1, key: UInt64) {
    add(unit: ([decision] as InlineArray<1, LoggedDecision>).span, times: times, key: key)
  }

  /// Adds all the decisions of one unit, or of a number of units with the same ones; does nothing without any.
  ///
  /// - Parameters:
  ///   - decisions: The decisions.
  ///   - times: The number of units, not negative.
  ///   - key: A hash of the unit, for bootstraps.
  public mutating func add(unit decisions: Span<LoggedDecision>, times: Int = 1, key: UInt64) {
    sums.add(unit: decisions, times: times)
    guard times > 0, !decisions.isEmpty else { return }
    for index in states.indices {
      states[index]?.state.add(unit: decisions, times: times, key: key)
    }
  }

  /// Visits the sums, and what the intervals keep.
  ///
  /// - Precondition: The other estimate has the same estimator and methods.
  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    precondition(methods == other.methods, "estimates with different intervals do not merge")
    visit(&sums, other.sums)
    visit(&states, other.states)
  }

  /// Whether a method applies to the estimator.
  public func applies(_ method: Int) -> Bool { states[method] != nil }

  /// Returns the interval of each method, in order; nil for one that does not apply to the estimator, that the
  /// decisions do not determine, or that has no width: all of an estimate that uses a reward model and has no standard
  /// error, since what corrects the model then says nothing of its error, and of one whose value is another than that
  /// of the policy: by weights that are cut, or by decisions that are taken alike and are not.
  ///
  /// - Parameter level: The confidence level, between 0 and 1, exclusive.
  /// - Returns: The intervals.
  public func intervals(level: Double = 0.95) -> [Interval?] {
    if sums.isBiased { return states.map { _ in nil } }
    return states.map { state in
      guard let interval = state?.state.interval(of: sums, level: level),
        interval.low < interval.high
      else { return nil }
      return interval
    }
  }
}

/// The state of any interval method.
private struct AnyIntervalState: StateField, Equatable {
  var state: any IntervalState

  init?(_ method: some IntervalMethod, for estimator: any OffPolicyEstimator) {
    guard let state = method.makeState(for: estimator) else { return nil }
    self.state = state
  }

  mutating func merge(_ other: AnyIntervalState) { state.merge(any: other.state) }

  func write(to writer: inout StateWriter) { state.write(to: &writer) }

  mutating func read(from reader: inout StateReader) throws(StateError) {
    try state.read(from: &reader)
  }

  static func == (a: AnyIntervalState, b: AnyIntervalState) -> Bool {
    a.state.isEqual(to: b.state)
  }
}
