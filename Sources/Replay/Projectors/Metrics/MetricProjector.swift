public import EventLog
internal import Statistics

/// Metrics of units by the variant that they belong to.
///
/// The unit of analysis is the unit: at each point and slot of an experiment it belongs to the variant of its first
/// exposure (``Assignments``), whatever it was shown later; a unit that was seen in several variants is left out and counted,
/// unless the attribution says otherwise. Goals of the experiment (only at the point and slot that they name, if they name
/// any) and conversions count for it from the first exposure on, as far as window, delay, limit and end of the attribution
/// allow. A limit is one for each unit and experiment, of goals and of conversions apart, and of all of them together.
///
/// Sums over units are exact, so neither the order of the log nor the number of threads shows in a result. What a unit
/// adds can be taken out again. The state takes about 250 bytes for each segment and metric, whatever the number of units,
/// unless values are kept (8 bytes for each unit and metric); 40 bytes more for each replicate of the bootstrap.
public struct MetricProjector: UnitProjector {
  /// What has been seen.
  public struct State: Sendable {
    var table: SegmentTable<MetricTallyList>
    var days: [UInt32: [Int64: Int]] = [:]
    var exposures = SegmentTable(FirstExposures())
    /// By number of the place.
    var expected = SegmentTable(ExpectedExposures())
    var ledger = MetricLedger()
    var run: MetricRun
  }

  /// What is measured.
  public let metrics: [Metric]
  /// How goals are credited; its window is that of goals.
  public var attribution: Attribution
  /// How long conversions count after an exposure, in microseconds; nil for ever. It decides what is in progress when a
  /// metric is of conversions.
  public var conversionWindow: Int64?
  /// Values of units above it count as much as it does, also above the line of a ratio; nil for none. What is either 0
  /// or 1 is not cut.
  public var cap: Double?
  /// How long before the first exposure the same metric is measured too, in microseconds; nil for not at all.
  public var covariatePeriod: Int64?
  /// Whether the values themselves are kept.
  public var keepsValues = false
  /// How means and ratios are resampled; nil for not at all. Weights follow the codes that the log gave its units.
  public var bootstrap: Bootstrap?
  /// Whether units are counted by the day of their first exposure.
  public var countsDays = false
  /// Whether the probabilities of all choices are read, where they are logged: what the units of variants are tested against.
  /// Databases do not keep them.
  public var readsProbabilities = false

  let formulas: MetricFormulas

  /// How often units are resampled, and from what seed.
  public struct Bootstrap: Sendable, Hashable {
    /// How often, at least 1.
    public var replicates: Int
    /// What weights are drawn from.
    public var seed: UInt64

    /// Says how units are resampled.
    public init(replicates: Int = 1_000, seed: UInt64 = 0) {
      (self.replicates, self.seed) = (replicates, seed)
    }
  }

  /// Makes a projector.
  ///
  /// - Parameters:
  ///   - metrics: What is measured.
  ///   - names: The names of the log's goals. A goal that the log does not have counts for nobody.
  ///   - attribution: How goals are credited. Its rule does not matter: a unit belongs to one variant.
  ///   - conversionWindow: How long conversions count, in microseconds; nil for ever.
  public init(
    _ metrics: [Metric], names: LogNames, attribution: Attribution = Attribution(),
    conversionWindow: Int64? = nil
  ) {
    self.init(metrics, attribution, conversionWindow) { names.code(of: $0, in: .goals) }
  }

  /// Makes a projector of one metric of all goals, which any log can have.
  ///
  /// - Parameters:
  ///   - metric: What is measured.
  ///   - attribution: How goals are credited. Its rule does not matter: a unit belongs to one variant.
  ///   - conversionWindow: How long conversions count, in microseconds; nil for ever.
  public init(
    _ metric: Metric.Count, attribution: Attribution = Attribution(),
    conversionWindow: Int64? = nil
  ) {
    self.init([Metric(metric)], attribution, conversionWindow) { _ in nil }
  }

  private init(
    _ metrics: [Metric], _ attribution: Attribution, _ conversionWindow: Int64?,
    code: (String) -> UInt32?
  ) {
    self.metrics = metrics
    self.attribution = attribution
    self.conversionWindow = conversionWindow
    formulas = MetricFormulas(metrics, code: code)
  }

  /// Decisions with their propensities, and what the metrics are of.
  public var needs: UnitNeeds {
    let needs = formulas.needs.union(.propensities)
    return readsProbabilities ? needs.union(.probabilities) : needs
  }

  /// Nothing seen.
  public func makeState(_ context: UnitContext) -> State {
    State(table: SegmentTable(noUnits), run: MetricRun(context, self))
  }

  /// The tallies that a segment begins with.
  var noUnits: MetricTallyList {
    let tallies = metrics.map { metric in
      var tally = MetricTally()
      if metric.denominator != nil {
        tally.ratio = RatioMoments()
      } else {
        if covariatePeriod != nil { tally.cuped = CupedMoments() }
        if keepsValues { tally.values = [] }
      }
      tally.bootstrap = bootstrap.map {
        PoissonBootstrap(replicates: $0.replicates, seed: $0.seed)
      }
      return tally
    }
    return MetricTallyList(metrics: tallies)
  }

  /// Measures a unit.
  ///
  /// - Complexity: O(events × places of the unit).
  public func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.run.expose(history, &state.ledger)
    state.run.addExposures(of: history, to: &state.exposures)
    if readsProbabilities { state.run.addExpected(of: history, to: &state.expected) }
    state.run.assign(&state.ledger)
    state.run.measure(history, &state.ledger)
    state.run.tally(unit: history[0].unit, into: &state.table)
    if countsDays { state.run.countDays(into: &state.days) }
    state.run.end()
  }

  /// Adds other units.
  public func merge(_ other: State, into state: inout State) {
    state.table.merge(other.table) { $1.merge($0) }
    state.exposures.merge(other.exposures) { $1.merge($0) }
    state.expected.merge(other.expected) { $1.merge($0) }
    for (place, days) in other.days {
      state.days[place, default: [:]].merge(days, uniquingKeysWith: +)
    }
    state.ledger.merge(other.ledger)
  }

  /// The metrics of every segment to which a unit belongs, and the ledger.
  public func result(of state: State, _ context: UnitContext) -> MetricTallies {
    var result = MetricTallies(ledger: state.ledger)
    result.segments.reserveCapacity(state.table.count)
    for (place, list) in state.table.tallies.enumerated() where list.units > 0 {
      let (arm, value) = state.table.segment(at: place)
      let segment = Segment(arm: context.arms[Int(arm)], value: context.values[Int(value)])
      var list = list
      for index in list.metrics.indices { list.metrics[index].values?.sort() }
      result.segments[segment] = list
    }
    result.exposures = state.exposures.segments(context).filter { $0.value.units > 0 }
    result.expected = state.expected.places(context, state.run.places)
    for (arm, days) in state.days {
      var place = context.arms[Int(arm)]
      place.variant = 0
      result.days[place, default: [:]].merge(days, uniquingKeysWith: +)
    }
    return result
  }
}
