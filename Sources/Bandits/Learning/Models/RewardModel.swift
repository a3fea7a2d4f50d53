public import Specifications

/// The sizes of the data that a reward model learns.
public struct RewardProblem: Hashable, Sendable {
  /// The number of slots.
  public var slots: Int
  /// The number of variants.
  public var variants: Int
  /// The number of columns of the ``FeatureMap``.
  public var columns: Int

  /// Creates the sizes.
  public init(slots: Int, variants: Int, columns: Int) {
    (self.slots, self.variants, self.columns) = (slots, variants, columns)
  }
}

/// A decision as a reward model learns it, next to its features.
public struct RewardRow: Hashable, Sendable {
  /// The index of the slot.
  public var slot: Int
  /// The index of the chosen variant.
  public var variant: Int
  /// The reward.
  public var reward: Double
  /// The weight of the row, such as an importance weight; 1 for an ordinary fit.
  public var weight: Double

  /// Creates a row.
  public init(slot: Int, variant: Int, reward: Double, weight: Double = 1) {
    (self.slot, self.variant, self.reward, self.weight) = (slot, variant, reward, weight)
  }

  /// Whether models learn the row: a finite reward and a weight above zero. All others are ignored.
  package var isUsable: Bool { weight > 0 && reward.isFinite }

  /// The reward or the weight that is beyond ±1e100; nil if neither is.
  package var excess: Double? {
    guard isUsable else { return nil }
    if abs(reward) > Self.most { return reward }
    return weight > Self.most ? weight : nil
  }

  /// The greatest reward and weight of models that multiply them.
  package static let most = 1e100
}

/// A model of the reward of a variant in a slot, given features.
public protocol RewardModel: Specified where ParameterSources == Void {
  /// Whether predictions depend on features.
  static var usesFeatures: Bool { get }

  /// Whether a fit reads the rows once, and its sums can be written (``RewardFit/write(to:)``), so that parts of a fit
  /// can be made on several machines (default: false).
  static var fitsInParts: Bool { get }

  /// Whether it learns rewards and weights beyond 1e100, whose squares may not be finite (default: false). Others
  /// refuse the data.
  static var learnsAnySize: Bool { get }

  /// The description of the model in a report (default: the specification).
  var note: String { get }

  /// Starts a fit.
  ///
  /// - Throws: `SpecificationError` if the problem is too large.
  func makeFit(_ problem: RewardProblem) throws(SpecificationError) -> any RewardFit
}

extension RewardModel {
  public static var fitsInParts: Bool { false }
  public static var learnsAnySize: Bool { false }
  public var note: String { specification.description }
}

/// The state of the fit of a reward model, which reads all rows in one or several passes.
///
/// Within a pass, parts that each read some of the rows merge, and neither the order of the rows nor that of the parts
/// matters: the same rows give the same bytes.
public protocol RewardFit: Sendable {
  /// Adds a row of the current pass.
  mutating func add(_ row: RewardRow, _ features: FeatureVector)

  /// Adds a number of equal rows of the current pass, with the same result as single additions.
  ///
  /// The default implementation adds them one by one.
  mutating func add(_ row: RewardRow, _ features: FeatureVector, times: Int)

  /// The fit at the beginning of the current pass, for other rows.
  var emptyPart: Self { get }

  /// Adds the rows of a part of the same pass.
  mutating func merge(_ part: Self)

  /// Ends a pass; returns whether another is needed.
  ///
  /// - Throws: `SpecificationError` if the model cannot be fitted to the rows.
  mutating func finishPass() throws(SpecificationError) -> Bool

  /// Whether ``removing(_:)`` is available, so that one pass fits the models of all folds.
  static var isAdditive: Bool { get }

  /// Returns the fit of the last pass without the rows of a part, as if it had never read them; nil unless
  /// ``RewardFit/isAdditive``.
  func removing(_ part: Self) -> Self?

  /// Returns the model after the last pass.
  ///
  /// - Throws: `SpecificationError` if the model cannot be fitted to the rows.
  func fitted() throws(SpecificationError) -> any FittedRewardModel

  /// Writes the rows of the first pass so far. Equal ones have equal bytes.
  ///
  /// - Throws: `StateError` if the fits of the model cannot be written, which is the default.
  func write(to writer: inout StateWriter) throws(StateError)

  /// Reads rows of the first pass of a fit of the same problem, in place of these.
  ///
  /// - Throws: `StateError` if the bytes are not such rows, or cannot be read, which is the default.
  mutating func read(from reader: inout StateReader) throws(StateError)
}

extension RewardFit {
  /// Adds the rows one by one.
  public mutating func add(_ row: RewardRow, _ features: FeatureVector, times: Int) {
    for _ in 0..<max(times, 0) { add(row, features) }
  }

  /// Throws an error: the fits of the model cannot be written.
  public func write(to writer: inout StateWriter) throws(StateError) {
    throw StateError("\(Self.self) cannot be written")
  }

  /// Throws an error: the fits of the model cannot be read.
  public mutating func read(from reader: inout StateReader) throws(StateError) {
    throw StateError("\(Self.self) cannot be read")
  }

  public static var isAdditive: Bool { false }

  public func removing(_ part: Self) -> Self? { nil }
}

/// A reward model that was fitted to rows.
public protocol FittedRewardModel: Sendable {
  /// Returns the predicted reward, without allocation.
  func reward(of variant: Int, in slot: Int, _ features: FeatureVector) -> Double
}
