/// What decisions that differ in nothing but their unit, time, propensity and reward have in common.
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
    let first = UInt64(arm) << 32 | UInt64(situation)
    let second = UInt64(probabilities) << 32 | UInt64(dimension)
    return SingleKinds.mix(first, second)
  }
}

/// A kind of decisions with a propensity.
struct WeightedKind: Sendable {
  /// The number of the kind.
  var kind: UInt32
  var propensity: Double

  @inline(__always)
  fileprivate var code: Int { SingleKinds.mix(propensity.bitPattern, UInt64(kind)) }

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
  /// Open-addressing hash tables: a number plus one, 0 if free. At most half full.
  private var places = [UInt32](repeating: 0, count: 64)
  private var weightedPlaces = [UInt32](repeating: 0, count: 64)

  @inline(__always)
  fileprivate static func mix(_ a: UInt64, _ b: UInt64) -> Int {
    var mixed = a &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 29 ^ b) &* 0xBF58_476D_1CE4_E5B9
    return Int(truncatingIfNeeded: (mixed ^ mixed >> 32) & 0x7FFF_FFFF_FFFF_FFFF)
  }

  /// Returns the number of a kind, adding it if needed.
  ///
  /// - Complexity: O(1) on average.
  mutating func number(of kind: SingleKind) -> UInt32 {
    var place = kind.code & (places.count - 1)
    while places[place] != 0 {
      let number = places[place] - 1
      if kinds[Int(number)] == kind { return number }
      place = (place + 1) & (places.count - 1)
    }
    kinds.append(kind)
    places[place] = UInt32(kinds.count)
    if kinds.count * 2 > places.count {
      places = Self.table(kinds.lazy.map(\.code), size: places.count * 2)
    }
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
    var place = kind.code & (weightedPlaces.count - 1)
    while weightedPlaces[place] != 0 {
      let number = weightedPlaces[place] - 1
      if weighted[Int(number)].isSame(kind) { return number }
      place = (place + 1) & (weightedPlaces.count - 1)
    }
    weighted.append(kind)
    weightedPlaces[place] = UInt32(weighted.count)
    if weighted.count * 2 > weightedPlaces.count {
      weightedPlaces = Self.table(weighted.lazy.map(\.code), size: weightedPlaces.count * 2)
    }
    return UInt32(weighted.count - 1)
  }

  private static func table(_ codes: some Sequence<Int>, size: Int) -> [UInt32] {
    var places = [UInt32](repeating: 0, count: size)
    var number: UInt32 = 0
    for code in codes {
      number += 1
      var place = code & (size - 1)
      while places[place] != 0 { place = (place + 1) & (size - 1) }
      places[place] = number
    }
    return places
  }
}
