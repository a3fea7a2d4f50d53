internal import Events
internal import Specifications

/// Measures one unit at a time. Buffers are reused from unit to unit.
struct MetricRun: StateFields {
  /// What a term sums up for the unit at a place.
  private struct Measured {
    /// From the first exposure on.
    var sum = GoalSum()
    /// Before it.
    var before = GoalSum()
    /// Whether a goal or conversion counts: for the term `converted` one that is not negative.
    var isConverted = false
    /// Whether a conversion that is negative counts.
    var isReversed = false
  }

  /// The counts of what was read, and of what was excluded.
  private(set) var ledger = MetricLedger()
  private(set) var units: AssignedUnits
  private let formulas: MetricFormulas
  private let attribution: Attribution
  private let covariatePeriod: Int64?
  private let cap: Double?
  /// The caps of each arm by metric; empty if none is a percentile.
  private let caps: [[Double?]]
  private let calendar: DayCalendar

  /// The places where the unit is assigned to a variant.
  private var open: [AssignedUnits.Assignment] = []
  /// By place and term.
  private var measured: [Measured] = []
  private var store = GoalSums()
  /// By group of terms, which goals and conversions count, and how many.
  private var rules: [(attribution: Attribution, limit: GoalLimit)]

  /// The inactivity timeout of a visit, in microseconds.
  private static let visitGap: Int64 = 30 * 60_000_000

  init(_ context: UnitContext, _ projector: MetricProjector) {
    formulas = projector.formulas
    attribution = projector.attribution
    units = AssignedUnits(
      context, formulas.readsConversions ? attribution.of(.conversions) : attribution)
    rules = formulas.groups.map { group in
      let own = group.window.map { projector.attribution.limited(to: $0.length) } ?? projector.attribution
      return (own, GoalLimit(own))
    }
    covariatePeriod = projector.covariatePeriod
    cap = projector.cap
    caps = projector.caps.isEmpty ? [] : context.arms.map { projector.caps[$0.experiment] ?? [] }
    calendar = projector.calendar
  }

  mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&ledger, other.ledger)
  }

  /// Finds the assignments of a unit, or of one whose earlier history was loaded before and now goes on with exposures.
  ///
  /// - Returns: Whether the other events change nothing of what was counted before; if not, nothing was counted.
  @discardableResult
  mutating func load(_ history: Span<UnitEvent>, from start: Int = 0) -> Bool {
    if start > 0 {
      for index in start..<history.count where !history[index].kind.isExposure { return false }
    }
    var refused = 0
    let isLoaded = units.load(history, from: start, &ledger.assigned) { event, _, _ in
      if event.kind == .refusedGoal { refused += 1 }
    }
    // Metrics are divided by experiments, and a unit can be exposed in several of them.
    ledger.assigned.exposedUnits = 0
    ledger.refusedGoals += refused
    if isLoaded { open.append(contentsOf: units.newCounting) }
    return isLoaded
  }

  // MARK: Measurement

  /// Sums the events that count for the unit at each place.
  mutating func measure(_ history: Span<UnitEvent>) {
    measured.append(
      contentsOf: repeatElement(Measured(), count: open.count * formulas.terms.count))
    var lastActivity: Int64?
    for index in history.indices {
      let event = history[index]
      if event.kind.isNote { continue }
      switch event.kind {
      case .goal where formulas.readsGoals: take(index, of: history)
      case .conversion where formulas.readsConversions: take(index, of: history)
      case .decision: if let term = formulas.decisions { takeDecision(event, at: index, term) }
      default: break
      }
      guard let term = formulas.visits else { continue }
      takeVisit(event, at: index, isNew: isApart(event.time, from: lastActivity), term)
      lastActivity = event.time
    }
  }

  private mutating func take(_ index: Int, of history: Span<UnitEvent>) {
    let event = history[index]
    var isCounted = false
    for place in open.indices
    where units.places.isConcerned(byEventAt: index, of: history, open[place].place) {
      let isBefore = isBefore(event.time, open[place].time)
      for group in rules.indices where admits(event, isBefore, place, group) {
        isCounted = isCounted || !isBefore
        add(event, isBefore, place, group)
      }
    }
    if isCounted { ledger.countedGoals += 1 } else { ledger.uncountedGoals += 1 }
  }

  /// Returns whether an event counts at a place for the terms of a group.
  @inline(__always)
  private mutating func admits(_ event: UnitEvent, _ isBefore: Bool, _ place: Int, _ group: Int) -> Bool {
    let isOpen =
      isBefore
      ? attribution.isWithinBounds(event)
      : rules[group].attribution.outcome(of: event, since: open[place].time) == .counted
    return isOpen
      && rules[group].limit.admits(
        event.subject, at: open[place].place, isConversion: event.kind == .conversion,
        isBefore: isBefore)
  }

  private mutating func add(_ event: UnitEvent, _ isBefore: Bool, _ place: Int, _ group: Int) {
    for term in formulas.groups[group].terms where formulas.terms[term].takes(event) {
      if !isBefore {
        let index = place * formulas.terms.count + term
        if event.isConverting || formulas.terms[term].count != .converted { measured[index].isConverted = true }
        if !event.isConverting { measured[index].isReversed = true }
      }
      guard let worth = formulas.terms[term].worth(of: event) else { continue }
      if formulas.terms[term].countsOnce, count(isBefore, place, term) > 0 { continue }
      add(worth, isBefore, place, term)
    }
  }

  private mutating func takeDecision(_ event: UnitEvent, at index: Int, _ term: Int) {
    let own = units.places[event.subject]
    for place in open.indices where open[place].place == own {
      guard let isBefore = isSeenBefore(event.time, index, place) else { continue }
      add(1, isBefore, place, term)
    }
  }

  private mutating func takeVisit(_ event: UnitEvent, at index: Int, isNew: Bool, _ term: Int) {
    for place in open.indices {
      guard let isBefore = isSeenBefore(event.time, index, place),
        isNew || count(isBefore, place, term) == 0
      else { continue }
      add(1, isBefore, place, term)
    }
  }

  private func isApart(_ time: Int64, from last: Int64?) -> Bool {
    guard let last else { return true }
    let (gap, isOver) = time.subtractingReportingOverflow(last)
    return isOver || gap > Self.visitGap
  }

  /// Returns whether an event that needs no delay happened before the first exposure, in the period of the covariate;
  /// false if at or after it, within the window of goals, and nil if in neither.
  private func isSeenBefore(_ time: Int64, _ index: Int, _ place: Int) -> Bool? {
    let since = open[place].time
    if index >= open[place].index, attribution.hasSeen(time),
      attribution.window.map({ time <= Attribution.sum(since, Attribution.sum($0, attribution.delay)) }) ?? true
    {
      return false
    }
    return isBefore(time, since) ? true : nil
  }

  private func isBefore(_ time: Int64, _ since: Int64) -> Bool {
    guard let covariatePeriod, time < since else { return false }
    let (start, isOver) = since.subtractingReportingOverflow(covariatePeriod)
    return isOver || time >= start
  }

  private mutating func add(_ value: Double, _ isBefore: Bool, _ place: Int, _ term: Int) {
    let index = place * formulas.terms.count + term
    if isBefore {
      store.add(value, to: &measured[index].before)
    } else {
      store.add(value, to: &measured[index].sum)
    }
  }

  private func count(_ isBefore: Bool, _ place: Int, _ term: Int) -> Int32 {
    let measured = measured[place * formulas.terms.count + term]
    return isBefore ? measured.before.count : measured.sum.count
  }

  // MARK: Tallying

  /// Adds the metrics of the unit with a hash to those of its segments.
  func tally(unit: UInt64, into table: inout SegmentTable<MetricTallyList>) {
    let isPaired = covariatePeriod != nil
    for (index, assignment) in open.enumerated() {
      let segment = table.place(of: assignment.arm, assignment.value)
      table.tallies[segment].units += 1
      let first = index * formulas.terms.count
      for (metric, formula) in formulas.formulas.enumerated() {
        let numerator = measured[first + formula.numerator]
        let denominator = formula.denominator.map { measured[first + $0] }
        let cap = cap(of: metric, assignment.arm)
        // Any decision or visit makes a converter.
        let takesGoal = formulas.terms[formula.numerator].count.takesGoal
        table.tallies[segment].metrics[metric].add(
          MetricTally.Unit(
            value: value(of: numerator.sum, cappedAt: cap), over: denominator.map { store.value(of: $0.sum) },
            covariate: isPaired ? value(of: numerator.before, cappedAt: cap) : nil,
            covariateOver: isPaired ? denominator.map { store.value(of: $0.before) } : nil,
            isConverter: takesGoal ? numerator.isConverted : numerator.sum.count > 0,
            isReversed: numerator.isReversed, hash: unit))
      }
    }
  }

  /// Adds the unit's new first exposures to those of their segments.
  func addExposures(of history: Span<UnitEvent>, to table: inout SegmentTable<FirstExposures>) {
    for assignment in units.new {
      table.tallies[table.place(of: assignment.arm, assignment.value)].add(assignment, of: history)
    }
  }

  /// Counts the unit on the day of its first exposure at each place.
  func countDays(into days: inout [UInt32: MetricProjector.DayCounts]) {
    for assignment in open {
      let day = calendar.day(of: assignment.time)
      days[assignment.arm, default: .init()].units[day, default: 0] += 1
    }
  }

  /// Returns the cap of a metric of an arm; nil for none.
  private func cap(of metric: Int, _ arm: UInt32) -> Double? {
    let formula = formulas.formulas[metric]
    guard formula.isCapped else { return nil }
    let own = caps.isEmpty || caps[Int(arm)].isEmpty ? nil : caps[Int(arm)][metric]
    return own ?? formula.cap ?? cap
  }

  private func value(of sum: GoalSum, cappedAt cap: Double?) -> Double {
    let value = store.value(of: sum)
    return cap.map { min(value, $0) } ?? value
  }

  /// Forgets the current unit.
  mutating func end() {
    open.removeAll(keepingCapacity: true)
    measured.removeAll(keepingCapacity: true)
    store.removeAll()
    for group in rules.indices { rules[group].limit.removeAll() }
  }
}
