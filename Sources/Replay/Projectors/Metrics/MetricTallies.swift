public import Statistics

/// One metric of the units of a segment.
public struct MetricTally: Sendable, Equatable {
  /// Units with a goal or conversion of the metric that counts and takes none back; of decisions and visits, units with any.
  /// Of a ratio it is the part above the line.
  public var converters = 0
  /// The value of each unit; of a ratio the part above the line.
  public var moments = Moments()
  /// Of a ratio both parts of each unit; else nil.
  public var ratio: RatioMoments? {
    get { boxedRatio.value }
    _modify { yield &boxedRatio.value }
  }
  /// The value with that from before the first exposure; nil when nobody asked, and for a ratio.
  public var cuped: CupedMoments? {
    get { boxedCuped.value }
    _modify { yield &boxedCuped.value }
  }
  /// The values themselves, ascending; nil when nobody asked, and for a ratio.
  public var values: [Double]?
  /// Resampled means or ratios; nil when nobody asked.
  public var bootstrap: PoissonBootstrap?
  // Most metrics have neither, and a report may have a million of them.
  private var boxedRatio = OptionalBox<RatioMoments>()
  private var boxedCuped = OptionalBox<CupedMoments>()

  /// Takes the values of other units; the order of ``values`` is not kept.
  public mutating func merge(_ other: MetricTally) {
    converters += other.converters
    moments.merge(other.moments)
    if let ratio = other.ratio { self.ratio?.merge(ratio) }
    if let cuped = other.cuped { self.cuped?.merge(cuped) }
    if let values = other.values { self.values?.append(contentsOf: values) }
    if let bootstrap = other.bootstrap { self.bootstrap?.merge(bootstrap) }
  }

  var emptied: MetricTally {
    var empty = MetricTally()
    empty.ratio = ratio.map { _ in RatioMoments() }
    empty.cuped = cuped.map { _ in CupedMoments() }
    empty.values = values.map { _ in [] }
    empty.bootstrap = bootstrap.map {
      PoissonBootstrap(replicates: $0.replicates, seed: $0.weights.seed)
    }
    return empty
  }
}

/// The units of a segment and their metrics, in the order in which these were asked for.
public struct MetricTallyList: Sendable, Equatable {
  /// Units that belong to the segment.
  public var units = 0
  /// The tally of each metric.
  public var metrics: [MetricTally]

  /// Takes other units.
  public mutating func merge(_ other: MetricTallyList) {
    units += other.units
    for index in metrics.indices { metrics[index].merge(other.metrics[index]) }
  }

  /// The tallies of nobody, which can take what these can.
  package var emptied: MetricTallyList { MetricTallyList(metrics: metrics.map(\.emptied)) }
}

/// What was read, and what of it did not count, by rule. A unit is counted once for each point and slot of each
/// experiment.
public struct MetricLedger: Sendable, Equatable {
  /// Units that belong to a variant.
  public var assignedUnits = 0
  /// Units that were seen in several variants, and are left out.
  public var crossedUnits = 0
  /// Units whose window is not over at the end, and which are left out.
  public var unitsInProgress = 0
  /// Exposures after the end.
  public var exposuresAfterEnd = 0
  /// Provisional decisions that nothing confirmed.
  public var unconfirmedDecisions = 0
  /// Units that got the default because they are not in.
  public var excludedDecisions = 0
  /// Decisions with a status that this version does not know.
  public var unknownDecisions = 0
  /// Decisions that were left out by their reason.
  public var leftOutDecisions = 0
  /// Goals and conversions that count for at least one unit in an experiment.
  public var countedGoals = 0
  /// Goals and conversions that count nowhere: of units that belong to no variant, before the first exposure, outside the
  /// window, or beyond the limits.
  public var uncountedGoals = 0
  /// Goals that were refused when they came in.
  public var refusedGoals = 0

  static let fields: [any WritableKeyPath<MetricLedger, Int> & Sendable] = [
    \.assignedUnits, \.crossedUnits, \.unitsInProgress, \.exposuresAfterEnd, \.unconfirmedDecisions,
    \.excludedDecisions, \.unknownDecisions, \.leftOutDecisions, \.countedGoals, \.uncountedGoals,
    \.refusedGoals,
  ]

  mutating func merge(_ other: MetricLedger) {
    for field in Self.fields { self[keyPath: field] += other[keyPath: field] }
  }

  mutating func subtract(_ other: MetricLedger) {
    for field in Self.fields { self[keyPath: field] -= other[keyPath: field] }
  }
}

/// Metrics by segment, and the ledger.
public struct MetricTallies: Sendable, Equatable {
  /// The tallies of every segment to which a unit belongs.
  public var segments: [Segment: MetricTallyList] = [:]
  /// The units of every segment that was anyone's first exposure, also of those that belong to no variant because they were
  /// exposed to several: what the test of the sample ratio is made of, as in ``HealthTallies``.
  public var exposures: [Segment: FirstExposures] = [:]
  /// By experiment, point and slot (an arm with variant 0) what the probabilities of first exposures expect; only where they
  /// were read.
  public var expected: [Segment: ExpectedExposures] = [:]
  /// By experiment, point and slot (an arm with variant 0) how many units were first exposed on a day, counted from
  /// 1970-01-01 in UTC.
  public var days: [Arm: [Int64: Int]] = [:]
  /// What was read, and what of it did not count.
  public var ledger = MetricLedger()
}
