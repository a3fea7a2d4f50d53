internal import Events
internal import Specifications

/// The exposures and units of a variant, or of a segment of it.
struct AssignmentCount: StateFields {
  /// All exposures, whether or not they or their units count.
  var exposures = 0
  /// Distinct units assigned to the variant.
  var units = 0

  mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&exposures, other.exposures)
    visit(&units, other.units)
  }

  var isOmitted: Bool { exposures <= 0 }
}

/// A variant that a unit is assigned to.
struct AssignedVariant: Sendable {
  /// The number of the variant.
  var variant: UInt32
  /// The index of its segment in the table.
  var segment: Int
  /// The code of the experiment.
  var experiment: UInt32
  /// The time of the first exposure.
  var since: Int64
}

/// The variants that one unit at a time is assigned to, and the conversions of the unit that count for them. Buffers
/// are reused from unit to unit.
///
/// A unit is assigned separately at each point and slot of an experiment, following ``Assignments`` and
/// ``Attribution``. If it has the same variant at several of them, it is assigned to the variant once, from the
/// earliest exposure on; for a goal that names a point or slot, from the earliest exposure there.
struct AssignmentRun: Sendable {
  private let attribution: Attribution
  private let source: ConversionSource
  /// For each arm, the number of its variant: equal for equal experiment and variant.
  private let variantOfArm: [UInt32]
  private var assignments: Assignments
  /// The assignments that count.
  private var counting: [Assignments.Assignment] = []
  private var assigned = UnitScratch<AssignedVariant>()
  private var limit: GoalLimit
  /// Whether the unit has any event that could count.
  private(set) var hasSignals = false

  init(_ context: UnitContext, _ attribution: Attribution, _ source: ConversionSource) {
    self.attribution = attribution.of(source)
    self.source = source
    variantOfArm = Self.variants(context.arms).ofArm
    assignments = Assignments(context)
    limit = GoalLimit(attribution)
  }

  /// Returns the distinct variants of some arms, without point and slot, and the index of the variant of each arm.
  static func variants(_ arms: [Arm]) -> (variants: [Arm], ofArm: [UInt32]) {
    var register = ArmRegister()
    let indices = arms.map { arm in
      register.index(of: Arm(experiment: arm.experiment, point: 0, slot: 0, variant: arm.variant))
    }
    return (register.arms, indices)
  }

