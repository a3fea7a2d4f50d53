internal import Events

/// What is known of a variant, or of a segment of it.
struct AssignmentCount: Sendable {
  /// Exposures, whether their units count or not.
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
/// A unit is assigned at each point and slot of an experiment on its own, by its first exposure there, as
/// ``Attribution/assignment(of:)`` says. Where it has the same variant at several of them, it belongs to the variant once,
/// since the earliest.
struct AssignmentRun: Sendable {
  private struct Place {
    var variant: UInt32
    var experiment: UInt32
    var segment: Int
    var since: Int64
    var isCrossed = false
  }

  /// By arm: which place it belongs to, the same number for the same experiment, point and slot.
  private let placeOfArm: [UInt32]
  /// By arm: which variant it is, the same number for the same experiment and variant.
  private let variantOfArm: [UInt32]
  private var places = UnitScratch<Place>()
  private var assigned = UnitScratch<AssignedVariant>()
  /// How often each goal counted for the unit and a variant.
  private var counts = SegmentTable(0)
  /// Whether the unit has anything that could count.
  private(set) var hasSignals = false

  init(_ arms: [Arm]) {
    placeOfArm = ArmRegister.places(of: arms)
    variantOfArm = Self.variants(arms).ofArm
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
    _ history: Span<UnitEvent>, _ attribution: Attribution, _ source: ConversionSource,
    _ segments: inout SegmentTable<AssignmentCount>, _ ledger: inout ConversionLedger
  ) {
    places.removeAll()
    assigned.removeAll()
    hasSignals = false
    var value: UInt32 = 0
    for index in history.indices {
      let event = history[index]
      switch event.kind {
      case .decision: expose(event, value, attribution, &segments, &ledger)
      case .dimension: value = event.subject
      case source.kind: hasSignals = true
      case .refusedGoal: if source == .goals { ledger.refusedGoals += 1 }
      default: ledger.count(uncounted: event.kind)
      }
    }
    if !places.elements.isEmpty { ledger.units += 1 }
    assign(attribution, &segments, &ledger)
  }

  private mutating func expose(
    _ event: UnitEvent, _ value: UInt32, _ attribution: Attribution,
    _ segments: inout SegmentTable<AssignmentCount>, _ ledger: inout ConversionLedger
  ) {
    let variant = variantOfArm[Int(event.subject)]
    let segment = segments.place(of: variant, value)
    segments.tallies[segment].exposures += 1
    ledger.exposures += 1
    let place = Int(placeOfArm[Int(event.subject)])
    if let known = places.find(place) {
      if places.elements[known].variant != variant, attribution.hasSeen(event.time) {
        places.elements[known].isCrossed = true
      }
    } else {
      _ = places.insert(
        Place(
          variant: variant, experiment: event.experiment, segment: segment, since: event.time),
        at: place)
    }
  }

  private mutating func assign(
    _ attribution: Attribution, _ segments: inout SegmentTable<AssignmentCount>,
    _ ledger: inout ConversionLedger
  ) {
    for place in places.elements {
      if !attribution.hasSeen(place.since) {
        ledger.assignmentsAfterEnd += 1
      } else if place.isCrossed, attribution.crossing == .drop {
        ledger.crossedAssignments += 1
      } else if attribution.isInProgress(place.since) {
        ledger.inProgressAssignments += 1
      } else {
        ledger.assignments += 1
        // Places come in the order of their first exposures, so the first one with the variant is the earliest.
        guard assigned.find(Int(place.variant)) == nil else { continue }
        segments.tallies[place.segment].units += 1
        _ = assigned.insert(
          AssignedVariant(
            segment: place.segment, experiment: place.experiment, since: place.since),
          at: Int(place.variant))
      }
    }
  }

  /// Calls the closure with what counts for each variant of the unit that was loaded last, in the order of the events.
  ///
  /// Only the given goals are looked at, all when they are nil. The closure takes the index of the variant among
  /// ``variants``, the variant, and what counts.
  ///
  /// - Complexity: O(events + conversions × variants of the unit).
  mutating func forEachCounted(
    _ history: Span<UnitEvent>, _ attribution: Attribution, _ source: ConversionSource,
    _ ledger: inout ConversionLedger, only goals: Set<UInt32>? = nil,
    _ body: (Int, AssignedVariant, UnitEvent) -> Void
  ) {
    guard hasSignals else { return }
    for index in history.indices where history[index].kind == source.kind {
      let event = history[index]
      if let goals, !goals.contains(event.subject) { continue }
      var best = fateOfNobodys(event, source)
      for (number, variant) in assigned.elements.enumerated()
      where source.concerns(event, variant.experiment) {
        var fate = attribution.fate(of: event, since: variant.since)
        if fate == .counted, !isWithinLimit(number, event.subject, attribution) {
          fate = .beyondLimit
        }
        if fate.rawValue > best.rawValue { best = fate }
        if fate == .counted { body(number, variant, event) }
      }
      ledger.count(best)
      if best == .counted, event.isNegative { ledger.negative += 1 }
    }
    if counts.count > 0 { counts = SegmentTable(0) }
  }

  /// What becomes of a conversion that concerns no variant of the unit.
  private func fateOfNobodys(_ event: UnitEvent, _ source: ConversionSource) -> ConversionFate {
    places.elements.contains { source.concerns(event, $0.experiment) }
      ? .ofUnitLeftOut : .ofUnitNeverExposed
  }

  /// Whether a goal may count once more for the unit and a variant; it is counted.
  private mutating func isWithinLimit(
    _ number: Int, _ goal: UInt32, _ attribution: Attribution
  ) -> Bool {
    guard let most = attribution.mostGoals else { return true }
    let place = counts.place(of: UInt32(truncatingIfNeeded: number), goal)
    counts.tallies[place] += 1
    return counts.tallies[place] <= most
  }
}

extension Attribution {
  /// Whether a time is not after the end.
  func hasSeen(_ time: Int64) -> Bool { time <= end?.microseconds ?? .max }

  /// What becomes of a conversion of a unit that belongs to a variant, as long as its goal has not counted too often.
  func fate(of event: UnitEvent, since: Int64) -> ConversionFate {
    if event.time < since { return .beforeExposure }
    guard isOpen(event.time, since: since) else { return .outsideWindow }
    return isWithinBounds(event.number) ? .counted : .outOfBounds
  }
}
