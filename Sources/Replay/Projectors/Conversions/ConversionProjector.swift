internal import EventLog
public import Specifications
internal import Statistics

/// Counts conversions by variant and goal: the conversions of the units of each variant after their first exposure to
/// it.
///
/// A unit is assigned to the variant of its first exposure (``AssignedUnits``) at each point and slot of an experiment.
/// A unit that saw two variants at the same point and slot is excluded there, or kept at the first
/// (``Attribution/crossing``), and counted. Variants at different points or slots are different things, so there a
/// unit can be assigned to several variants of an experiment; it is assigned once to a variant that it has at several
/// of them, from the earliest exposure on.
///
/// A conversion counts from the time of the first exposure, inclusive, up to and including the end of the window. A
/// limit applies per unit, place and goal: the first ones that count at the place. A negative
/// conversion has a revenue below 0; a unit without any other is not a converter.
///
/// The revenue of a unit is the sum of its conversions rounded once, and all sums over units are exact. The state
/// takes 300 bytes per variant and goal with conversions (and value of the dimension), whatever the number of units;
/// only a cap at a percentile needs the revenue of every unit with conversions, 8 bytes each. Without such a cap, a
/// unit's contribution can be subtracted again.
public struct ConversionProjector: UnitProjector {
  /// The accumulated state.
  public struct State: StateFields {
    var run: AssignedVariants
    /// By variant, value of the dimension and goal.
    var goals = AssignedTable(GoalTally(), .names(.goals))
    /// The number of events of each goal of an experiment, or of none, in the log.
    var goalsOfLog = SegmentTable(0, .names(.goals), .names(.experiments))
    /// The conversions of the current unit, by index in ``goals``.
    var unit = UnitScratch<UnitRevenue>()
    var sums = GoalSums()

    public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&goals, other.goals)
      visit(&goalsOfLog, other.goalsOfLog)
      visit(&run, other.run)
    }
  }

  /// The conversions for a goal, of the units that have any.
  struct GoalTally: StateFields {
    var tally = ConversionTally()
    /// The revenue of every unit with conversions; empty unless a percentile is needed.
    var revenues: [Double] = []

    mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&tally, other.tally)
      visit.values(&revenues, other.revenues)
    }

    var isOmitted: Bool { tally.conversions <= 0 }
  }

  /// The conversions of a unit for a variant and goal.
  struct UnitRevenue: Sendable {
    var goal: Int
    var sum = GoalSum()
    /// Whether one of them is not negative.
    var isConverter = false
  }

  /// Which exposures and conversions count. Its rule is ignored: the first exposure is always credited.
  public var attribution: Attribution
  /// The kind of event that is counted.
  public var source: ConversionSource
  /// The cap on the revenue of units; nil for none. A percentile is taken over all variants of an experiment together,
  /// and all values of the dimension, for each goal.
  public var capping: Capping?

  /// The default: conversions within 7 days of the first exposure.
  public static let standardAttribution = Attribution(rule: .first)

  /// Creates a projector, by default of conversions within 7 days of the first exposure, uncapped.
  public init(
    _ attribution: Attribution = standardAttribution, of source: ConversionSource = .conversions,
    capping: Capping? = nil
  ) {
    self.attribution = attribution
    self.source = source
    self.capping = capping
  }

  /// Decisions, goals and, if these are counted, conversions: an experiment without any may have goals instead.
  public var needs: UnitNeeds { source.needs.union(.goals) }

  public func makeState(_ context: UnitContext) -> State {
    State(run: AssignedVariants(context, attribution, source))
  }

  /// Adds the conversions of a unit.
  ///
  /// - Complexity: O(events + conversions × variants of the unit).
  public func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.run.load(history, &state.goals.segments)
    count(history, in: &state)
    guard state.run.hasSignals else { return }
    state.run.forEachCounted(history) { _, variant, event in
      let goal = state.goals.tallies.place(
        of: UInt32(truncatingIfNeeded: variant.segment), event.subject)
      let place = state.unit.find(goal) ?? state.unit.insert(UnitRevenue(goal: goal), at: goal)
      state.sums.add(event.number, to: &state.unit.elements[place].sum)
      if event.isConverting { state.unit.elements[place].isConverter = true }
      state.goals.tallies.tallies[goal].tally.total.add(event.number)
    }
    for unit in state.unit.elements {
      if unit.isConverter { state.goals.tallies.tallies[unit.goal].tally.converters += 1 }
      add(
        state.sums.value(of: unit.sum), of: Int(unit.sum.count),
        to: &state.goals.tallies.tallies[unit.goal])
    }
    state.unit.removeAll()
    state.sums.removeAll()
  }

  /// Counts the goals and, if these are counted, the conversions of the log.
  func count(_ events: Span<UnitEvent>, in state: inout State) {
    for index in events.indices {
      let event = events[index]
      guard event.kind == .goal || event.kind == source.kind else { continue }
      state.goalsOfLog.tallies[state.goalsOfLog.place(of: event.subject, event.experiment)] += 1
    }
  }

  /// Adds the revenue of a unit's conversions for a variant and goal.
  private func add(_ revenue: Double, of conversions: Int, to goal: inout GoalTally) {
    goal.tally.conversions += conversions
    switch capping {
    case nil: goal.tally.perUnit.add(revenue)
    case .absolute(let cap): goal.tally.add(revenue, cappedAt: cap)
    case .percentile: goal.revenues.append(revenue)
    }
  }

  /// Returns the conversions of every segment with an exposure, and the ledger.
  public func result(of state: State, _ context: UnitContext) -> ConversionTallies {
    var result = ConversionTallies(source: source, ledger: state.run.ledger)
    let segments = VariantSegment.segments(state.goals.segments, context)
    for (segment, count) in zip(segments, state.goals.segments.tallies) {
      result.units[segment, default: 0] += count.units
    }
    for place in state.goalsOfLog.tallies.indices {
      let (goal, experiment) = state.goalsOfLog.segment(at: place)
      result.goals[experiment, default: []].insert(goal)
    }
    for (place, goal) in state.goals.tallies.tallies.enumerated() {
      let (segment, code) = state.goals.tallies.segment(at: place)
      result.converted[segments[Int(segment)], default: [:]][code, default: ConversionTally()]
        .merge(goal.tally)
    }
    cap(&result, state.goals.tallies, segments)
    return result
  }
}

extension VariantSegment {
  /// Returns the segments of a table of variants and values, by index in the table.
  static func segments<Tally>(_ table: SegmentTable<Tally>, _ context: UnitContext) -> [Self] {
    let variants = AssignedVariants.variants(context.arms).variants
    return table.tallies.indices.map { place in
      let (variant, value) = table.segment(at: place)
      let arm = variants[Int(variant)]
      return Self(
        experiment: arm.experiment, variant: arm.variant, value: context.values[Int(value)])
    }
  }
}
