public import Statistics

/// A predictor of the option that a unit will take next.
///
/// A predictor is an immutable value of parameters. Its state for one study of one unit is a separate value, its
/// ``Learning``, which learns one event after the other and never looks back at the history: with one for each study
/// and unit, a single pass over a log predicts each take from the events before it. A predictor that learns across
/// units stores what they have in common in a ``OptionLearning/Pool``, one per study.
public protocol OptionPredictor: Hashable, Sendable {
  /// The learning state for one study of one unit.
  associatedtype Learning: OptionLearning

  /// The name, summary, parameters and citation.
  static var info: SpecificationInfo { get }

  /// Creates the predictor that a specification describes; omitted parameters have their defaults.
  ///
  /// - Throws: `SpecificationError` if a parameter is invalid.
  init(_ specification: Specification) throws(SpecificationError)

  /// The specification of the predictor, with all its parameters.
  var specification: Specification { get }

  /// The learning state before the first event, without options.
  var beginning: Learning { get }

  /// The pool before the first event.
  var emptyPool: Learning.Pool { get }

  /// Whether the predictor learns across units.
  var isPooled: Bool { get }

  /// Whether the predictor uses the features of the unit: ``Situation/features``.
  var wantsFeatures: Bool { get }

  /// Returns whether a learning state is sound and belongs to a predictor with these parameters.
  func fits(_ learning: Learning) -> Bool

  /// Returns whether a pool belongs to a predictor with these parameters.
  func fits(_ pool: Learning.Pool) -> Bool
}

extension OptionPredictor {
  public var isPooled: Bool { Learning.Pool.self != NoPool.self }

  public var wantsFeatures: Bool { false }

  public func fits(_ learning: Learning) -> Bool { learning.isSound }

  public func fits(_ pool: Learning.Pool) -> Bool { true }

  /// Returns whether a pool of any type belongs to this predictor.
  func takes(_ pool: any OptionPool) -> Bool {
    (pool as? Learning.Pool).map { fits($0) } ?? false
  }
}

extension OptionPredictor where Learning.Pool == NoPool {
  public var emptyPool: NoPool { NoPool() }
}

/// What a predictor has learned across the units of a study.
public protocol OptionPool: Equatable, Sendable, Codable {}

/// The pool of a predictor that does not learn across units.
public struct NoPool: OptionPool {
  /// Creates the empty pool.
  public init() {}
}
