internal import Statistics

/// Counts the events of one unit at a time. Buffers are reused from unit to unit.
struct HealthRun: Sendable {
  private let before: Int64
  private(set) var assignments: Assignments
  /// The places with a counted decision so far.
  private var decided: [UInt32] = []
  private var duplicates = DuplicateFinder()

  init(_ context: UnitContext, before: Int64) {
    self.before = before
    assignments = Assignments(context)
  }

  /// Counts the events of a unit.
  mutating func walk(
    _ history: Span<UnitEvent>, _ exposures: inout SegmentTable<ExposureTally>,
    _ experiments: inout SegmentTable<ExperimentLedger>, _ units: inout UnitLedger
  ) {
    assignments.removeAll()
    decided.removeAll(keepingCapacity: true)
    for index in history.indices { take(index, of: history, &experiments, &units) }
    duplicates.end { Self.count(duplicate: $0, &experiments, &units) }
    for assignment in assignments.all { add(assignment, history, &exposures) }
    if !assignments.all.isEmpty { units.exposedUnits += 1 }
  }

  private mutating func take(
    _ index: Int, of history: Span<UnitEvent>, _ experiments: inout SegmentTable<ExperimentLedger>,
    _ units: inout UnitLedger
  ) {
    let event = history[index]
    _ = assignments.take(event, at: index, end: .max)
    if event.kind.isNote { return }
    units.events += 1
    if event.isLate { units.lateEvents += 1 }
    duplicates.take(event, naming: history.place(namedByGoalAt: index)) {
      Self.count(duplicate: $0, &experiments, &units)
    }
    count(index, of: history, &experiments, &units)
  }

  private mutating func count(
    _ index: Int, of history: Span<UnitEvent>, _ experiments: inout SegmentTable<ExperimentLedger>,
    _ units: inout UnitLedger
  ) {
    switch history[index].kind {
    case .conversion:
      units.conversions += 1
      if assignments.all.isEmpty { units.orphanConversions += 1 }
    case .activity, .confirmation: break
    default:
      let ledger = experiments.place(of: history[index].experiment, 0)
      count(index, of: history, &experiments.tallies[ledger])
    }
  }

  private mutating func count(
    _ index: Int, of history: Span<UnitEvent>, _ ledger: inout ExperimentLedger
  ) {
    let event = history[index]
    switch event.kind {
    case .decision:
      ledger.confirmedDecisions += 1
      let place = assignments.places[event.subject]
      if !decided.contains(place) { decided.append(place) }
    case .refusedGoal: ledger.refusedGoals += 1
    case .goal:
      ledger.acceptedGoals += 1
      if !hasDecision(goalAt: index, of: history) { ledger.orphanGoals += 1 }
    default: ledger.uncounted.count(event.kind)
    }
  }

  /// Returns whether the unit has a decision that the goal can be credited to.
  private func hasDecision(goalAt index: Int, of history: Span<UnitEvent>) -> Bool {
    for place in decided
    where assignments.places.isCreditable(goalAt: index, of: history, at: place) { return true }
    return false
  }

  // MARK: Exposures

  private func add(
    _ assignment: Assignments.Assignment, _ history: Span<UnitEvent>,
    _ exposures: inout SegmentTable<ExposureTally>
  ) {
    let segment = exposures.place(of: assignment.arm, assignment.value)
    addPrior(of: assignment, history, &exposures.tallies[segment])
    let exposure = history[assignment.index]
    exposures.tallies[segment].first.add(
      exposure.hasNumber ? exposure.number : nil, isCrossed: assignment.isCrossed)
  }

  /// The places of the log.
  var places: Places { assignments.places }

  /// Adds the unit's activity before its first exposure.
  private func addPrior(
    of assignment: Assignments.Assignment, _ history: Span<UnitEvent>, _ tally: inout ExposureTally
  ) {
    let (start, isOver) = assignment.time.subtractingReportingOverflow(before)
    var conversions = 0
    var revenue = SmallSum()
    var goals = SmallSum()
    for index in (0..<assignment.index).reversed() {
      let event = history[index]
      if !isOver, event.time < start { break }
      switch event.kind {
      case .conversion:
        conversions += 1
        revenue.add(event.number)
      case .goal: goals.add(event.number)
      default: break
      }
    }
    tally.priorConversions.add(Double(conversions))
    tally.priorRevenue.add(revenue.value)
    tally.priorGoals.add(goals.value)
  }

  // MARK: Duplicates

  private static func count(
    duplicate event: UnitEvent, _ experiments: inout SegmentTable<ExperimentLedger>,
    _ units: inout UnitLedger
  ) {
    if event.kind == .conversion {
      units.duplicateConversions += 1
      return
    }
    let ledger = experiments.place(of: event.experiment, 0)
    if event.kind.isDecision {
      experiments.tallies[ledger].duplicateDecisions += 1
    } else {
      experiments.tallies[ledger].duplicateGoals += 1
    }
  }
}
