public import Specifications

/// The sums behind the estimate of one off-policy estimator.
///
/// Results depend neither on the order of the decisions, nor on how they were split into parts that are merged. The
/// *unit* is the observation: decisions added one by one are units of their own, and a unit with several decisions is
/// added at once.
public protocol EstimatorSums: Sendable, Equatable {
  /// Adds a number of equal decisions, each of a unit of its own, with the same result as single additions.
  ///
  /// - Precondition: `times` is not negative.
  mutating func add(_ decision: LoggedDecision, times: Int)

  /// Adds all the decisions of one unit; does nothing without any.
  mutating func add(unit decisions: Span<LoggedDecision>)

  /// Adds all the units of another instance of the same estimator.
  mutating func merge(_ other: Self)

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

  /// Writes the sums. Equal sums have equal bytes.
  ///
  /// - Throws: ``StateError`` if the sums of the estimator cannot be written, which is the default.
  func write(to writer: inout StateWriter) throws(StateError)

  /// Reads sums of the same estimator, in place of these.
  ///
  /// - Parameters:
  ///   - reader: The reader of the bytes.
  ///   - logger: Reads the number of a logging policy (``LoggedDecision/logger``), which may have another one here.
  /// - Throws: ``StateError`` if the bytes are not such sums, or cannot be read, which is the default.
  mutating func read(
    from reader: inout StateReader,
    logger: (inout StateReader) throws(StateError) -> UInt32
  ) throws(StateError)
}

extension EstimatorSums {
  public var choice: Specification? { nil }

  /// Throws an error: the sums of the estimator cannot be written.
  public func write(to writer: inout StateWriter) throws(StateError) {
    throw StateError("\(Self.self) cannot be written")
  }

  /// Throws an error: the sums of the estimator cannot be read.
  public mutating func read(
    from reader: inout StateReader,
    logger: (inout StateReader) throws(StateError) -> UInt32
  ) throws(StateError) {
    throw StateError("\(Self.self) cannot be read")
  }
}
