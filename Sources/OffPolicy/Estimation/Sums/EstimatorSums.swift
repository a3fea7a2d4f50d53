public import Specifications

/// The sums behind the estimate of one off-policy estimator.
///
/// Results depend neither on the order of the decisions, nor on how they were split into parts that are merged. The
/// *unit* is the observation: decisions added one by one are units of their own, and a unit with several decisions is
/// added at once.
public protocol EstimatorSums: StateField, Equatable {
  /// Adds a number of equal decisions, each of a unit of its own, with the same result as single additions.
  ///
  /// - Precondition: `times` is not negative.
  mutating func add(_ decision: LoggedDecision, times: Int)

  /// Adds all the decisions of one unit; does nothing without any.
  mutating func add(unit decisions: Span<LoggedDecision>)

  /// The number of decisions.
  var count: Int { get }

  /// The number of units.
  var units: Int { get }

  /// The number of decisions that the target policy could have made too: those with a weight above zero.
  var matched: Int { get }

  /// The estimated value of the target policy; nil if the decisions do not determine it.
  var value: Double? { get }

  /// The standard error of the value, by unit; nil for fewer than two units, or without a value.
  var standardError: Double? { get }

  /// The specification of the estimator chosen by these decisions, for an estimator that chooses; nil for others, and
  /// before there is a choice.
  var choice: Specification? { get }
}

extension EstimatorSums {
  public var choice: Specification? { nil }
}
