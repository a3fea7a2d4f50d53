internal import Statistics

/// Adds one unit at a time to a series. Buffers are reused from unit to unit.
struct SeriesRun: Sendable {
  /// The data kept of a decision.
  private struct Kept {
    /// The index of the segment in the table.
    var segment: Int
    /// The period that the decision belongs to.
    var period: Int64
    var reward = SmallSum()
  }

  /// A segment with a decision of the unit.
  private struct Seen {
    var segment: Int
    /// The period of its first decision there.
    var joined: Int64
    /// The last period in which the unit was counted as active.
    var active: Int64
  }

  private let attribution: Attribution
  private let signal: RewardSignal
  private var open: OpenDecisions<Kept>
  private var seen: [Seen] = []

  init(_ arms: [Arm], _ attribution: Attribution) {
    self.attribution = attribution
    signal = attribution.metric.signal
    open = OpenDecisions(arms, attribution)
  }

  /// Adds all events of a unit.
  mutating func add(
    _ history: Span<UnitEvent>, _ series: SeriesProjector,
    _ table: inout SegmentTable<PeriodTable>, _ ledger: inout RewardLedger
  ) {
    var value: UInt32 = 0
    for index in history.indices {
      let event = history[index]
      switch event.kind {
      case .decision:
        guard attribution.counts(decisionAt: event.time, &ledger) else { continue }
        decide(event, value, series, &table)
      case .goal, .conversion:
        if signal.takes(event) { credit(history, index, series, &table, &ledger) }
      case .dimension, .dataDimension: value = event.subject
      default: ledger.count(event, signal)
      }
    }
    open.removeAll()
    seen.removeAll(keepingCapacity: true)
  }

  // MARK: Decisions

  private mutating func decide(
    _ event: UnitEvent, _ value: UInt32, _ series: SeriesProjector,
    _ table: inout SegmentTable<PeriodTable>
  ) {
    let segment = table.place(of: event.subject, value)
    let now = series.period.index(of: event.time, in: series.calendar)
    let (joined, isNew, isActive) = see(segment, now, series.basis)
    let period = series.basis == .event ? now : joined
    table.tallies[segment].change(period) { tally in
      tally.decisions += 1
      tally.newUnits += isNew ? 1 : 0
      tally.activeUnits += isActive ? 1 : 0
      tally.perDecision.add(0)
      tally.rewardsOfDecisions.add(0)
      if event.hasNumber {
        tally.decisionsWithPropensity += 1
        tally.propensitySum.add(event.number)
      }
    }
    _ = open.open(event, Kept(segment: segment, period: period))
  }

  /// Records a decision of the unit for a segment. Returns the period of its first decision there, whether this is the
  /// first, and whether it is the first that counts as activity in its period.
  private mutating func see(_ segment: Int, _ now: Int64, _ basis: SeriesProjector.Basis) -> (
    joined: Int64, isNew: Bool, isActive: Bool
  ) {
    guard let index = seen.firstIndex(where: { $0.segment == segment }) else {
      seen.append(Seen(segment: segment, joined: now, active: now))
      return (now, true, true)
    }
    let isActive = basis == .event && seen[index].active != now
    seen[index].active = now
    return (seen[index].joined, false, isActive)
  }

  // MARK: Goals

  private mutating func credit(
    _ history: Span<UnitEvent>, _ index: Int, _ series: SeriesProjector,
    _ table: inout SegmentTable<PeriodTable>, _ ledger: inout RewardLedger
  ) {
    ledger.count(open.credit(goalAt: index, of: history))
    guard let worth = signal.worth(of: history[index]) else { return }
    let now = series.period.index(of: history[index].time, in: series.calendar)
    var experiment: UInt32?
    for credit in open.credits {
      let isFirst = open.decisions[credit.decision].kept.reward.count == 0
      guard isFirst || !signal.countsOnce else { continue }
      ledger.goals.count(
        history[index].subject, in: open.decisions[credit.decision].experiment,
        after: &experiment)
      let old = open.decisions[credit.decision].kept.reward.value
      open.decisions[credit.decision].kept.reward.add(worth)
      let decision = open.decisions[credit.decision].kept
      let new = decision.reward.value
      let period = series.basis == .event ? now : decision.period
      table.tallies[decision.segment].change(period) { tally in
        tally.rewards += 1
        tally.rewardSum.add(worth)
        if new != old { tally.perDecision.replace(old, with: new) }
      }
      guard new != old else { continue }
      table.tallies[decision.segment].change(decision.period) { tally in
        tally.rewardsOfDecisions.replace(old, with: new)
      }
    }
  }
}
