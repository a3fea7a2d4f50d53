/// The common part of decisions that differ in nothing but unit, time, propensity and reward.
struct SingleKind: Hashable, Sendable {
  /// Stands for an annotation that a decision does not have.
  static let none = UInt32.max

  /// The index of the arm.
  var arm: UInt32
  /// The index of the situation.
  var situation: UInt32
  /// The index of the probabilities of the choices.
  var probabilities: UInt32
  /// The index of the dimension's value.
  var dimension: UInt32

  /// Creates the kind of a decision.
  @inline(__always)
  init(_ decision: CollectedDecision) {
    arm = decision.arm
    situation = decision.situation ?? Self.none
    probabilities = decision.probabilities ?? Self.none
    dimension = decision.dimension ?? Self.none
  }

  /// Returns a decision of this kind.
  func decision(
    time: Int64, unit: UInt32, experiment: UInt32, propensity: Double
  ) -> CollectedDecision {
    func given(_ index: UInt32) -> UInt32? { index == Self.none ? nil : index }
    return CollectedDecision(
      time: time, unit: unit, experiment: experiment, arm: arm, propensity: propensity,
      dimension: given(dimension), probabilities: given(probabilities),
      situation: given(situation))
  }

  /// A hash that is the same in every run.
  @inline(__always)
  fileprivate var code: Int {
    IndexTable.code(
      UInt64(arm) << 32 | UInt64(situation), UInt64(probabilities) << 32 | UInt64(dimension))
  }
}

/// A kind of decisions with a propensity.
struct WeightedKind: Sendable {
  /// The number of the kind.
  var kind: UInt32
  var propensity: Double

  @inline(__always)
  fileprivate var code: Int { IndexTable.code(propensity.bitPattern, UInt64(kind)) }

  @inline(__always)
  fileprivate func isSame(_ other: WeightedKind) -> Bool {
    kind == other.kind && propensity == other.propensity
  }
}

/// Assigns dense numbers to kinds of decisions, and to kinds with propensities, in order of first appearance.
///
/// Once there are many propensities, most decisions have one of their own, and each gets another number.
///
/// Memory: 16 bytes for each kind with another propensity, and 24 to 32 for each kind.
struct SingleKinds: Sendable {
  /// The most kinds with propensities that are told apart.
  static let mostAlike = 1 << 16

  /// The kinds by their numbers.
  private(set) var kinds: [SingleKind] = []
  /// The kinds with propensities, by their numbers.
  private(set) var weighted: [WeightedKind] = []
  private var table = IndexTable()
  private var weightedTable = IndexTable()

  /// Returns the number of a kind, adding it if needed.
  ///
  /// - Complexity: O(1) on average.
  mutating func number(of kind: SingleKind) -> UInt32 {
    let location = table.find(kind.code) { kinds[$0] == kind }
    if let number = location.index { return UInt32(number) }
    kinds.append(kind)
    table.add(at: location)
    if table.isFull { table.grow(kinds.lazy.map(\.code)) }
    return UInt32(kinds.count - 1)
  }

  /// Returns the number of a kind with a propensity, adding it if needed.
  ///
  /// - Complexity: O(1) on average.
  mutating func number(of kind: WeightedKind) -> UInt32 {
    guard weighted.count <= Self.mostAlike else {
      weighted.append(kind)
      return UInt32(weighted.count - 1)
    }
    let location = weightedTable.find(kind.code) { weighted[$0].isSame(kind) }
    if let number = location.index { return UInt32(number) }
    weighted.append(kind)
    weightedTable.add(at: location)
    if weightedTable.isFull { weightedTable.grow(weighted.lazy.map(\.code)) }
    return UInt32(weighted.count - 1)
  }
}
