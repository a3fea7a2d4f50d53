internal import Specifications

/// Counts of the decisions that an evaluation uses, and of those that it leaves out, by reason.
public struct EvaluationLedger: Ledger, Equatable {
  /// Decisions with a usable propensity.
  public internal(set) var decisions = 0
  /// Units with such a decision.
  public internal(set) var units = 0
  /// Counted decisions without a propensity, which say nothing about another policy.
  public internal(set) var withoutPropensity = 0
  /// Counted decisions whose propensity is not in (0, 1].
  public internal(set) var wrongPropensity = 0
  /// Counted decisions whose variant is not among their choices.
  public internal(set) var unknownVariant = 0
  /// Whole decisions (of several slots of a point at the same time) with a used decision and one that was left out.
  /// They are left out of estimates of whole decisions.
  public internal(set) var incomplete = 0

  /// Creates counts of nothing.
  public init() {}

  public static let counts: LedgerCounts<Self> =
    .unnamed(\.decisions, \.units) + [
      "decisions_without_propensity": \.withoutPropensity,
      "decisions_with_wrong_propensity": \.wrongPropensity,
      "decisions_with_unknown_variant": \.unknownVariant,
    ] + .unnamed(\.incomplete)
}

/// The decisions of one unit at a time that an evaluation uses, in the order of the unit's history. Decisions and
/// rewards are those of ``RewardProjector``.
package struct EvaluationRows: StateFields {
  private var units: RewardedUnits
  private let part: DecisionPart
  private var counted: [RewardRun.Rewarded] = []
  private var whole = WholeDecisions()
  /// The decisions of the most recent unit.
  package private(set) var rows: [CreditedDecision] = []
  package private(set) var ledger = EvaluationLedger()
  /// By number of the place, the code of its point.
  private let points: [UInt32]

  package init(_ context: UnitContext, _ attribution: Attribution, _ part: DecisionPart = .all) {
    units = RewardedUnits(context, attribution, fillingTable: false)
    self.part = part
    points = Places(context.arms).names.map(\.point)
  }

  /// The ledger of the attribution.
  package var rewardLedger: RewardLedger { units.ledger }

  /// Processes the history of a unit.
  package mutating func take(_ history: Span<UnitEvent>, _ situations: SituationRegister) {
    rows.removeAll(keepingCapacity: true)
    counted.removeAll(keepingCapacity: true)
    units.take(history)
    counted += units.decisions
    if counted.count > 1 { counted.sort { $0.index < $1.index } }
    whole = WholeDecisions()
    for decision in counted {
      var row = units.record(decision, of: history)
      if whole.begins(time: row.time, point: points[Int(row.place)], row.place) { endWhole() }
      if isUsed(row, history[decision.index].hasNumber, situations) {
        row.whole = whole.number
        rows.append(row)
      } else {
        whole.isIncomplete = true
      }
    }
    endWhole()
    ledger.decisions += rows.count
    if !rows.isEmpty { ledger.units += 1 }
  }

  /// Ends the current whole decision, if there is one, and numbers the next.
  private mutating func endWhole() {
    if whole.isIncomplete, whole.start < rows.count {
      ledger.incomplete += 1
      for index in whole.start..<rows.count { rows[index].isIncomplete = true }
    }
    whole.end(rows.count)
  }

  /// Returns whether a decision is used; counts one that is left out.
  private mutating func isUsed(
    _ row: CreditedDecision, _ hasPropensity: Bool, _ situations: SituationRegister
  ) -> Bool {
    guard part.contains(row.time) else { return false }
    guard hasPropensity else {
      ledger.withoutPropensity += 1
      return false
    }
    guard row.propensity > 0, row.propensity <= 1 else {
      ledger.wrongPropensity += 1
      return false
    }
    let choices = situations.lists[situations.list(of: row.situation)]
    guard choices.isEmpty || choices.contains(row.variant) else {
      ledger.unknownVariant += 1
      return false
    }
    return true
  }

  /// Visits the ledgers, which are all that is left of units.
  mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&units.ledger, other.units.ledger)
    visit(&ledger, other.ledger)
  }
}
