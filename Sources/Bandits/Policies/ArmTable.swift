internal import Statistics

/// The tally of each variant, with an initial round.
///
/// Variants never chosen and without rewards come first, in random order.
struct ArmTable: Sendable {
  /// The tally of each variant.
  private(set) var arms: [ArmTally]
  /// The number of rewards learned.
  private(set) var learned = 0
  /// The available variants, and those that come first.
  var roster: VariantAvailability

  init(_ variants: Int) {
    arms = [ArmTally](repeating: ArmTally(), count: variants)
    roster = VariantAvailability(variants)
  }

  var indices: Range<Int> { arms.indices }

  /// Whether all variants are available, and there is a reward or a choice of each.
  var isComplete: Bool { roster.available == nil && roster.isSettled }

  /// The variant with the best mean, the first one if tied.
  var leader: Int { indices.reduce(0) { arms[$1].mean > arms[$0].mean ? $1 : $0 } }

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

  mutating func offer(_ offered: [Bool]) {
    roster.offer(offered) { arms[$0].decisions > 0 }
  }
}
