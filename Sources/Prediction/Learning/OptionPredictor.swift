public import Specifications

/// A predictor of the option that a unit will take next.
///
/// A predictor is an immutable value of parameters. Its state for one study of one unit is a separate value, its
/// ``Learning``, which learns one event after the other and never looks back at the history: with one for each study
/// and unit, a single pass over a log predicts each take from the events before it. A predictor that learns across
/// units stores what they have in common in a ``OptionLearning/Pool``, one per study.
public protocol OptionPredictor: Specified, Hashable where ParameterSources == PredictorCatalog {
  /// The learning state for one study of one unit.
  associatedtype Learning: OptionLearning

  /// The learning state before the first event, without options.
  var beginning: Learning { get }

  /// The pool before the first event.
  var emptyPool: Learning.Pool { get }

  /// Whether the predictor learns across units.
  var isPooled: Bool { get }

  /// Whether the predictor uses the features of the unit: ``Situation/features``.
  var wantsFeatures: Bool { get }

  /// The number of last takes of a unit from which its next one is learned by the pool, if it needs nothing else of
  /// the unit; nil, as by default, if it does. A log is then predicted in slices of units on several threads, each of
  /// which has a pool that learns all takes. A number above ``RecentTakes/most`` counts as nil.
  var poolContext: Int? { get }

  /// Lets the pool learn a take of a unit whose learning state is elsewhere, in the same way as
  /// ``OptionLearning/take(_:in:pool:)``; it is called only if there is a ``poolContext``.
  ///
  /// - Parameters:
  ///   - code: The code of the option (``Feature/code(of:)``).
  ///   - recent: The last takes of the unit before it, as many as ``poolContext`` or more.
  ///   - pool: The pool.
  func learn(_ code: UInt64, after recent: RecentTakes, pool: inout Learning.Pool)

  /// Returns whether a learning state is sound and belongs to a predictor with these parameters: by default, whether
  /// it is equal to ``beginning`` once its options are removed.
  func fits(_ learning: Learning) -> Bool

  /// Returns whether a pool belongs to a predictor with these parameters.
  func fits(_ pool: Learning.Pool) -> Bool
}

extension OptionPredictor {
  /// Creates the predictor that a specification describes; those that it names are built-in ones.
  ///
  /// - Throws: `SpecificationError` if a parameter is unknown or invalid.
  public init(_ specification: Specification) throws(SpecificationError) {
    try self.init(specification, .standard)
  }

  /// The name and all parameters, whether they were given or not. Setting it does nothing.
  public var specification: Specification {
    get { fullSpecification }
    set {}
  }

  public var isPooled: Bool { Learning.Pool.self != NoPool.self }

  public var wantsFeatures: Bool { false }

  public var poolContext: Int? { nil }

  public func learn(_ code: UInt64, after recent: RecentTakes, pool: inout Learning.Pool) {}

  public func fits(_ learning: Learning) -> Bool {
    guard learning.isSound else { return false }
    var learning = learning
    learning.apply(.define(takes: [], encounters: 0), at: nil)
    return learning == beginning
  }

  public func fits(_ pool: Learning.Pool) -> Bool { true }

  /// Returns whether a pool of any type belongs to this predictor.
  func takes(_ pool: any OptionPool) -> Bool {
    (pool as? Learning.Pool).map { fits($0) } ?? false
  }

  /// Lets a pool of any type learn a take of a unit whose learning state is elsewhere.
  func learn(_ code: UInt64, after recent: RecentTakes, sharing pool: inout (any OptionPool)?) {
    guard var own = pool as? Learning.Pool else { return }
    // Uniquely referenced, so that it is not copied to learn.
    pool = nil
    learn(code, after: recent, pool: &own)
    pool = own
  }
}

extension OptionPredictor where Learning.Pool == NoPool {
  public var emptyPool: NoPool { NoPool() }
}

/// The knowledge of a predictor across the units of a study.
public protocol OptionPool: Equatable, Sendable, Codable {}

extension OptionPool {
  /// Returns whether another pool is of the same type and equal.
  func isEqual(to other: (any OptionPool)?) -> Bool { (other as? Self) == self }
}

/// The pool of a predictor that does not learn across units.
public struct NoPool: OptionPool {
  /// Creates the empty pool.
  public init() {}
}
