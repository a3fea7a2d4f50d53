internal import Statistics

/// Counts one unit after the other; what it holds between two units is memory that is used again.
struct HealthRun: Sendable {
  /// Where the unit was first exposed at a point and for a slot.
  private struct First: Sendable {
    var place: UInt32
    var variant: UInt32
    /// Of the table of exposures.
    var segment: Int
    /// The dimension's value then, and where the exposure stands in the history.
    var value: UInt32
    var index: Int
    var isCrossed = false
  }

  private let arms: [Arm]
  private let probabilities: ProbabilityRegister
  /// By arm: the same number for the same experiment, point and slot.
  let places: [UInt32]
  private let before: Int64
  private var firsts: [First] = []
  /// Conversions and goals so far.
  private var prior: [UnitEvent] = []
  /// Experiments with a counted decision so far.
  private var decided: [UInt32] = []
  private var duplicates = DuplicateFinder()
  private var value: UInt32 = 0
  private var isExposed = false
  /// Conversions without an exposure at the time of the latest of them: the exposure may follow in the log.
  private var orphansNow = (time: Int64.min, count: 0)

  init(_ context: UnitContext, before: Int64) {
    arms = context.arms
    probabilities = context.probabilities
    self.before = before
    var register = ArmRegister()
    places = arms.map { arm in
      var place = arm
      place.variant = 0
      return register.index(of: place)
    }
  }

  /// Counts the events of a unit.
  mutating func walk(
    _ history: Span<UnitEvent>, _ exposures: inout SegmentTable<ExposureTally>,
    _ experiments: inout SegmentTable<ExperimentLedger>, _ units: inout UnitLedger
  ) {
    begin()
    for index in history.indices {
      let event = history[index]
      if event.kind == .dimension {
        value = event.subject
        continue
      }
      if event.kind.isNote { continue }
      units.events += 1
      if event.isLate { units.lateEvents += 1 }
      duplicates.take(event) { Self.count(duplicate: $0, &experiments, &units) }
      count(event, index, &exposures, &experiments, &units)
    }
    duplicates.end { Self.count(duplicate: $0, &experiments, &units) }
    for first in firsts where first.isCrossed { exposures.tallies[first.segment].crossedUnits += 1 }
    if isExposed { units.exposedUnits += 1 }
  }

  private mutating func begin() {
    firsts.removeAll(keepingCapacity: true)
    prior.removeAll(keepingCapacity: true)
    decided.removeAll(keepingCapacity: true)
    value = 0
    isExposed = false
    orphansNow = (.min, 0)
  }

  private mutating func count(
    _ event: UnitEvent, _ index: Int, _ exposures: inout SegmentTable<ExposureTally>,
    _ experiments: inout SegmentTable<ExperimentLedger>, _ units: inout UnitLedger
  ) {
    switch event.kind {
    case .conversion:
      units.conversions += 1
      prior.append(event)
      if !isExposed { countOrphan(event.time, &units) }
    case .activity, .confirmation, .dimension, .probabilities: break
    default:
      let ledger = experiments.place(of: event.experiment, 0)
      count(event, &experiments.tallies[ledger])
      if event.kind == .decision || event.kind == .repeated {
        expose(event, index, &exposures, &units)
      }
    }
  }

  private mutating func count(_ event: UnitEvent, _ ledger: inout ExperimentLedger) {
    switch event.kind {
    case .decision:
      ledger.confirmedDecisions += 1
      if !decided.contains(event.experiment) { decided.append(event.experiment) }
    case .refusedGoal: ledger.refusedGoals += 1
    case .goal:
      ledger.acceptedGoals += 1
      prior.append(event)
      if !decided.contains(event.experiment) { ledger.orphanGoals += 1 }
    default: ledger.count(uncounted: event.kind)
    }
  }

  // MARK: Exposures

  private mutating func expose(
    _ event: UnitEvent, _ index: Int, _ exposures: inout SegmentTable<ExposureTally>,
    _ units: inout UnitLedger
  ) {
    if !isExposed {
      isExposed = true
      // A conversion at the time of the exposure counts, wherever it stands in the log.
      if orphansNow.time == event.time { units.orphanConversions -= orphansNow.count }
    }
    let place = places[Int(event.subject)]
    let variant = arms[Int(event.subject)].variant
    if let known = firsts.firstIndex(where: { $0.place == place }) {
      if firsts[known].variant != variant { firsts[known].isCrossed = true }
      return
    }
    let segment = exposures.place(of: event.subject, value)
    firsts.append(
      First(place: place, variant: variant, segment: segment, value: value, index: index))
    addPrior(of: event, &exposures.tallies[segment])
    exposures.tallies[segment].add(propensity: event.hasNumber ? event.number : nil)
  }

  /// Adds what the probabilities of the first exposures of the unit expect of each variant.
  func addExpected(
    of history: Span<UnitEvent>, to table: inout SegmentTable<ExpectedExposures>
  ) {
    for first in firsts {
      let place = table.place(of: first.place, first.value)
      table.tallies[place].add(before: first.index, of: history, probabilities)
    }
  }

  private mutating func countOrphan(_ time: Int64, _ units: inout UnitLedger) {
    units.orphanConversions += 1
    if orphansNow.time != time { orphansNow = (time, 0) }
    orphansNow.count += 1
  }

  /// Adds what the unit did before an exposure.
  private func addPrior(of exposure: UnitEvent, _ tally: inout ExposureTally) {
    let (start, isOver) = exposure.time.subtractingReportingOverflow(before)
    var conversions = 0
    var revenue = SmallSum()
    var goals = SmallSum()
    for index in prior.indices.reversed() where prior[index].time < exposure.time {
      if !isOver, prior[index].time < start { break }
      if prior[index].kind == .conversion {
        conversions += 1
        revenue.add(prior[index].number)
      } else {
        goals.add(prior[index].number)
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
