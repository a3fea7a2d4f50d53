internal import Statistics

/// Adds one unit after the other to a series; what it holds between two units is memory that is used again.
struct SeriesRun: Sendable {
  /// A decision that may get goals.
  private struct Open {
    var place: UInt32
    var experiment: UInt32
    /// Of the table.
    var segment: Int
    var time: Int64
    /// The period of the unit's first decision for the segment.
    var joined: Int64
    /// The decision of the place before it, which matters when there is a delay; -1 where there is none.
    var previous: Int
    var reward = SmallSum()
  }

  /// A segment in which the unit was.
  private struct Seen {
    var segment: Int
    /// The period of its first decision there.
    var joined: Int64
    /// The last period in which it was counted as active.
    var active: Int64
  }

  /// By arm: the number of its experiment, point and slot.
  private let places: [UInt32]
  private var open: [Open] = []
  /// The latest decision of each place, in ``open``.
  private var latest: [Int] = []
  private var seen: [Seen] = []
  private var counted = GoalLimit()

  init(_ arms: [Arm]) {
    places = ArmRegister.places(of: arms)
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
        guard series.attribution.counts(decisionAt: event.time, &ledger) else { continue }
        decide(event, value, series, &table)
      case .goal: credit(event, series, &table, &ledger)
      case .dimension: value = event.subject
      default: ledger.count(event.kind)
      }
    }
    open.removeAll(keepingCapacity: true)
    latest.removeAll(keepingCapacity: true)
    seen.removeAll(keepingCapacity: true)
    counted.reset()
  }

  // MARK: Decisions

  private mutating func decide(
    _ event: UnitEvent, _ value: UInt32, _ series: SeriesProjector,
    _ table: inout SegmentTable<PeriodTable>
  ) {
    let segment = table.place(of: event.subject, value)
    let now = series.period.index(of: event.time)
    let (joined, isNew, isActive) = see(segment, now, series.basis)
    table.tallies[segment].change(series.basis == .event ? now : joined) { tally in
      tally.decisions += 1
      tally.newUnits += isNew ? 1 : 0
      tally.activeUnits += isActive ? 1 : 0
      tally.perDecision.add(0)
      if event.hasNumber {
        tally.decisionsWithPropensity += 1
        tally.propensitySum.add(event.number)
      }
    }
    let decision = Open(
      place: places[Int(event.subject)], experiment: event.experiment, segment: segment,
      time: event.time, joined: joined, previous: -1)
    begin(decision, keepsEarlier: series.attribution.delay > 0)
  }

  /// Notes that the unit has a decision for a segment: since when, whether it is the first, and the first that counts for
  /// being active.
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

  /// A decision takes the place of the one before it, which is kept when a goal may be too early for the latest.
  private mutating func begin(_ decision: Open, keepsEarlier: Bool) {
    guard let index = latest.firstIndex(where: { open[$0].place == decision.place }) else {
      latest.append(open.count)
      open.append(decision)
      return
    }
    guard keepsEarlier else {
      open[latest[index]] = decision
      return
    }
    var decision = decision
    decision.previous = latest[index]
    latest[index] = open.count
    open.append(decision)
  }

  // MARK: Goals

  private mutating func credit(
    _ event: UnitEvent, _ series: SeriesProjector, _ table: inout SegmentTable<PeriodTable>,
    _ ledger: inout RewardLedger
  ) {
    let now = series.period.index(of: event.time)
    var hasDecision = false
    var isCredited = false
    for start in latest where open[start].experiment == event.experiment {
      hasDecision = true
      guard let index = credited(event, from: start, series.attribution),
        counted.admits(event.subject, open[index].place, series.attribution.mostGoals)
      else { continue }
      isCredited = true
      let old = open[index].reward.value
      open[index].reward.add(event.number)
      let new = open[index].reward.value
      let period = series.basis == .event ? now : open[index].joined
      table.tallies[open[index].segment].change(period) { tally in
        tally.rewards += 1
        tally.rewardSum.add(event.number)
        if new != old { tally.perDecision.replace(old, with: new) }
      }
    }
    ledger.countGoal(hasDecision: hasDecision, isCredited: isCredited)
  }

  /// The latest decision of a place that may have the goal.
  private func credited(_ event: UnitEvent, from start: Int, _ attribution: Attribution) -> Int? {
    var index = start
    while index >= 0 {
      if attribution.admits(event, since: open[index].time) { return index }
      index = open[index].previous
    }
    return nil
  }
}
