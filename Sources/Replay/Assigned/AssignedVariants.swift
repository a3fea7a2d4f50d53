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
/// A unit is assigned separately at each point and slot of an experiment (``AssignedUnits``). If it has the same
/// variant at several of them, it is assigned to the variant once, from the earliest exposure on; for a goal that names
/// a point or slot, from the earliest exposure there.
struct AssignedVariants: StateFields {
  /// The counts of what was read, and of what was excluded.
  private(set) var ledger = ConversionLedger()
  private let attribution: Attribution
  private let source: ConversionSource
  /// For each arm, the number of its variant: equal for equal experiment and variant.
  private let variantOfArm: [UInt32]
  private var units: AssignedUnits
  private var assigned = UnitScratch<AssignedVariant>()
  private var limit: GoalLimit
  /// Whether the unit has any event that could count.
  private(set) var hasSignals = false

  init(_ context: UnitContext, _ attribution: Attribution, _ source: ConversionSource) {
    self.attribution = attribution.of(source)
    self.source = source
    variantOfArm = Self.variants(context.arms).ofArm
    units = AssignedUnits(context, self.attribution)
    limit = GoalLimit(attribution)
  }

  mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&ledger, other.ledger)
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

  /// Finds the variants of a unit, or of one without conversions whose earlier history was loaded before and now goes
  /// on.
  ///
  /// - Parameters:
  ///   - history: All events of the unit.
  ///   - start: The number of events that were loaded before.
  ///   - segments: The counts of the variants, to which those of the other events are added.
  /// - Returns: Whether the other events change nothing of what was counted before; if not, nothing was counted.
  /// - Complexity: O(number of events).
  @discardableResult
  mutating func load(
    _ history: Span<UnitEvent>, from start: Int = 0,
    _ segments: inout SegmentTable<AssignmentCount>
  ) -> Bool {
    hasSignals = false
    if start > 0 {
      for index in history.indices where history[index].kind == source.kind { return false }
    }
    var refused = 0
    let isLoaded = units.load(history, from: start, &ledger.assigned) { event, role, value in
      if role != .other {
        let segment = segments.place(of: variantOfArm[Int(event.subject)], value)
        segments.tallies[segment].exposures += 1
      } else if event.kind == source.kind {
        hasSignals = true
      } else if event.kind == .refusedGoal, source == .goals {
        refused += 1
      }
    }
    ledger.refusedGoals += refused
    if isLoaded { assign(&segments) }
    return isLoaded
  }

  private mutating func assign(_ segments: inout SegmentTable<AssignmentCount>) {
    assigned.removeAll()
    for (number, assignment) in units.counting.enumerated() {
      let variant = variantOfArm[Int(assignment.arm)]
      // Assignments are in the order of their first exposures, so the first one with the variant is the earliest.
      guard assigned.find(Int(variant)) == nil else { continue }
      let segment = segments.place(of: variant, assignment.value)
      segments.tallies[segment].units += number >= units.knownCounting ? 1 : 0
      _ = assigned.insert(
        AssignedVariant(
          variant: variant, segment: segment, experiment: assignment.experiment,
          since: assignment.time), at: Int(variant))
    }
  }

  /// Calls the closure with each event that counts for a variant of the current unit, in the order of the events.
  ///
  /// Only the given goals are visited, or all if they are nil; a limit still applies to all goals together. The
  /// closure receives the index of the variant among ``variants``, the variant, and the event.
  ///
  /// - Complexity: O(events + conversions × variants of the unit).
  mutating func forEachCounted(
    _ history: Span<UnitEvent>, only goals: Set<UInt32>? = nil,
    _ body: (Int, AssignedVariant, UnitEvent) -> Void
  ) {
    guard hasSignals else { return }
    limit.removeAll()
    for index in history.indices where history[index].kind == source.kind {
      let event = history[index]
      let isWanted = goals?.contains(event.subject) ?? true
      var best = outcomeOfUnassigned(index, history)
      for (number, variant) in assigned.elements.enumerated() {
        guard let outcome = outcome(index, history, variant) else { continue }
        best = max(best, outcome)
        if outcome == .counted, isWanted { body(number, variant, event) }
      }
      guard isWanted else { continue }
      ledger[best] += 1
      if best == .counted, event.isNegative { ledger.negative += 1 }
    }
  }

  /// Returns whether an event counts for a variant of the unit, and if not, why; nil if it does not concern the
  /// variant.
  ///
  /// It is counted for the limit at the places where the unit has the variant, and must be within that of any.
  private mutating func outcome(
    _ index: Int, _ history: Span<UnitEvent>, _ variant: AssignedVariant
  ) -> EventOutcome? {
    let event = history[index]
    guard source == .conversions || event.experiment == variant.experiment else { return nil }
    var since = variant.since
    if history.place(namedByGoalAt: index) != nil {
      guard
        let first = units.counting.first(where: {
          isConcerned($0.place, index, history) && variantOfArm[Int($0.arm)] == variant.variant
        })
      else { return nil }
      since = first.time
    }
    let outcome = attribution.outcome(of: event, since: since)
    guard outcome == .counted, limit.isLimited else { return outcome }
    var isAdmitted = false
    for assignment in units.counting
    where variantOfArm[Int(assignment.arm)] == variant.variant
      && attribution.isOpen(event, since: assignment.time)
      && isConcerned(assignment.place, index, history)
    {
      if limit.admits(event.subject, at: assignment.place) { isAdmitted = true }
    }
    return isAdmitted ? .counted : .beyondLimit
  }

  /// Returns why a conversion that concerns no variant of the unit does not count.
  private func outcomeOfUnassigned(_ index: Int, _ history: Span<UnitEvent>) -> EventOutcome {
    let isExposed =
      units.all.contains { isConcerned($0.place, index, history) }
      || units.placesAfterEnd.contains { isConcerned($0, index, history) }
    return isExposed ? .ofUnitLeftOut : .ofUnitNeverExposed
  }

  /// Returns whether an event can count for an exposure at a place.
  private func isConcerned(_ place: UInt32, _ index: Int, _ history: Span<UnitEvent>) -> Bool {
    units.places.isConcerned(byEventAt: index, of: history, place)
  }
}
