public import Specifications
public import Statistics

/// One metric of the units of a segment.
public struct MetricTally: Sendable, Equatable {
  /// Units with a counted goal or conversion of the metric, for `converted` one that is not negative; for decisions and
  /// visits, units with any. For a ratio, it refers to the numerator.
  public var converters = 0
  /// Units with a counted conversion of the metric that is negative.
  public var reversers = 0
  /// The value of each unit; for a ratio, the numerator.
  public var moments = Moments()
  /// The numerator and denominator of each unit of a ratio; nil for other metrics.
  public var ratio: RatioMoments? {
    get { boxedRatio.value }
    _modify { yield &boxedRatio.value }
  }
  /// The value paired with that from before the first exposure; nil if not requested, and for a ratio.
  public var cuped: CupedMoments? {
    get { boxedCuped.value }
    _modify { yield &boxedCuped.value }
  }
  /// The ratio paired with that from before the first exposure; nil if not requested, and for other metrics.
  public var cupedRatio: CupedRatioMoments? {
    get { boxedCupedRatio.value }
    _modify { yield &boxedCupedRatio.value }
  }
  /// The values in ascending order; nil if not requested, and for a ratio unless its numerators are.
  public var values: [Double]?
  /// The bootstrap replicates of the mean or ratio; nil if not requested.
  public var bootstrap: PoissonBootstrap?
  // Most metrics have neither, and a report may have a million of them.
  private var boxedRatio = OptionalBox<RatioMoments>()
  private var boxedCuped = OptionalBox<CupedMoments>()
  private var boxedCupedRatio = OptionalBox<CupedRatioMoments>()

  /// The contribution of a unit.
  struct Unit {
    /// The value; for a ratio, the numerator.
    var value: Double
    /// The denominator of a ratio; nil for other metrics.
    var over: Double?
    /// The value from before the first exposure, if requested.
    var covariate: Double?
    /// The denominator from before the first exposure of a ratio, if requested.
    var covariateOver: Double?
    var isConverter: Bool
    var isReversed = false
    /// The hash of the unit.
    var hash: UInt64
  }

  mutating func add(_ unit: Unit) {
    moments.add(unit.value)
    if unit.isConverter { converters += 1 }
    if unit.isReversed { reversers += 1 }
    bootstrap?.add(unit.value, over: unit.over ?? 1, unit: unit.hash)
    values?.append(unit.value)
    if let over = unit.over {
      ratio?.add(unit.value, over: over)
      if let before = unit.covariate, let beforeOver = unit.covariateOver {
        cupedRatio?.add((unit.value, over), covariate: (before, beforeOver))
      }
      return
    }
    if let covariate = unit.covariate { cuped?.add(unit.value, covariate: covariate) }
  }

  var emptied: MetricTally {
    var empty = MetricTally()
    empty.ratio = ratio.map { _ in RatioMoments() }
    empty.cuped = cuped.map { _ in CupedMoments() }
    empty.cupedRatio = cupedRatio.map { _ in CupedRatioMoments() }
    empty.values = values.map { _ in [] }
    empty.bootstrap = bootstrap.map {
      PoissonBootstrap(replicates: $0.replicates, seed: $0.weights.seed)
    }
    return empty
  }
}

/// Adding other units does not keep the order of ``values``.
extension MetricTally: StateFields {
  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&converters, other.converters)
    visit(&reversers, other.reversers)
    visit(&moments, other.moments)
    visit(&boxedRatio, other.boxedRatio)
    visit(&boxedCuped, other.boxedCuped)
    visit(&boxedCupedRatio, other.boxedCupedRatio)
    visit.values(&values, other.values)
    visit(&bootstrap, other.bootstrap)
  }
}

/// The units of a segment and their metrics, in the requested order.
public struct MetricTallyList: Sendable, Equatable {
  /// Units assigned to the segment.
  public var units = 0
  /// The tally of each metric.
  public var metrics: [MetricTally]

  /// An empty list of tallies of the same shape, into which this one can be merged.
  package var emptied: MetricTallyList { MetricTallyList(metrics: metrics.map(\.emptied)) }
}

extension MetricTallyList: StateFields {
  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&units, other.units)
    visit(&metrics, other.metrics)
  }

  public var isOmitted: Bool { units <= 0 }
}

/// Counts of what was read and of what was excluded, by rule. A unit is counted once for each point and slot of each
/// experiment.
public struct MetricLedger: StateFields, Equatable {
  /// The exposures and assignments; its units are not counted.
  public var assigned = AssignmentLedger()
  /// Goals and conversions that count for at least one unit in an experiment.
  public var countedGoals = 0
  /// Goals and conversions that count nowhere: of unassigned units, before the first exposure, outside the window, or
  /// beyond the limits.
  public var uncountedGoals = 0
  /// Refused goals.
  public var refusedGoals = 0

  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&assigned, other.assigned)
    visit(&countedGoals, other.countedGoals)
    visit(&uncountedGoals, other.uncountedGoals)
    visit(&refusedGoals, other.refusedGoals)
  }

  /// The counts that reports note, with their names.
  public var noted: [(name: String, count: Int)] {
    [
      ("units_assigned", assigned.countedAssignments),
      ("units_in_several_variants", assigned.droppedAssignments),
      ("units_in_progress", assigned.inProgressAssignments),
      ("exposures_after_end", assigned.decisionsAfterEnd),
      ("decisions_unconfirmed", assigned.unconfirmedDecisions),
      ("decisions_excluded", assigned.excludedDecisions),
      ("decisions_of_unknown_status", assigned.unknownDecisions),
      ("decisions_left_out", assigned.leftOutDecisions), ("goals_counted", countedGoals),
      ("goals_not_counted", uncountedGoals), ("goals_refused", refusedGoals),
    ]
  }
}

/// Metrics by segment, and the ledger.
public struct MetricTallies: Sendable, Equatable {
  /// The tallies of every segment with an assigned unit.
  public var segments: [Segment: MetricTallyList] = [:]
  /// The units of every segment that was the first exposure of at least one unit, including units excluded because
  /// they were exposed to several variants: the input of the sample ratio test, as in ``HealthTallies``.
  public var exposures: [Segment: FirstExposures] = [:]
  /// By experiment, point and slot (an arm with variant 0), the expected first exposures from the logged
  /// probabilities; only if those were read.
  public var expected: [Segment: ExpectedExposures] = [:]
  /// By experiment, point and slot (an arm with variant 0), the number of units first exposed on each day, counted
  /// from 1970-01-01.
  public var days: [Arm: [Int64: Int]] = [:]
  /// The counts of what was read and what was excluded.
  public var ledger = MetricLedger()
}
