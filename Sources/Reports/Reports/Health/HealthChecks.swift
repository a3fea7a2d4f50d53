internal import EventLog
public import Replay

/// What a report of health is made from.
public struct HealthEvidence: Sendable {
  /// What was counted unit by unit.
  public var tallies: HealthTallies
  /// How decisions were logged.
  public var propensities: PropensityTallies
  /// Positions of the log without an event.
  public var absent: AbsentEventProjector.State
  /// Events that could not be read.
  public var unreadable: Int
  /// Positions of the log.
  public var positions: Int

  /// Makes evidence.
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

/// By which rules health is judged.
public struct HealthOptions: Sendable {
  /// How the variants were meant to share the units.
  public var expected = ExpectedShares()
  /// Below which p-value a sample ratio is a mismatch.
  public var sampleRatioAlpha = 0.001
  /// How long before exposure units are compared, in microseconds; what the tallies were made with.
  public var before: Int64 = 14 * 86_400_000_000
  /// How many events of a day are as many as a person has; what the tallies were made with.
  public var busyEvents = 1_000

  /// The usual rules.
  public init() {}
}

/// Makes the checks of a report one after the other.
struct HealthChecks {
  let options: HealthOptions
  private(set) var checks: [HealthCheck] = []

  init(_ evidence: HealthEvidence, _ names: LogNames, _ options: HealthOptions) {
    self.options = options
    let experiment = { names.string($0, in: .experiments) ?? "" }
    let places = ExposurePlace.places(of: evidence.tallies, names)
    let experiments = Set(places.map(\.experiment)).union(
      evidence.tallies.experiments.keys.map(experiment))
    for place in places {
      checkSampleRatio(place, among: Array(experiments))
      checkCrossing(place)
      checkPreExposure(place)
    }
    for (code, ledger) in evidence.tallies.experiments { checkLedger(ledger, of: experiment(code)) }
    checkUnits(evidence.tallies.units)
    checkAbsent(evidence.absent, lost: evidence.unreadable, total: evidence.positions)
    for (code, tally) in evidence.propensities.experiments {
      checkPropensities(tally, of: experiment(code))
      let variants = evidence.propensities.variants.filter { $0.key.experiment == code }.map {
        (name: names.string($0.key.variant, in: .variants) ?? "", tally: $0.value)
      }
      checkCalibration(
        variants.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) },
        of: experiment(code))
    }
  }

  mutating func add(_ check: HealthCheck) { checks.append(check) }
}
