public import EventLog
public import Events
public import Specifications
internal import Statistics

/// Computes metrics of units by the variant that they are assigned to.
///
/// The unit of analysis is the unit: at each point and slot of an experiment it is assigned to the variant of its
/// first exposure (``AssignedUnits``), whatever it was shown later; a unit exposed to several variants is excluded and
/// counted, unless the attribution says otherwise. Goals of the experiment (only at the point and slot that they name,
/// if any) and conversions count from the first exposure on, within the window, delay, limit and end of the
/// attribution. A limit applies per unit, place and code, to goals and to conversions separately.
///
/// Sums over units are exact, so results depend neither on the order of the log nor on the number of threads. A unit's
/// contribution can be subtracted again. The state takes about 250 bytes per segment and metric, whatever the number
/// of units, unless values are kept (8 bytes per unit and metric); 40 bytes more per bootstrap replicate.
public struct MetricProjector: UnitProjector {
  /// The accumulated state.
  public struct State: StateFields {
    var table: SegmentTable<MetricTallyList>
    var days: [UInt32: DayCounts] = [:]
    var exposures = SegmentTable(FirstExposures())
    /// By number of the place.
    var expected = SegmentTable(ExpectedExposures(), .places, .values)
    var run: MetricRun
    let hashes: UnitHashes
    let (readsProbabilities, countsDays): (Bool, Bool)

    public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&table, other.table)
      visit(&exposures, other.exposures)
      if readsProbabilities { visit(&expected, other.expected) }
      if countsDays { visit.entries(&days, other.days, .arms, DayCounts()) }
      visit(&run, other.run)
    }
  }

  /// The metrics to compute.
  public let metrics: [Metric]
  /// How goals and conversions are credited. The window of conversions determines which units are in progress if a
  /// metric uses them, and that of goals otherwise.
  public var attribution: Attribution
  /// The cap on the values of units, which also applies to the numerator of a ratio; nil for none. Binary values are
  /// not capped.
  public var cap: Double?
  /// The length of the period before the first exposure in which the same metric is measured as a covariate, in
  /// microseconds; nil for none.
  public var covariatePeriod: Int64?
  /// Whether the values of the units are kept.
  public var keepsValues = false
  /// The caps at percentiles, by the code of the experiment and the index of the metric; see ``withoutCaps``.
  package internal(set) var caps: [UInt32: [Double?]] = [:]
  /// Whether only the values are kept whose percentiles are caps.
  var findsCaps = false
  /// The bootstrap of means and ratios; nil for none. The weights of a unit follow from the hash of its name.
  public var bootstrap: Bootstrap?
  /// Whether units are counted by the day of their first exposure.
  public var countsDays = false
  /// The days of the time zone by which they are counted.
  public var calendar = DayCalendar.utc
  /// Whether the probabilities of all choices are read, where they are logged: the expected shares of the variants'
  /// units. Databases do not store them.
  public var readsProbabilities = false

  let formulas: MetricFormulas

  /// The number and seed of bootstrap replicates.
  public struct Bootstrap: Sendable, Hashable {
    /// The number of replicates, at least 1.
    public var replicates: Int
    /// The seed of the weights.
    public var seed: UInt64

    /// Creates bootstrap settings.
    public init(replicates: Int = 1_000, seed: UInt64 = 0) {
      (self.replicates, self.seed) = (replicates, seed)
    }
  }

  /// Creates a projector.
  ///
  /// - Parameters:
  ///   - metrics: The metrics to compute.
  ///   - names: The names of the log's goals. A goal that the log does not have never counts.
  ///   - attribution: How goals are credited. Its rule is ignored: a unit is assigned to one variant.
  public init(
    _ metrics: [Metric], names: LogNames, attribution: Attribution = Attribution()
  ) {
    self.init(metrics, attribution) { names.code(of: $0, in: .goals) }
  }

  /// Creates a projector of one metric of all goals, which does not depend on the log.
  ///
  /// - Parameters:
  ///   - metric: The metric to compute.
  ///   - attribution: How goals are credited. Its rule is ignored: a unit is assigned to one variant.
  public init(
    _ metric: Metric.Count, attribution: Attribution = Attribution()
  ) {
    self.init([Metric(metric)], attribution) { _ in nil }
  }

  private init(
    _ metrics: [Metric], _ attribution: Attribution, code: (String) -> UInt32?
  ) {
    self.metrics = metrics
    self.attribution = attribution
    formulas = MetricFormulas(metrics, code: code)
  }

  /// Decisions with their propensities, and the events that the metrics need.
  public var needs: UnitNeeds {
    var needs = formulas.needs.union(.propensities)
    if readsProbabilities { needs.formUnion([.probabilities, .choices]) }
    if bootstrap != nil { needs.insert(.hashes) }
    return needs
  }

  public func makeState(_ context: UnitContext) -> State {
    State(
      table: SegmentTable(noUnits), run: MetricRun(context, self), hashes: context.hashes,
      readsProbabilities: readsProbabilities, countsDays: countsDays)
  }

  /// The tallies of a segment without units.
  var noUnits: MetricTallyList {
    let tallies = metrics.map { metric in
      var tally = MetricTally()
      if metric.denominator != nil {
        tally.ratio = RatioMoments()
        if covariatePeriod != nil { tally.cupedRatio = CupedRatioMoments() }
      } else {
        if covariatePeriod != nil { tally.cuped = CupedMoments() }
        if keepsValues { tally.values = [] }
      }
      if findsCaps { tally.values = metric.cap?.isPercentile ?? false ? [] : nil }
      tally.bootstrap = bootstrap.map {
        PoissonBootstrap(replicates: $0.replicates, seed: $0.seed)
      }
      return tally
    }
    return MetricTallyList(metrics: tallies)
  }

  /// Adds the metrics of a unit.
  ///
  /// - Complexity: O(events × places of the unit).
  public func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.run.load(history)
    add(history, measuring: history, to: &state)
  }

  /// Adds the loaded unit, measured by some of its events.
  func add(_ history: Span<UnitEvent>, measuring events: Span<UnitEvent>, to state: inout State) {
    state.run.addExposures(of: history, to: &state.exposures)
    if readsProbabilities { state.run.units.addExpected(of: history, to: &state.expected) }
    state.run.measure(events)
    state.run.tally(unit: state.hashes[history[0].unit], into: &state.table)
    if countsDays { state.run.countDays(into: &state.days) }
    state.run.end()
  }

  /// Returns the metrics of every segment with an assigned unit, and the ledger.
  public func result(of state: State, _ context: UnitContext) -> MetricTallies {
    var result = MetricTallies(ledger: state.run.ledger)
    result.segments.reserveCapacity(state.table.count)
    for (place, list) in state.table.tallies.enumerated() where list.units > 0 {
      let (arm, value) = state.table.segment(at: place)
      let segment = Segment(arm: context.arms[Int(arm)], value: context.values[Int(value)])
      var list = list
      for index in list.metrics.indices { list.metrics[index].values?.sort() }
      result.segments[segment] = list
    }
    result.exposures = state.exposures.segments(context).filter { $0.value.units > 0 }
    result.expected = state.expected.places(context, state.run.units.places)
    for (arm, days) in state.days {
      var place = context.arms[Int(arm)]
      place.variant = 0
      result.days[place, default: [:]].merge(days.units, uniquingKeysWith: +)
    }
    return result
  }

  /// The number of units first exposed on each day, counted from 1970-01-01.
  struct DayCounts: StateFields {
    var units: [Int64: Int] = [:]

    mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit.entries(&units, other.units, .numbers, 0)
    }
  }
}
