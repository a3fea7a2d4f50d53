public import Statistics

/// Predicts which of the options now present will be taken next.
///
/// A predictor is an immutable value of parameters. What it has learned of one study of one unit is a value of its
/// own, its ``Learning``, which takes one event after the other and never looks back at the history: one of each
/// study and unit is enough to go through a log once, predicting each take from what came before it. A predictor by
/// which units learn from each other keeps what they have in common in a ``OptionLearning/Pool``, one for a study.
public protocol OptionPredictor: Hashable, Sendable {
  /// What is learned of one study of one unit.
  associatedtype Learning: OptionLearning

  /// Its name, parameters and source.
  static var info: SpecificationInfo { get }

  /// Makes the predictor from what was written; parameters left out have their defaults.
  ///
  /// - Throws: `SpecificationError` if a parameter has no such value.
  init(_ specification: Specification) throws(SpecificationError)

  /// How the predictor is written, with all its parameters.
  var specification: Specification { get }

  /// What is known of a unit before its first event: there are no options.
  var beginning: Learning { get }

  /// What units have in common before the first event.
  var emptyPool: Learning.Pool { get }

  /// Whether units learn from each other.
  var isPooled: Bool { get }

  /// Whether it looks at what is known of the unit: ``Situation/features``.
  var wantsFeatures: Bool { get }

  /// Whether something learned is sound and was learned with these parameters.
  func fits(_ learning: Learning) -> Bool

  /// Whether a pool was learned with these parameters.
  func fits(_ pool: Learning.Pool) -> Bool
}

extension OptionPredictor {
  /// Whether units have anything in common.
  public var isPooled: Bool { Learning.Pool.self != NoPool.self }

  /// False: it looks at nothing but takes and their times.
  public var wantsFeatures: Bool { false }

  /// Whether something learned is sound.
  public func fits(_ learning: Learning) -> Bool { learning.isSound }

  /// Any pool of the type.
  public func fits(_ pool: Learning.Pool) -> Bool { true }

  /// Whether a pool of whatever type is one of this predictor's.
  func takes(_ pool: any OptionPool) -> Bool {
    (pool as? Learning.Pool).map { fits($0) } ?? false
  }
}

extension OptionPredictor where Learning.Pool == NoPool {
  /// Nothing.
  public var emptyPool: NoPool { NoPool() }
}

/// What the units of a study taught a predictor together.
public protocol OptionPool: Equatable, Sendable, Codable {}

/// The pool of a predictor by which no unit learns from another: nothing.
public struct NoPool: OptionPool {
  /// Nothing.
  public init() {}
}
