/// Measures one unit at a time. Buffers are reused from unit to unit.
struct MetricRun: Sendable {
  /// A place where the unit is assigned to a variant.
  private struct Place {
    var assignment: Assignments.Assignment
    /// Whether there was a visit after, and before, the first exposure.
    var hasVisits = (false, false)
  }

  private let formulas: MetricFormulas
  /// The rule that determines which assignments count, and the time after which exposures do not.
  private let rule: Attribution
  private let lastTime: Int64
  private let goals: Attribution
  private let conversions: Attribution
  private let covariatePeriod: Int64?
  private let cap: Double?

  private(set) var assignments: Assignments
  private var open: [Place] = []
  /// By place and term, the sums from the first exposure on and before it.
  private var sums: [GoalSum] = []
  private var before: [GoalSum] = []
  /// By place and term, whether a goal or conversion that is not negative counts.
  private var isConverted: [Bool] = []
  private var store = GoalSums()
  /// The limits of goals and of conversions, from the first exposure on and before it.
  private var limits: [GoalLimit]

  /// The inactivity timeout of a visit, in microseconds.
  private static let visitGap: Int64 = 30 * 60_000_000

  init(_ context: UnitContext, _ projector: MetricProjector) {
    assignments = Assignments(context)
    limits = Array(repeating: GoalLimit(projector.attribution), count: 4)
    formulas = projector.formulas
    goals = projector.attribution
    conversions = goals.of(.conversions)
    rule = formulas.readsConversions ? conversions : goals
    lastTime = rule.lastTime
    covariatePeriod = projector.covariatePeriod
    cap = projector.cap
  }

  // MARK: Assignment

  /// Finds the first exposures of the unit.
  mutating func expose(_ history: Span<UnitEvent>, _ ledger: inout MetricLedger) {
    assignments.removeAll()
    for index in history.indices {
      let event = history[index]
      ledger.count(event, as: assignments.take(event, at: index, end: lastTime))
      if event.kind == .refusedGoal { ledger.refusedGoals += 1 }
    }
  }

  /// Finds the first exposures of a unit whose new events are all exposures.
  ///
  /// - Returns: The number of assignments before the new events; nil if other things have changed.
  mutating func extend(
    _ history: Span<UnitEvent>, from start: Int, _ ledger: inout MetricLedger
  ) -> Int? {
    for index in start..<history.count where !history[index].kind.isExposure { return nil }
    guard let known = assignments.loadExtended(history, from: start, end: lastTime)?.known else {
      return nil
    }
    for index in start..<history.count {
      ledger.count(history[index], as: Assignments.role(of: history[index], end: lastTime))
    }
    return known
  }

  /// Keeps the places where the unit is assigned to a variant, from the assignment with a number on.
  mutating func assign(from known: Int = 0, _ ledger: inout MetricLedger) {
    for index in known..<assignments.all.count {
      switch rule.standing(of: assignments.all[index]) {
      case .crossed: ledger.crossedUnits += 1
      case .inProgress: ledger.unitsInProgress += 1
      case .counts: open.append(Place(assignment: assignments.all[index]))
      }
    }
    ledger.assignedUnits += open.count
  }

  // MARK: Measurement

  /// Sums the events that count for the unit at each place.
  mutating func measure(_ history: Span<UnitEvent>, _ ledger: inout MetricLedger) {
    let count = open.count * formulas.terms.count
    sums.append(contentsOf: repeatElement(GoalSum(), count: count))
    isConverted.append(contentsOf: repeatElement(false, count: count))
    if covariatePeriod != nil {
      before.append(contentsOf: repeatElement(GoalSum(), count: count))
    }
    var lastActivity: Int64?
    for index in history.indices {
      let event = history[index]
      if event.kind.isNote { continue }
      switch event.kind {
      case .goal where formulas.readsGoals: take(index, of: history, &ledger)
      case .conversion where formulas.readsConversions: take(index, of: history, &ledger)
      case .decision: if let term = formulas.decisions { takeDecision(event, at: index, term) }
      default: break
      }
      guard let term = formulas.visits else { continue }
      takeVisit(event, at: index, isNew: isApart(event.time, from: lastActivity), term)
      lastActivity = event.time
    }
  }

  private mutating func take(
    _ index: Int, of history: Span<UnitEvent>, _ ledger: inout MetricLedger
  ) {
    let event = history[index]
    let rule = event.kind == .conversion ? conversions : goals
    var isCounted = false
    if rule.isWithinBounds(event.number) {
      for place in open.indices where isConcerned(place, index, history) {
        let assignment = open[place].assignment
        let isAfter = rule.isOpen(event.time, since: assignment.time)
        let isBefore = isBefore(event.time, assignment.time)
        guard isAfter || isBefore,
          limits[(event.kind == .conversion ? 2 : 0) + (isBefore ? 1 : 0)]
            .admits(event.subject, at: assignment.place)
        else { continue }
        isCounted = isCounted || isAfter
        add(event, isBefore, place)
      }
    }
    if isCounted { ledger.countedGoals += 1 } else { ledger.uncountedGoals += 1 }
  }

  private func isConcerned(_ place: Int, _ index: Int, _ history: Span<UnitEvent>) -> Bool {
    history[index].kind == .conversion
      || assignments.places.isCreditable(
        goalAt: index, of: history, at: open[place].assignment.place)
  }

