internal import Statistics

/// A counted decision as evaluation sees it.
struct EvaluationRow: Sendable, Equatable {
  /// The number of the place: experiment, point and slot.
  var place: UInt32
  /// The code of the chosen variant.
  var variant: UInt32
  /// The index of the situation in the context of the units.
  var situation: UInt32
  /// The index of the logged probabilities in the context; nil if there are none.
  var probabilities: UInt32?
  /// The probability with which the variant was chosen.
  var propensity: Double
  /// The reward credited to the decision.
  var reward: Double
  /// The time, in microseconds since 1970-01-01T00:00:00Z.
  var time: Int64 = 0
}

/// Counts of the decisions that an evaluation uses, and of those that it leaves out, by reason.
public struct EvaluationLedger: Sendable, Equatable {
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

  /// Creates counts of nothing.
  public init() {}

  /// Adds the counts of another instance.
  public mutating func merge(_ other: EvaluationLedger) {
    decisions += other.decisions
    units += other.units
    withoutPropensity += other.withoutPropensity
    wrongPropensity += other.wrongPropensity
    unknownVariant += other.unknownVariant
  }
}

/// The decisions of one unit at a time that an evaluation uses, in the order of the unit's history. Decisions and rewards
/// are those of ``RewardProjector``.
struct EvaluationRows: Sendable {
  private var units: RewardedUnits
  private var order: [(index: Int, reward: Double)] = []
  /// The decisions of the most recent unit.
  private(set) var rows: [EvaluationRow] = []
  private(set) var ledger = EvaluationLedger()

  init(_ context: UnitContext, _ attribution: Attribution) {
    units = RewardedUnits(context, attribution)
  }

  /// The ledger of the attribution.
  var rewardLedger: RewardLedger { units.ledger }

  /// Processes the history of a unit.
  mutating func take(_ history: Span<UnitEvent>, _ situations: SituationRegister) {
    rows.removeAll(keepingCapacity: true)
    order.removeAll(keepingCapacity: true)
    units.take(history)
    for decision in units.decisions {
      order.append((decision.index, units.reward(of: decision)))
    }
    if order.count > 1 { order.sort { $0.index < $1.index } }
    for (index, reward) in order {
      if let row = row(at: index, of: history, reward, situations) { rows.append(row) }
    }
    ledger.decisions += rows.count
    if !rows.isEmpty { ledger.units += 1 }
  }

  /// Returns the row of a decision; nil if it is left out, which is counted.
  private mutating func row(
    at index: Int, of history: Span<UnitEvent>, _ reward: Double, _ situations: SituationRegister
  ) -> EvaluationRow? {
    let event = history[index]
    guard event.hasNumber else {
      ledger.withoutPropensity += 1
      return nil
    }
    guard event.number > 0, event.number <= 1 else {
      ledger.wrongPropensity += 1
      return nil
    }
    var row = EvaluationRow(
      place: units.place(of: event.subject), variant: units.variant(of: event.subject),
      situation: 0, probabilities: nil, propensity: event.number, reward: reward,
      time: event.time)
    var note = index - 1
    while note >= 0, history[note].kind.isDecisionNote {
      switch history[note].kind {
      case .situation: row.situation = history[note].subject
      case .probabilities: row.probabilities = history[note].subject
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

  mutating func merge(_ other: EvaluationRows) {
    units.merge(other.units)
    ledger.merge(other.ledger)
  }
}
