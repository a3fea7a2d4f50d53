package import Specifications
package import Statistics

/// The counted decisions of one unit at a time with the reward of each, and the tallies of the report `rewards` over
/// all units.
package struct RewardedUnits: StateFields {
  private var run: RewardRun
  package private(set) var table = SegmentTable(RewardTally())
  package var ledger = RewardLedger()
  private let arms: [Arm]

  /// Creates an instance without units, which fills the ``table`` or leaves it empty.
  package init(
    _ context: UnitContext, _ attribution: Attribution, fillingTable fillsTable: Bool = true
  ) {
    arms = context.arms
    run = RewardRun(
      context.arms, attribution, keepingDecisions: true, fillingTable: fillsTable)
  }

  /// The counted decisions of the most recent unit, in no particular order.
  package var decisions: [RewardRun.Rewarded] { run.rewarded }

  /// Returns the reward of a decision, rounded once.
  package func reward(of decision: RewardRun.Rewarded) -> Double { run.reward(of: decision) }

  /// Adds the unrounded reward of a decision to a sum.
  package func add(_ decision: RewardRun.Rewarded, to sum: inout ExactSum) { run.add(decision, to: &sum) }

  /// Returns the record of a decision of the most recent unit.
  package func record(_ decision: RewardRun.Rewarded, of history: Span<UnitEvent>) -> CreditedDecision {
    let event = history[decision.index]
    var record = CreditedDecision(
      unit: event.unit, index: decision.index, place: place(of: event.subject),
      variant: variant(of: event.subject), propensity: event.hasNumber ? event.number : .nan,
      reward: reward(of: decision), time: event.time, value: decision.value)
    var note = decision.index - 1
    while note >= 0, history[note].kind.isDecisionNote {
      switch history[note].kind {
      case .situation: record.situation = history[note].subject
      case .probabilities: record.probabilities = history[note].subject
      default: break
      }
      note -= 1
    }
    return record
  }

  /// Returns the number of the place of an arm: equal for equal experiment, point and slot.
  package func place(of arm: UInt32) -> UInt32 { run.places[arm] }

  /// Returns the code of the variant of an arm.
  package func variant(of arm: UInt32) -> UInt32 { arms[Int(arm)].variant }

  /// Processes the history of a unit.
  package mutating func take(_ history: Span<UnitEvent>) {
    run.take(history, &table, &ledger)
  }

  package mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&table, other.table)
    visit(&ledger, other.ledger)
  }
}
