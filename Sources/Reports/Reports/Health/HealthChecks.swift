internal import EventLog
public import Events
public import Replay
internal import Specifications

/// The counts behind the report `health`.
public struct HealthEvidence: Sendable {
  /// Counts by unit.
  public var tallies: HealthTallies
  /// Counts of logged propensities.
  public var propensities: PropensityTallies
  /// Positions of the log without an event.
  public var absent: AbsentEventProjector.State
  /// The number of unreadable events.
  public var unreadable: Int
  /// The number of positions of the log.
  public var positions: Int
  /// The number of events with an id, and of those that share kind, id and slot with an earlier event; nil if events
  /// have ids, but the source does not keep them.
  package var ids: (events: Int, shared: Int)? = (0, 0)
  /// Whether some experiments are not selected, whose conversions belong to no unit of the others.
  package var leavesOutExperiments = false

  /// Creates evidence.
  public init(
    tallies: HealthTallies, propensities: PropensityTallies, absent: AbsentEventProjector.State,
    unreadable: Int, positions: Int
  ) {
    self.tallies = tallies
    self.propensities = propensities
    self.absent = absent
    self.unreadable = unreadable
    self.positions = positions
  }
}

/// The parameters of data-quality checks.
public struct HealthOptions: Sendable {
  /// The intended shares of units among variants.
  public var expected = ExpectedShares()
  /// The significance level of the sample ratio mismatch test.
  public var sampleRatioAlpha = 0.001
  /// The length of the pre-exposure period in which units are compared, in microseconds; that of the tallies.
  public var before: Int64 = 14 * 86_400_000_000
  /// The maximum plausible number of events of a person in a day; that of the tallies.
  public var busyEvents = 1_000
  /// The days of the time zone of the report.
  public var calendar = DayCalendar.utc

  /// Creates the default options.
  public init() {}
}

/// Collects the checks of a report.
struct HealthChecks {
  let options: HealthOptions
  private(set) var checks: [HealthCheck] = []

  init(_ evidence: HealthEvidence, _ names: LogNames, _ options: HealthOptions) {
    self.options = options
    let experiment = { names.string($0, in: .experiments) ?? "" }
    let places = ExposurePlace.places(of: evidence.tallies, names)
    let experiments = Set(places.map { NameKey($0.experiment) }).union(
      evidence.tallies.experiments.keys.map { NameKey(experiment($0)) })
    let expected = options.expected.weights(among: experiments)
    for place in places {
      checkSampleRatio(place, expected)
      checkCrossing(place)
      checkPreExposure(place)
    }
    for (code, ledger) in evidence.tallies.experiments { checkLedger(ledger, of: experiment(code)) }
    checkUnits(evidence.tallies.units, ofSome: evidence.leavesOutExperiments)
    checkAbsent(evidence.absent, lost: evidence.unreadable, total: evidence.positions)
    checkIDs(evidence.ids)
    let calibrations = Dictionary(grouping: evidence.propensities.variants) { $0.key.experiment }
    for (code, tally) in evidence.propensities.experiments {
      checkPropensities(tally, of: experiment(code))
      let variants = (calibrations[code] ?? []).map {
        (name: names.string($0.key.variant, in: .variants) ?? "", tally: $0.value)
      }
      checkCalibration(
        variants.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) },
        of: experiment(code))
    }
  }

  mutating func add(_ check: HealthCheck) { checks.append(check) }
}
