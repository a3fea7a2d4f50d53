internal import Statistics

/// Credits the goals of one unit at a time. Buffers are reused from unit to unit.
package struct RewardRun: Sendable {
  /// A counted decision of the unit, and its reward.
  package struct Rewarded: Sendable {
    /// The index of the decision in the history.
    package var index: Int
    /// The index of the segment in the table.
    package var segment: Int
    /// The index of the value in the dimension.
    package var value: UInt32
    var reward = GoalSum()
  }

  private let attribution: Attribution
  private let signal: RewardSignal
  private let keepsDecisions: Bool
  private let fillsTable: Bool
  /// The counted decisions of the most recent unit, in no particular order; empty unless they are kept.
  private(set) var rewarded: [Rewarded] = []
  private var open: OpenDecisions<Rewarded>
  /// The rewards of the unit so far, by segment of the table.
  private var units: [(segment: Int, sum: GoalSum)] = []
  /// By segment of the table, the last known index of its reward in ``units``; may be stale.
  private var lastUnits: [Int32] = []
  private var sums = GoalSums()
  private var value: UInt32 = 0

  /// Creates a run.
  ///
  /// - Parameters:
  ///   - arms: The arms of the log.
  ///   - attribution: How goals are credited.
  ///   - keepsDecisions: Whether the decisions of the most recent unit are kept.
  ///   - fillsTable: Whether rewards are added to the table.
  init(
    _ arms: [Arm], _ attribution: Attribution, keepingDecisions keepsDecisions: Bool = false,
    fillingTable fillsTable: Bool = true
  ) {
    self.attribution = attribution
    signal = attribution.metric.signal
    self.keepsDecisions = keepsDecisions
    self.fillsTable = fillsTable
    open = OpenDecisions(arms, attribution)
  }

  /// The places of the log.
  var places: Places { open.places }

  /// Returns the reward of a decision of the most recent unit, rounded once.
  func reward(of decision: Rewarded) -> Double { sums.value(of: decision.reward) }

  /// Adds the reward of a decision of the most recent unit to a sum, without rounding.
  func add(_ decision: Rewarded, to sum: inout ExactSum) {
    sums.add(decision.reward, to: &sum)
  }

  /// Credits the goals of a unit.
  mutating func take(
    _ history: Span<UnitEvent>, _ table: inout SegmentTable<RewardTally>,
    _ ledger: inout RewardLedger
  ) {
    value = 0
    if keepsDecisions { rewarded.removeAll(keepingCapacity: true) }
    sums.removeAll()
    for index in history.indices {
      let event = history[index]
      switch event.kind {
      case .decision:
        guard attribution.counts(decisionAt: event.time, &ledger) else { continue }
        let decision = Rewarded(
          index: index, segment: fillsTable ? table.place(of: event.subject, value) : 0, value: value)
        if let ended = open.open(event, decision) { end(ended, &table) }
      case .goal, .conversion:
        if signal.takes(event) { credit(history, index, &table, &ledger) }
      case .dimension, .dataDimension: value = event.subject
      default: ledger.count(event, signal)
      }
    }
    for index in open.decisions.indices { end(open.decisions[index].kept, &table) }
    open.removeAll()
    endUnit(&table)
  }

  private mutating func credit(
    _ history: Span<UnitEvent>, _ index: Int, _ table: inout SegmentTable<RewardTally>,
    _ ledger: inout RewardLedger
  ) {
    ledger.count(open.credit(goalAt: index, of: history))
    guard let worth = signal.worth(of: history[index]) else { return }
    var experiment: UInt32?
    for credit in open.credits {
      if signal.countsOnce, open.decisions[credit.decision].kept.reward.count > 0 { continue }
      ledger.goals.count(
        history[index].subject, in: open.decisions[credit.decision].experiment,
        after: &experiment)
      let part = worth / credit.divisor
      sums.add(part, to: &open.decisions[credit.decision].kept.reward)
      guard fillsTable else { continue }
      table.tallies[open.decisions[credit.decision].kept.segment].total.add(part)
    }
  }

  /// Adds a finished decision to the table: no later goal can be credited to it.
  private mutating func end(_ decision: Rewarded, _ table: inout SegmentTable<RewardTally>) {
    if keepsDecisions { rewarded.append(decision) }
    guard fillsTable else { return }
    table.tallies[decision.segment].rewards += Int(decision.reward.count)
    add(sums.value(of: decision.reward), to: decision.segment, &table)
  }

  private mutating func add(
    _ reward: Double, to segment: Int, _ table: inout SegmentTable<RewardTally>
  ) {
    table.tallies[segment].perDecision.add(reward)
    let more = segment + 1 - lastUnits.count
    if more > 0 { lastUnits.append(contentsOf: repeatElement(0, count: more)) }
    let index = Int(lastUnits[segment])
    if index < units.count, units[index].segment == segment {
      sums.add(reward, to: &units[index].sum)
    } else {
      var sum = GoalSum()
      sums.add(reward, to: &sum)
      lastUnits[segment] = Int32(truncatingIfNeeded: units.count)
      units.append((segment, sum))
    }
  }

  private mutating func endUnit(_ table: inout SegmentTable<RewardTally>) {
    for (segment, sum) in units { table.tallies[segment].perUnit.add(sums.value(of: sum)) }
    units.removeAll(keepingCapacity: true)
  }
}
