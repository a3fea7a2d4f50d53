internal import Statistics

/// The tally of each variant, with an initial round.
///
/// Variants never chosen and without rewards come first, in random order.
struct ArmTable: Sendable {
  /// The tally of each variant.
  private(set) var arms: [ArmTally]
  /// The number of rewards learned.
  private(set) var learned = 0
  private var roster: VariantAvailability

  init(_ variants: Int) {
    arms = [ArmTally](repeating: ArmTally(), count: variants)
    roster = VariantAvailability(variants)
  }

  var indices: Range<Int> { arms.indices }

  /// Whether all variants are available, and there is a reward or a choice of each.
  var isComplete: Bool { roster.available == nil && roster.isSettled }

  /// The available variants; nil for all.
  var available: [Bool]? { roster.available }

  /// See ``VariantAvailability/has(_:)``.
  @inline(__always)
  func has(_ variant: Int) -> Bool { roster.has(variant) }

  /// See ``VariantAvailability/thereCount``.
  var thereCount: Int { roster.thereCount }

  @inline(__always)
  mutating func learn(_ variant: Int, _ reward: Double) {
    var arm = arms[variant]
    arm.decisions &+= 1
    arm.rewarded &+= reward != 0 ? 1 : 0
    arm.sum += reward
    arm.squares += reward * reward
    arms[variant] = arm
    learned &+= 1
    roster.settle(variant)
  }

  /// Replaces the tallies by later ones.
  mutating func replace(_ later: [ArmTally], learned count: Int) {
    arms = later
    learned = count
  }

  /// See ``VariantAvailability/unchosen(_:)``.
  @inline(__always)
  mutating func unchosen(_ random: inout Xoshiro256) -> Choice? { roster.unchosen(&random) }

  /// See ``VariantAvailability/settle(_:)``.
  @inline(__always)
  mutating func settle(_ variant: Int) { roster.settle(variant) }

  /// See ``VariantAvailability/unchosenShare(of:)``.
  func unchosenShare(of variant: Int) -> Double? { roster.unchosenShare(of: variant) }

  mutating func offer(_ offered: [Bool]) {
    roster.offer(offered) { arms[$0].decisions > 0 }
  }

  /// See ``VariantAvailability/largest(_:_:)``.
  @inline(__always)
  func largest(_ random: inout Xoshiro256, _ index: (Int) -> Double) -> Choice {
    roster.largest(&random, index)
  }
}
