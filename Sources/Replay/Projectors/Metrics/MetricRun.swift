internal import Events
internal import Statistics

/// Measures one unit after the other; what it holds between two units is memory that is used again.
struct MetricRun: Sendable {
  /// A point and slot of an experiment at which the unit was exposed.
  private struct Place {
    var place: UInt32
    var experiment: UInt32
    /// The arm of the first exposure.
    var arm: UInt32
    /// The dimension's value then.
    var value: UInt32
    var since: Int64
    /// Where the first exposure stands in the history.
    var index: Int
    var isCrossed = false
    /// Whether a visit was met after, and before, the first exposure.
    var hasVisits = (false, false)
  }

  /// How often a goal counted at a place.
  private struct Counted {
    var goal: UInt32
    var isConversion: Bool
    var isBefore: Bool
    var place: Int
    var count: Int
  }

  private let arms: [Arm]
  private let probabilities: ProbabilityRegister
  /// By arm: which place it belongs to, the same number for the same experiment, point and slot.
  let places: [UInt32]
  private let formulas: MetricFormulas
  private let goals: Attribution
  private let conversions: Attribution
  private let covariatePeriod: Int64?
  private let cap: Double?

  private var open: [Place] = []
  /// By place and term: what counts from the first exposure on, and what came before it.
  private var sums: [GoalSum] = []
  private var before: [GoalSum] = []
  private var store = GoalSums()
  private var counted: [Counted] = []

  /// How long nothing may happen within a visit, in microseconds.
  private static let visitGap: Int64 = 30 * 60_000_000

  init(_ context: UnitContext, _ projector: MetricProjector) {
    arms = context.arms
    probabilities = context.probabilities
    var register = ArmRegister()
    places = arms.map { arm in
      var place = arm
      place.variant = 0
      return register.index(of: place)
    }
    formulas = projector.formulas
    goals = projector.attribution
    var conversions = projector.attribution
    conversions.window = projector.conversionWindow
    self.conversions = conversions
    covariatePeriod = projector.covariatePeriod
    cap = projector.cap
  }

  // MARK: Where the unit belongs

  /// Finds the variant to which the unit belongs at each place.
  mutating func assign(_ history: Span<UnitEvent>, _ ledger: inout MetricLedger) {
    var value: UInt32 = 0
    for index in history.indices {
      let event = history[index]
      switch event.kind {
      case .dimension: value = event.subject
      case .decision, .repeated:
        guard goals.end.map({ event.time <= $0.microseconds }) ?? true else {
          ledger.exposuresAfterEnd += 1
          continue
        }
        expose(event, index, value)
      default: ledger.count(event.kind)
      }
    }
    let rule = formulas.readsConversions ? conversions : goals
    open.removeAll { place in
      if place.isCrossed, rule.crossing == .drop {
        ledger.crossedUnits += 1
        return true
      }
      guard rule.isInProgress(place.since) else { return false }
      ledger.unitsInProgress += 1
      return true
    }
    ledger.assignedUnits += open.count
  }

  private mutating func expose(_ event: UnitEvent, _ index: Int, _ value: UInt32) {
    let place = places[Int(event.subject)]
    if let known = open.firstIndex(where: { $0.place == place }) {
      if open[known].arm != event.subject { open[known].isCrossed = true }
      return
    }
    open.append(
      Place(
        place: place, experiment: arms[Int(event.subject)].experiment, arm: event.subject,
        value: value, since: event.time, index: index))
  }

  // MARK: What counts

  /// Adds up what counts for the unit at each place.
  mutating func measure(_ history: Span<UnitEvent>, _ ledger: inout MetricLedger) {
    let count = open.count * formulas.terms.count
    sums.append(contentsOf: repeatElement(GoalSum(), count: count))
    if covariatePeriod != nil {
      before.append(contentsOf: repeatElement(GoalSum(), count: count))
    }
    var lastActivity: Int64?
    for index in history.indices {
      let event = history[index]
      switch event.kind {
      case .dimension, .probabilities: continue
      case .goal where formulas.readsGoals: take(event, at: index, &ledger)
      case .conversion where formulas.readsConversions: take(event, at: index, &ledger)
      case .decision: if let term = formulas.decisions { takeDecision(event, at: index, term) }
      default: break
      }
      guard let term = formulas.visits else { continue }
      takeVisit(event, at: index, isNew: isApart(event.time, from: lastActivity), term)
      lastActivity = event.time
    }
  }

  private mutating func take(_ event: UnitEvent, at index: Int, _ ledger: inout MetricLedger) {
    let isConversion = event.kind == .conversion
    let rule = isConversion ? conversions : goals
    var isCounted = false
    if rule.isWithinBounds(event.number) {
      for place in open.indices {
        guard isConversion || open[place].experiment == event.experiment else { continue }
        let since = open[place].since
        // Goals of the experiment follow the decision in the log, conversions only in time.
        let isAfter =
          rule.isOpen(event.time, since: since) && (isConversion || index > open[place].index)
        let isBefore = isBefore(event.time, since)
        guard isAfter || isBefore, isWithinLimit(event, isBefore, place, rule) else { continue }
        isCounted = isCounted || isAfter
        add(event, isBefore, place)
      }
    }
    if isCounted { ledger.countedGoals += 1 } else { ledger.uncountedGoals += 1 }
  }

