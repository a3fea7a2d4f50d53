public import Events
public import Specifications

/// Computes a time series per period: decisions, units, goals, and the cumulative rewards of decisions.
///
/// Goals are credited to the latest counted decision of their unit, experiment, point and slot, as in rewards, and
/// belong to the period of the goal. With ``Basis/exposure`` everything belongs to the period of the unit's first
/// counted decision for the segment instead, which gives cohorts of units.
///
/// The state takes 3.6 KB for each arm, value of the dimension and nonempty period, whatever the number of units. It
/// holds counts and exact sums, so a unit's contribution can be subtracted again.
public struct SeriesProjector: RevisableUnitProjector {
  /// The period that an event is assigned to.
  public enum Basis: String, Sendable, CaseIterable {
    /// That of the decision or goal itself.
    case event
    /// That of the unit's first exposure.
    case exposure
  }

  /// The accumulated state.
  public struct State: StateFields {
    var table = SegmentTable(PeriodTable())
    var ledger = RewardLedger()
    var run: SeriesRun
    /// The periods that a time can be in.
    let periods: ClosedRange<Int64>

    public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&table, other.table)
      visit(&ledger, other.ledger)
    }

    public func validate() throws(StateError) {
      guard table.tallies.allSatisfy({ $0.periods.allSatisfy(periods.contains) }) else {
        throw StateError("a period that no time lies in")
      }
    }
  }

  /// How goals are credited, always to the latest eligible decision.
  public let attribution: Attribution
  /// The length of a period.
  public let period: Period
  /// The period that an event is assigned to.
  public let basis: Basis
  /// The days of the time zone that periods are of.
  public let calendar: DayCalendar

  /// Creates a series.
  ///
  /// - Parameters:
  ///   - attribution: How goals are credited; its rule is taken to be `last`.
  ///   - period: The length of a period.
  ///   - basis: The period that an event is assigned to.
  ///   - calendar: The days of the time zone that periods are of.
  public init(
    _ attribution: Attribution = Attribution(), period: Period = .day, basis: Basis = .event,
    calendar: DayCalendar = .utc
  ) {
    var attribution = attribution
    attribution.rule = .last
    self.attribution = attribution
    self.period = period
    self.basis = basis
    self.calendar = calendar
  }

  /// Whether only goals are credited, within their experiment.
  public var isDividedByExperiments: Bool { !attribution.metric.signal.readsConversions }

  /// Decisions with their propensities, and the goals or conversions of the metric.
  public var needs: UnitNeeds { attribution.metric.needs.union(.propensities) }

  public func makeState(_ context: UnitContext) -> State {
    State(
      run: SeriesRun(context.arms, attribution),
      periods: period.index(of: .min, in: calendar)...period.index(of: .max, in: calendar))
  }

  /// Adds a unit.
  ///
  /// - Complexity: O(events × segments of the unit); with a delay also the decisions within it, for each goal.
  public func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.run.add(history, self, &state.table, &state.ledger)
  }

  /// Returns the tallies of every segment with a counted decision, and the ledger.
  public func result(of state: State, _ context: UnitContext) -> SeriesTallies {
    SeriesTallies(
      segments: state.table.segments(context).mapValues(\.byPeriod).filter { !$0.value.isEmpty },
      ledger: state.ledger, calendar: calendar)
  }
}
