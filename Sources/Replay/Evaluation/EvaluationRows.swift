internal import Specifications

/// A counted decision as evaluation sees it.
package struct EvaluationRow: Sendable, Equatable {
  /// The index of the decision in the history of its unit.
  package var index: Int
  /// The number of the place: experiment, point and slot.
  package var place: UInt32
  /// The code of the chosen variant.
  package var variant: UInt32
  /// The index of the situation in the context of the units.
  package var situation: UInt32
  /// The index of the logged probabilities in the context; nil if there are none.
  package var probabilities: UInt32?
  /// The probability with which the variant was chosen.
  package var propensity: Double
  /// The reward credited to the decision.
  package var reward: Double
  /// The time of the decision, in microseconds.
  package var time: Int64 = 0
  /// The number of the logging policy: the index of its name among the values of the context, 0 if it is unknown or not
  /// needed.
  package var logger: UInt32 = 0
  /// The number of the whole decision among those of the unit: decisions in a row at the same point and time, each in
  /// another slot.
  package var whole = 0
  /// Whether a decision of the same whole decision was left out.
  package var isIncomplete = false

  /// Creates a decision.
  package init(
    index: Int, place: UInt32, variant: UInt32, situation: UInt32, probabilities: UInt32? = nil,
    propensity: Double, reward: Double, time: Int64 = 0, logger: UInt32 = 0, whole: Int = 0
  ) {
    (self.index, self.place, self.variant, self.situation) = (index, place, variant, situation)
    (self.probabilities, self.propensity, self.reward) = (probabilities, propensity, reward)
    (self.time, self.logger, self.whole) = (time, logger, whole)
  }
}

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
  private var order: [(index: Int, reward: Double)] = []
  private var whole = WholeDecisions()
  /// The decisions of the most recent unit.
  package private(set) var rows: [EvaluationRow] = []
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
    order.removeAll(keepingCapacity: true)
    units.take(history)
    for decision in units.decisions {
      order.append((decision.index, units.reward(of: decision)))
    }
    if order.count > 1 { order.sort { $0.index < $1.index } }
    whole = WholeDecisions()
    for (index, reward) in order {
      let place = units.place(of: history[index].subject)
      if whole.begins(time: history[index].time, point: points[Int(place)], place) { endWhole() }
      if let row = row(at: index, of: history, reward, situations) {
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

  /// Returns the row of a decision; nil if it is left out, which is counted.
  private mutating func row(
    at index: Int, of history: Span<UnitEvent>, _ reward: Double, _ situations: SituationRegister
  ) -> EvaluationRow? {
    let event = history[index]
    guard part.contains(event.time) else { return nil }
    guard event.hasNumber else {
      ledger.withoutPropensity += 1
      return nil
    }
    guard event.number > 0, event.number <= 1 else {
      ledger.wrongPropensity += 1
      return nil
    }
    var row = EvaluationRow(
      index: index, place: units.place(of: event.subject),
      variant: units.variant(of: event.subject), situation: 0, probabilities: nil,
      propensity: event.number, reward: reward, time: event.time, whole: whole.number)
    var note = index - 1
    while note >= 0, history[note].kind.isDecisionNote {
      switch history[note].kind {
      case .situation: row.situation = history[note].subject
      case .probabilities: row.probabilities = history[note].subject
      case .dimension: row.logger = history[note].subject
      default: break
      }
      note -= 1
    }
    let choices = situations.lists[situations.list(of: row.situation)]
    guard choices.isEmpty || choices.contains(row.variant) else {
      ledger.unknownVariant += 1
      return nil
    }
    return row
  }

  /// Visits the ledgers, which are all that is left of units.
  mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&units.ledger, other.units.ledger)
    visit(&ledger, other.ledger)
  }
}