  private mutating func add(_ event: UnitEvent, _ isBefore: Bool, _ place: Int) {
    for term in formulas.terms.indices where formulas.terms[term].takes(event.subject) {
      switch (formulas.terms[term].count, event.kind) {
      case (.reward, .goal), (.revenue, .conversion): add(event.number, isBefore, place, term)
      case (.goals, .goal), (.conversions, .conversion): add(1, isBefore, place, term)
      case (.converted, _): if event.isConverting { setOne(isBefore, place, term) }
      default: continue
      }
      if !isBefore, event.isConverting { isConverted[place * formulas.terms.count + term] = true }
    }
  }

  private mutating func takeDecision(_ event: UnitEvent, at index: Int, _ term: Int) {
    let own = assignments.places[event.subject]
    for place in open.indices where open[place].assignment.place == own {
      if isSeen(event.time, index, place) {
        add(1, false, place, term)
      } else if isBefore(event.time, open[place].assignment.time) {
        add(1, true, place, term)
      }
    }
  }

  private mutating func takeVisit(_ event: UnitEvent, at index: Int, isNew: Bool, _ term: Int) {
    for place in open.indices {
      if isSeen(event.time, index, place) {
        if isNew || !open[place].hasVisits.0 { add(1, false, place, term) }
        open[place].hasVisits.0 = true
      } else if isBefore(event.time, open[place].assignment.time) {
        if isNew || !open[place].hasVisits.1 { add(1, true, place, term) }
        open[place].hasVisits.1 = true
      }
    }
  }

  private func isApart(_ time: Int64, from last: Int64?) -> Bool {
    guard let last else { return true }
    let (gap, isOver) = time.subtractingReportingOverflow(last)
    return isOver || gap > Self.visitGap
  }

  /// Returns whether an event that needs no delay happened at or after the first exposure, within the window of goals.
  private func isSeen(_ time: Int64, _ index: Int, _ place: Int) -> Bool {
    guard index >= open[place].assignment.index else { return false }
    var rule = goals
    if let window = rule.window {
      let (sum, isOver) = window.addingReportingOverflow(rule.delay)
      rule.window = isOver ? nil : sum
    }
    rule.delay = 0
    return rule.isOpen(time, since: open[place].assignment.time)
  }

  private func isBefore(_ time: Int64, _ since: Int64) -> Bool {
    guard let covariatePeriod, time < since else { return false }
    let (start, isOver) = since.subtractingReportingOverflow(covariatePeriod)
    return isOver || time >= start
  }

  private mutating func add(_ value: Double, _ isBefore: Bool, _ place: Int, _ term: Int) {
    let index = place * formulas.terms.count + term
    if isBefore {
      store.add(value, to: &before[index])
    } else {
      store.add(value, to: &sums[index])
    }
  }

  private mutating func setOne(_ isBefore: Bool, _ place: Int, _ term: Int) {
    let index = place * formulas.terms.count + term
    if isBefore {
      if before[index].count == 0 { store.add(1, to: &before[index]) }
    } else if sums[index].count == 0 {
      store.add(1, to: &sums[index])
    }
  }

  // MARK: Tallying

  /// Adds the metrics of the unit with a hash to those of its segments.
  func tally(unit: UInt64, into table: inout SegmentTable<MetricTallyList>) {
    for (index, place) in open.enumerated() {
      let segment = table.place(of: place.assignment.arm, place.assignment.value)
      table.tallies[segment].units += 1
      let first = index * formulas.terms.count
      for (metric, formula) in formulas.formulas.enumerated() {
        let (numerator, term) = (first + formula.numerator, formulas.terms[formula.numerator])
        let values = MetricTally.Unit(
          value: capped(sums[numerator], formula),
          over: formula.denominator.map { store.value(of: sums[first + $0]) },
          covariate: covariatePeriod.map { _ in capped(before[numerator], formula) },
          covariateOver: covariatePeriod == nil
            ? nil : formula.denominator.map { store.value(of: before[first + $0]) },
          isConverter: isConverter(numerator, term), hash: unit)
        table.tallies[segment].metrics[metric].add(values)
      }
    }
  }

  /// Returns whether the unit has an event of a term that makes it a converter; any decision or visit does.
  private func isConverter(_ sum: Int, _ term: MetricFormulas.Term) -> Bool {
    term.count.takesGoal ? isConverted[sum] : sums[sum].count > 0
  }

  /// The places of the log.
  var places: Places { assignments.places }

  /// Adds the unit's first exposures to those of their segments, from the one with a number on.
  func addExposures(
    of history: Span<UnitEvent>, from known: Int = 0, to table: inout SegmentTable<FirstExposures>
  ) {
    for assignment in assignments.all[known...] {
      let exposure = history[assignment.index]
      table.tallies[table.place(of: assignment.arm, assignment.value)].add(
        exposure.hasNumber ? exposure.number : nil, isCrossed: assignment.isCrossed)
    }
  }

  /// Counts the unit on the day of its first exposure at each place.
  func countDays(into days: inout [UInt32: MetricProjector.DayCounts]) {
    for place in open {
      let since = place.assignment.time
      let day = since >= 0 ? since / Self.day : (since + 1) / Self.day - 1
      days[place.assignment.arm, default: .init()].units[day, default: 0] += 1
    }
  }

  private static let day: Int64 = 86_400_000_000

  private func capped(_ sum: GoalSum, _ formula: MetricFormulas.Formula) -> Double {
    let value = store.value(of: sum)
    guard let cap, formula.isCapped else { return value }
    return min(value, cap)
  }

  /// Forgets the current unit.
  mutating func end() {
    open.removeAll(keepingCapacity: true)
    sums.removeAll(keepingCapacity: true)
    before.removeAll(keepingCapacity: true)
    isConverted.removeAll(keepingCapacity: true)
    store.removeAll()
    if limits[0].isLimited { for index in limits.indices { limits[index].removeAll() } }
  }
}
