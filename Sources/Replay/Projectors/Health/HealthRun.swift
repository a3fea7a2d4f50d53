internal import EventLog
internal import Specifications
internal import Statistics

/// Counts the events of one unit at a time. Buffers are reused from unit to unit.
struct HealthRun: Sendable {
  /// The counts by experiment, and those that belong to none.
  struct Counts: Sendable {
    var experiments = SegmentTable(ExperimentLedger(), .names(.experiments), .below(1))
    var units = UnitLedger()

    /// Calls the closure with the ledger of the experiment of an event.
    @inline(__always)
    mutating func change(_ event: UnitEvent, _ body: (inout ExperimentLedger) -> Void) {
      body(&experiments.tallies[experiments.place(of: event.experiment, 0)])
    }

    mutating func count(duplicate event: UnitEvent) {
      if event.kind == .conversion {
        units.duplicateConversions += 1
      } else if event.kind.isDecision {
        change(event) { $0.duplicateDecisions += 1 }
      } else {
        change(event) { $0.duplicateGoals += 1 }
      }
    }
  }

  var exposures = SegmentTable(ExposureTally())
  var counts = Counts()
  private(set) var assigned: AssignedUnits
  private let before: Int64
  /// What is counted by experiment is not counted again for all of them.
  private var ledger = AssignmentLedger()
  /// The places with a counted decision so far.
  private var decided: [UInt32] = []
  private var duplicates = DuplicateFinder()

  init(_ context: UnitContext, before: Int64) {
    self.before = before
    assigned = AssignedUnits(context, Attribution())
  }

  /// Counts the events of a unit.
  mutating func walk(_ history: Span<UnitEvent>) {
    assigned.load(history, &ledger)
    decided.removeAll(keepingCapacity: true)
    for index in history.indices where !history[index].kind.isNote { take(index, of: history) }
    duplicates.end { counts.count(duplicate: $0) }
    for assignment in assigned.all {
      let segment = exposures.place(of: assignment.arm, assignment.value)
      Self.addPrior(of: assignment, history, before, &exposures.tallies[segment])
      exposures.tallies[segment].first.add(assignment, of: history)
    }
    if !assigned.all.isEmpty { counts.units.exposedUnits += 1 }
  }

  private mutating func take(_ index: Int, of history: Span<UnitEvent>) {
    let event = history[index]
    counts.units.events += 1
    if event.isLate { counts.units.lateEvents += 1 }
    duplicates.take(event, naming: history.place(namedByGoalAt: index)) {
      counts.count(duplicate: $0)
    }
    switch event.kind {
    case .conversion:
      counts.units.conversions += 1
      if assigned.all.first.map({ $0.index > index }) ?? true {
        counts.units.orphanConversions += 1
      }
    case .activity, .confirmation: break
    case .decision:
      counts.change(event) { $0.confirmedDecisions += 1 }
      let place = assigned.places[event.subject]
      if !decided.contains(place) { decided.append(place) }
    case .refusedGoal: counts.change(event) { $0.refusedGoals += 1 }
    case .goal:
      let isOrphan = !hasDecision(goalAt: index, of: history)
      counts.change(event) { ledger in
        ledger.acceptedGoals += 1
        if isOrphan { ledger.orphanGoals += 1 }
      }
    default: counts.change(event) { $0.uncounted.count(event.kind) }
    }
  }

  /// Returns whether the unit has a decision that the goal can be credited to.
  private func hasDecision(goalAt index: Int, of history: Span<UnitEvent>) -> Bool {
    for place in decided
    where assigned.places.isCreditable(goalAt: index, of: history, at: place) { return true }
    return false
  }

  /// Adds the unit's activity before its first exposure.
  private static func addPrior(
    of assignment: AssignedUnits.Assignment, _ history: Span<UnitEvent>, _ before: Int64,
    _ tally: inout ExposureTally
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
}