  /// The variants that the unit is assigned to, in the order of their first exposures.
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
    ledger.assignmentsAfterEnd += assignments.placesAfterEnd.count
    assign(&segments, &ledger)
  }

  /// Adds the new exposures of a unit that has no conversions.
  ///
  /// - Parameters:
  ///   - history: All events of the unit.
  ///   - start: The number of events that were added before.
  ///   - segments: The counts of the variants.
  ///   - ledger: The counts of what was read.
  /// - Returns: Whether nothing else is new; if not, nothing was added.
  mutating func extend(
    _ history: Span<UnitEvent>, from start: Int, _ segments: inout SegmentTable<AssignmentCount>,
    _ ledger: inout ConversionLedger
  ) -> Bool {
    for index in history.indices where history[index].kind == source.kind { return false }
    for index in start..<history.count {
      let kind = history[index].kind
      if kind == .refusedGoal || kind == .dimension || kind == .dataDimension { return false }
    }
    let end = attribution.lastTime
    guard let before = assignments.loadExtended(history, from: start, end: end) else {
      return false
    }
    for index in start..<history.count {
      let event = history[index]
      let role = Assignments.role(of: event, end: end)
      ledger.count(event, as: role)
      guard role != .other else { continue }
      let segment = segments.place(of: variantOfArm[Int(event.subject)], assignments.value)
      segments.tallies[segment].exposures += 1
    }
    ledger.units += before.known == 0 && !assignments.all.isEmpty ? 1 : 0
    ledger.assignmentsAfterEnd += assignments.placesAfterEnd.count - before.afterEnd
    assign(from: before.known, &segments, &ledger)
    return true
  }

  /// Counts the assignments from a number on; those before it were counted earlier.
  private mutating func assign(
    from known: Int = 0, _ segments: inout SegmentTable<AssignmentCount>,
    _ ledger: inout ConversionLedger
  ) {
    counting.removeAll(keepingCapacity: true)
    assigned.removeAll()
    for (number, assignment) in assignments.all.enumerated() {
      let isNew = number >= known
      switch attribution.standing(of: assignment) {
      case .crossed: ledger.crossedAssignments += isNew ? 1 : 0
      case .inProgress: ledger.inProgressAssignments += isNew ? 1 : 0
      case .counts:
        ledger.assignments += isNew ? 1 : 0
        counting.append(assignment)
        let variant = variantOfArm[Int(assignment.arm)]
        // Assignments are in the order of their first exposures, so the first one with the variant is the earliest.
        guard assigned.find(Int(variant)) == nil else { continue }
        let segment = segments.place(of: variant, assignment.value)
        segments.tallies[segment].units += isNew ? 1 : 0
        _ = assigned.insert(
          AssignedVariant(
            variant: variant, segment: segment, experiment: assignment.experiment,
            since: assignment.time), at: Int(variant))
      }
    }
  }

  /// Calls the closure with each event that counts for a variant of the current unit, in the order of the events.
  ///
  /// Only the given goals are visited, or all if they are nil; a limit still applies to all goals together. The
  /// closure receives the index of the variant among ``variants``, the variant, and the event.
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
      var best = outcomeOfUnassigned(index, history)
      for (number, variant) in assigned.elements.enumerated() {
        guard let since = exposure(variant, index, history) else { continue }
        var outcome = attribution.outcome(of: event, since: since)
        if outcome == .counted, !isWithinLimit(variant, index, history) {
          outcome = .beyondLimit
        }
        if outcome.rawValue > best.rawValue { best = outcome }
        if outcome == .counted, isWanted { body(number, variant, event) }
      }
      guard isWanted else { continue }
      ledger.count(best)
      if best == .counted, event.isNegative { ledger.negative += 1 }
    }
  }

  /// Returns the exposure to a variant from which on an event counts for it; nil if the event does not concern the
  /// variant.
  private func exposure(
    _ variant: AssignedVariant, _ index: Int, _ history: Span<UnitEvent>
  ) -> Int64? {
    guard source.concerns(history[index], variant.experiment) else { return nil }
    guard history.place(namedByGoalAt: index) != nil else { return variant.since }
    return counting.first {
      variantOfArm[Int($0.arm)] == variant.variant && isConcerned($0.place, index, history)
    }?.time
  }

  /// Counts an event at the places where the unit has a variant, and returns whether it is within the limit of any.
  private mutating func isWithinLimit(
    _ variant: AssignedVariant, _ index: Int, _ history: Span<UnitEvent>
  ) -> Bool {
    guard limit.isLimited else { return true }
    let event = history[index]
    var isAdmitted = false
    for assignment in counting
    where variantOfArm[Int(assignment.arm)] == variant.variant
      && attribution.isOpen(event.time, since: assignment.time)
      && isConcerned(assignment.place, index, history)
    {
      if limit.admits(event.subject, at: assignment.place) { isAdmitted = true }
    }
    return isAdmitted
  }

  /// Returns why a conversion that concerns no variant of the unit does not count.
  private func outcomeOfUnassigned(_ index: Int, _ history: Span<UnitEvent>) -> ConversionOutcome {
    let isExposed =
      assignments.all.contains { isConcerned($0.place, index, history) }
      || assignments.placesAfterEnd.contains { isConcerned($0, index, history) }
    return isExposed ? .ofUnitLeftOut : .ofUnitNeverExposed
  }

  /// Returns whether an event can count for an exposure at a place.
  private func isConcerned(_ place: UInt32, _ index: Int, _ history: Span<UnitEvent>) -> Bool {
    source == .conversions
      || assignments.places.isCreditable(goalAt: index, of: history, at: place)
  }
}

extension Attribution {
  /// Returns whether a conversion of a unit assigned to a variant counts, before any limit is applied.
  func outcome(of event: UnitEvent, since: Int64) -> ConversionOutcome {
    if event.time < since { return .beforeExposure }
    guard isOpen(event.time, since: since) else { return .outsideWindow }
    return isWithinBounds(event.number) ? .counted : .outOfBounds
  }
}
