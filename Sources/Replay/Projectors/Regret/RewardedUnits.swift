internal import Statistics

/// The counted decisions of one unit after the other with what was credited to each, and of all units together the tallies of
/// report `rewards`.
struct RewardedUnits: Sendable {
  private var run: RewardRun
  private(set) var table = SegmentTable(RewardTally())
  private(set) var ledger = RewardLedger()
  private let arms: [Arm]

  init(_ context: UnitContext, _ attribution: Attribution) {
    arms = context.arms
    run = RewardRun(context.arms, attribution, keepingDecisions: true)
  }

  /// The counted decisions of the unit that was taken last, in no order that means anything.
  var decisions: [RewardRun.Rewarded] { run.rewarded }

  /// What was credited to one of them, rounded once.
  func reward(of decision: RewardRun.Rewarded) -> Double { run.reward(of: decision) }

  /// Adds what was credited to one of them, not rounded.
  func add(_ decision: RewardRun.Rewarded, to sum: inout ExactSum) { run.add(decision, to: &sum) }

  /// The number of the place of an arm: the same for the same experiment, point and slot.
  func place(of arm: UInt32) -> UInt32 { run.places[arm] }

  /// Code of the variant of an arm.
  func variant(of arm: UInt32) -> UInt32 { arms[Int(arm)].variant }

  /// Takes the history of a unit.
  mutating func take(_ history: Span<UnitEvent>) {
    run.take(history, &table, &ledger)
  }

  mutating func merge(_ other: RewardedUnits) {
    table.merge(other.table) { $1.merge($0) }
    ledger.merge(other.ledger)
  }
}