  private mutating func add(_ event: UnitEvent, _ isBefore: Bool, _ place: Int) {
    for term in formulas.terms.indices where formulas.terms[term].takes(event.subject) {
      switch (formulas.terms[term].count, event.kind) {
      case (.reward, .goal), (.revenue, .conversion): add(event.number, isBefore, place, term)
      case (.goals, .goal), (.conversions, .conversion): add(1, isBefore, place, term)
      case (.converted, _): setOne(isBefore, place, term)
      default: break
      }
    }
  }

  private mutating func takeDecision(_ event: UnitEvent, at index: Int, _ term: Int) {
    for place in open.indices where open[place].place == places[Int(event.subject)] {
      if isSeen(event.time, index, place) {
        add(1, false, place, term)
      } else if isBefore(event.time, open[place].since) {
        add(1, true, place, term)
      }
    }
  }

  private mutating func takeVisit(_ event: UnitEvent, at index: Int, isNew: Bool, _ term: Int) {
    for place in open.indices {
      if isSeen(event.time, index, place) {
        if isNew || !open[place].hasVisits.0 { add(1, false, place, term) }
        open[place].hasVisits.0 = true
      } else if isBefore(event.time, open[place].since) {
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

  /// Whether something that needs no delay happened from the first exposure on, within the window of goals.
  private func isSeen(_ time: Int64, _ index: Int, _ place: Int) -> Bool {
    guard index >= open[place].index else { return false }
    var rule = goals
    if let window = rule.window {
      let (sum, isOver) = window.addingReportingOverflow(rule.delay)
      rule.window = isOver ? nil : sum
    }
    rule.delay = 0
    return rule.isOpen(time, since: open[place].since)
  }

  private func isBefore(_ time: Int64, _ since: Int64) -> Bool {
    guard let covariatePeriod, time < since else { return false }
    let (start, isOver) = since.subtractingReportingOverflow(covariatePeriod)
    return isOver || time >= start
  }

  /// Whether the goal may count once more; it is counted.
  private mutating func isWithinLimit(
    _ event: UnitEvent, _ isBefore: Bool, _ place: Int, _ rule: Attribution
  ) -> Bool {
    guard let most = rule.mostGoals else { return true }
    let isConversion = event.kind == .conversion
    if let index = counted.firstIndex(where: {
      $0.goal == event.subject && $0.isConversion == isConversion && $0.isBefore == isBefore
        && $0.place == place
    }) {
      counted[index].count += 1
      return counted[index].count <= most
    }
    counted.append(
      Counted(
        goal: event.subject, isConversion: isConversion, isBefore: isBefore, place: place, count: 1)
    )
    return most >= 1
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

  // MARK: What the unit adds

  /// Adds the metrics of the unit to those of its segments.
  func tally(unit: UInt32, into table: inout SegmentTable<MetricTallyList>) {
    for (index, place) in open.enumerated() {
      let segment = table.place(of: place.arm, place.value)
      table.tallies[segment].units += 1
      let first = index * formulas.terms.count
      for (metric, formula) in formulas.formulas.enumerated() {
        let value = capped(sums[first + formula.numerator], formula)
        table.tallies[segment].metrics[metric].moments.add(value)
        if value != 0 { table.tallies[segment].metrics[metric].converters += 1 }
        let over = formula.denominator.map { store.value(of: sums[first + $0]) }
        table.tallies[segment].metrics[metric].bootstrap?.add(
          value, over: over ?? 1, unit: UInt64(unit))
        if let over {
          table.tallies[segment].metrics[metric].ratio?.add(value, over: over)
          continue
        }
        if covariatePeriod != nil {
          table.tallies[segment].metrics[metric].cuped?.add(
            value, covariate: capped(before[first + formula.numerator], formula))
        }
        table.tallies[segment].metrics[metric].values?.append(value)
      }
    }
  }

  /// Adds the propensities of the unit's first exposures to those of its segments.
  func addPropensities(
    of history: Span<UnitEvent>, to table: inout SegmentTable<MetricTallyList>
  ) {
    for place in open {
      let segment = table.place(of: place.arm, place.value)
      let exposure = history[place.index]
      if exposure.hasNumber {
        table.tallies[segment].propensities.add(exposure.number)
      } else {
        table.tallies[segment].unitsWithoutPropensity += 1
      }
    }
  }

  /// Adds what the probabilities of the unit's first exposures expect of each variant.
  func addExpected(
    of history: Span<UnitEvent>, to table: inout SegmentTable<ExpectedExposures>
  ) {
    for open in open {
      let place = table.place(of: open.place, open.value)
      table.tallies[place].add(before: open.index, of: history, probabilities)
    }
  }

  /// Counts the unit on the day of its first exposure at each place.
  func countDays(into days: inout [UInt32: [Int64: Int]]) {
    for place in open {
      let day = place.since >= 0 ? place.since / Self.day : (place.since + 1) / Self.day - 1
      days[place.arm, default: [:]][day, default: 0] += 1
    }
  }

  private static let day: Int64 = 86_400_000_000

  private func capped(_ sum: GoalSum, _ formula: MetricFormulas.Formula) -> Double {
    let value = store.value(of: sum)
    guard let cap, formula.isCapped else { return value }
    return min(value, cap)
  }

  /// Forgets the unit.
  mutating func end() {
    open.removeAll(keepingCapacity: true)
    sums.removeAll(keepingCapacity: true)
    before.removeAll(keepingCapacity: true)
    store.removeAll()
    counted.removeAll(keepingCapacity: true)
  }
}
