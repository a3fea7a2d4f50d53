/// What happened in each period: decisions, units, goals, and the rewards of decisions as they grew.
///
/// Goals are credited to the latest counted decision of their unit, experiment, point and slot, as in rewards, and belong
/// to the period of the goal. Under ``Basis/exposure`` everything belongs to the period of the unit's first counted
/// decision for the segment instead: what the units that joined then did.
///
/// The state takes 2.4 KB for each arm, value of the dimension and period in which something happened, whatever the
/// number of units. It is of counts and exact sums: what a unit added can be taken out again.
public struct SeriesProjector: UnitProjector {
  /// To which period something belongs.
  public enum Basis: String, Sendable, CaseIterable {
    /// That of the decision or goal itself.
    case event
    /// That of the unit's first exposure.
    case exposure
  }

  /// What has been seen.
  public struct State: Sendable {
    var table = SegmentTable(PeriodTable())
    var ledger = RewardLedger()
    var run: SeriesRun
  }

  /// How goals are credited, always to the latest decision that may have them.
  public let attribution: Attribution
  /// Into what time is divided.
  public let period: Period
  /// To which period something belongs.
  public let basis: Basis

  /// A series.
  ///
  /// - Parameters:
  ///   - attribution: How goals are credited; its rule is taken to be `last`.
  ///   - period: Into what time is divided.
  ///   - basis: To which period something belongs.
  public init(
    _ attribution: Attribution = Attribution(), period: Period = .day, basis: Basis = .event
  ) {
    var attribution = attribution
    attribution.rule = .last
    self.attribution = attribution
    self.period = period
    self.basis = basis
  }

  /// Decisions with their propensities, and goals.
  public var needs: UnitNeeds { [.decisions, .goals, .propensities] }

  /// Nothing seen.
  public func makeState(_ context: UnitContext) -> State {
    State(run: SeriesRun(context.arms, attribution))
  }

  /// Adds a unit.
  ///
  /// - Complexity: O(events × segments of the unit); with a delay also the decisions within it, for each goal.
  public func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.run.add(history, self, &state.table, &state.ledger)
  }

  /// Adds other units.
  public func merge(_ other: State, into state: inout State) {
    state.table.merge(other.table) { $1.merge($0) }
    state.ledger.merge(other.ledger)
  }

  /// The tallies of every segment with a counted decision, and the ledger.
  public func result(of state: State, _ context: UnitContext) -> SeriesTallies {
    SeriesTallies(
      segments: state.table.segments(context).mapValues(\.byPeriod).filter { !$0.value.isEmpty },
      ledger: state.ledger)
  }
}
