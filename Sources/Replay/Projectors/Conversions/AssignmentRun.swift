internal import Events

/// What is known of a variant, or of a segment of it.
struct AssignmentCount: Sendable {
  /// Exposures, whether they or their units count or not.
  var exposures = 0
  /// Distinct units that belong to it.
  var units = 0

  static func merge(_ other: AssignmentCount, into count: inout AssignmentCount) {
    count.exposures += other.exposures
    count.units += other.units
  }
}

/// A variant that a unit belongs to.
struct AssignedVariant: Sendable {
  /// Its number among the variants.
  var variant: UInt32
  /// Where its segment stands in the table.
  var segment: Int
  /// Code of the experiment.
  var experiment: UInt32
  /// The first exposure.
  var since: Int64
}

/// Finds the variants that one unit after the other belongs to, and which of the unit's conversions count for them; what
/// it holds between two units is memory that is used again.
///
/// A unit is assigned at each point and slot of an experiment on its own, as ``Assignments`` and ``Attribution`` say. Where it
/// has the same variant at several of them, it belongs to the variant once, since the earliest; for a goal that names a point
/// or slot, since the earliest there.
struct AssignmentRun: Sendable {
  private let attribution: Attribution
  private let source: ConversionSource
  /// By arm: which variant it is, the same number for the same experiment and variant.
  private let variantOfArm: [UInt32]
  private var assignments: Assignments
  /// Those that count.
  private var counting: [Assignments.Assignment] = []
  private var assigned = UnitScratch<AssignedVariant>()
  private var limit: GoalLimit
  /// Whether the unit has anything that could count.
  private(set) var hasSignals = false

  init(_ context: UnitContext, _ attribution: Attribution, _ source: ConversionSource) {
    self.attribution = attribution
    self.source = source
    variantOfArm = Self.variants(context.arms).ofArm
    assignments = Assignments(context)
    limit = GoalLimit(attribution)
  }

  /// The variants of some arms, each once and without point and slot, and which of them each arm is.
  static func variants(_ arms: [Arm]) -> (variants: [Arm], ofArm: [UInt32]) {
    var register = ArmRegister()
    let indices = arms.map { arm in
      register.index(of: Arm(experiment: arm.experiment, point: 0, slot: 0, variant: arm.variant))
    }
    return (register.arms, indices)
  }

  /// The variants that the unit belongs to, in the order of their first exposures.
  var variants: [AssignedVariant] { assigned.elements }

  /// Finds the variants of a unit.
  ///
  /// - Complexity: O(number of events).
  mutating func load(
    _ history: Span<UnitEvent>, _ segments: inout SegmentTable<AssignmentCount>,
    _ ledger: inout ConversionLedger
  ) {
    assignments.removeAll()
    hasSignals = false
    let end = attribution.lastTime
    for index in history.indices {
      let event = history[index]
      let role = assignments.take(event, at: index, end: end)
      ledger.count(event, as: role)
      if role != .other {
        let segment = segments.place(of: variantOfArm[Int(event.subject)], assignments.value)
        segments.tallies[segment].exposures += 1
      } else if event.kind == source.kind {
        hasSignals = true
      } else if event.kind == .refusedGoal, source == .goals {
        ledger.refusedGoals += 1
      }
    }
    if !assignments.all.isEmpty { ledger.units += 1 }
    assign(&segments, &ledger)
  }

  private mutating func assign(
    _ segments: inout SegmentTable<AssignmentCount>, _ ledger: inout ConversionLedger
  ) {
    counting.removeAll(keepingCapacity: true)
    assigned.removeAll()
    ledger.assignmentsAfterEnd += assignments.placesAfterEnd.count
    for assignment in assignments.all {
      switch attribution.standing(of: assignment) {
      case .crossed: ledger.crossedAssignments += 1
      case .inProgress: ledger.inProgressAssignments += 1
      case .counts:
        ledger.assignments += 1
        counting.append(assignment)
        let variant = variantOfArm[Int(assignment.arm)]
        // Assignments come in the order of their first exposures, so the first one with the variant is the earliest.
        guard assigned.find(Int(variant)) == nil else { continue }
        let segment = segments.place(of: variant, assignment.value)
        segments.tallies[segment].units += 1
        _ = assigned.insert(
          AssignedVariant(
            variant: variant, segment: segment, experiment: assignment.experiment,
            since: assignment.time), at: Int(variant))
      }
    }
  }

  /// Calls the closure with what counts for each variant of the unit that was loaded last, in the order of the events.
  ///
  /// Only the given goals are looked at, all when they are nil; a limit is one of all goals nevertheless. The closure takes
  /// the index of the variant among ``variants``, the variant, and what counts.
  ///
  /// - Complexity: O(events + conversions × variants of the unit).
  mutating func forEachCounted(
    _ history: Span<UnitEvent>, _ ledger: inout ConversionLedger, only goals: Set<UInt32>? = nil,
    _ body: (Int, AssignedVariant, UnitEvent) -> Void
  ) {
    guard hasSignals else { return }
    limit.removeAll()
    for index in history.indices where history[index].kind == source.kind {
      let event = history[index]
      let isWanted = goals?.contains(event.subject) ?? true
      var best = fateOfUnassigned(index, history)
      for (number, variant) in assigned.elements.enumerated() {
        guard let since = exposure(variant, index, history) else { continue }
        var fate = attribution.fate(of: event, since: since)
        if fate == .counted, !limit.admits(goalAt: index, in: variant.experiment) {
          fate = .beyondLimit
        }
        if fate.rawValue > best.rawValue { best = fate }
        if fate == .counted, isWanted { body(number, variant, event) }
      }
      guard isWanted else { continue }
      ledger.count(best)
      if best == .counted, event.isNegative { ledger.negative += 1 }
    }
  }

  /// The exposure to a variant from which on an event counts for it; nil when the event does not concern it.
  private func exposure(
    _ variant: AssignedVariant, _ index: Int, _ history: Span<UnitEvent>
  ) -> Int64? {
    guard source.concerns(history[index], variant.experiment) else { return nil }
    guard history.place(namedByGoalAt: index) != nil else { return variant.since }
    return counting.first {
      variantOfArm[Int($0.arm)] == variant.variant && isConcerned($0.place, index, history)
    }?.time
  }

  /// What becomes of a conversion that concerns no variant of the unit.
  private func fateOfUnassigned(_ index: Int, _ history: Span<UnitEvent>) -> ConversionFate {
    let isExposed =
      assignments.all.contains { isConcerned($0.place, index, history) }
      || assignments.placesAfterEnd.contains { isConcerned($0, index, history) }
    return isExposed ? .ofUnitLeftOut : .ofUnitNeverExposed
  }

  /// Whether an event can count for an exposure at a place.
  private func isConcerned(_ place: UInt32, _ index: Int, _ history: Span<UnitEvent>) -> Bool {
    source == .conversions
      || assignments.places.isCreditable(goalAt: index, of: history, at: place)
  }
}

extension Attribution {
  /// What becomes of a conversion of a unit that belongs to a variant, as long as no limit is reached.
  func fate(of event: UnitEvent, since: Int64) -> ConversionFate {
    if event.time < since { return .beforeExposure }
    guard isOpen(event.time, since: since) else { return .outsideWindow }
    return isWithinBounds(event.number) ? .counted : .outOfBounds
  }
}
