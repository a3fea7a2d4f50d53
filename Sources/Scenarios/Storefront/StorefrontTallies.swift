import Events
import Statistics

/// Running counts of what the shop has generated.
struct StorefrontTallies {
  /// Counted decisions and their rewards.
  struct Cell {
    var decisions = 0
    var rewards = 0
    var sum = ExactSum()
  }

  /// The cells of one slot.
  struct Slot {
    /// By variant.
    var cells: [Cell]
    /// Decisions and rewards by variant and device.
    var byDevice: [[(decisions: Int, rewards: Int)]]
  }

  private(set) var counts = Truth.Counts()
  private(set) var slots: [[Slot]]
  private(set) var goals: [Int]
  private(set) var refusedGoals: [Int]
  private(set) var signups = 0
  private(set) var purchases = 0
  private(set) var returns = 0
  private(set) var revenue = ExactSum()
  private var latest = Timestamp.earliest

  init(_ experiments: [StorefrontExperiment]) {
    let none = UnitTraits.devices.map { _ in (decisions: 0, rewards: 0) }
    slots = experiments.map { experiment in
      experiment.slots.map { slot in
        Slot(
          cells: slot.variants.map { _ in Cell() }, byDevice: slot.variants.map { _ in none })
      }
    }
    goals = experiments.map { _ in 0 }
    refusedGoals = goals
  }

  /// Counts a decision that counts, in every slot, and the goal that it will have.
  mutating func count(
    decisionIn index: Int, first: Int, second: Int, device: Int, isRewarded: Bool
  ) {
    for slot in slots[index].indices {
      let variant = slot == 0 ? first : second
      slots[index][slot].cells[variant].decisions += 1
      slots[index][slot].byDevice[variant][device].decisions += 1
      guard isRewarded else { continue }
      slots[index][slot].cells[variant].rewards += 1
      slots[index][slot].byDevice[variant][device].rewards += 1
    }
    if isRewarded { goals[index] += 1 }
  }

  /// Adds the value of the future goal of a decision.
  mutating func count(cents: Int, in index: Int, variant: Int) {
    slots[index][0].cells[variant].sum.add(Double(cents) / 100)
  }

  /// Counts the refund of the goal of a decision.
  mutating func count(refundOf cents: Int, in index: Int, variant: Int) {
    goals[index] += 1
    slots[index][0].cells[variant].rewards += 1
    count(cents: -cents, in: index, variant: variant)
  }

  mutating func count(refusedGoalIn index: Int) {
    refusedGoals[index] += 1
  }

  mutating func countSignup() {
    signups += 1
  }

  mutating func count(revenue cents: Int, isNegative: Bool) {
    let amount = Double(cents) / 100
    revenue.add(isNegative ? -amount : amount)
    if isNegative { returns += 1 } else { purchases += 1 }
  }

  /// Counts an event that is returned.
  mutating func count(_ record: EventRecord) {
    if record.time < latest { counts.outOfOrder += 1 } else { latest = record.time }
    switch record.kind {
    case .decision:
      switch record.status {
      case .provisional: counts.provisional += 1
      case .repeated: counts.repeated += 1
      case .excluded: counts.excluded += 1
      default: counts.confirmed += 1
      }
    case .goal: if record.status == .refused { counts.refused += 1 } else { counts.accepted += 1 }
    case .conversion: counts.conversions += 1
    case .dataPoint: counts.dataPoints += 1
    default: counts.decisionsConfirmed += 1
    }
  }
}
