internal import EventLog
internal import Events
public import Replay
internal import Statistics

extension AnalysisPlan {
  /// Returns a plan to begin with, made from what a log contains: for each experiment its baseline, its days, the first
  /// metric that varies as goal metric and the others as secondary ones, and the logged shares. It has no guardrails
  /// and a minimum effect of 5 %, which only the owner of the experiment can choose.
  ///
  /// - Parameters:
  ///   - replay: The log.
  ///   - selection: The part of the log to look at.
  /// - Returns: The plan; ``yaml`` is its file.
  /// - Throws: `LogError` if the log cannot be read.
  public static func suggested(
    for replay: LogReplay, _ selection: UnitSelection = UnitSelection()
  ) throws -> AnalysisPlan {
    let names = try LogNames(replay.log, [.experiments, .points, .slots, .variants, .goals])
    let metrics = [Metric(.converted), Metric(.revenue), Metric(.reward)]
    var projector = MetricProjector(metrics, names: names)
    projector.countsDays = true
    projector.readsProbabilities = true
    projector.calendar = selection.calendar
    let tallies = try replay.run(selection, units: projector)
    let experiments = Set(tallies.segments.keys.map(\.arm.experiment))
    let varying = VaryingMetrics.varying(tallies, metrics)
    var plan = AnalysisPlan(
      experiments.compactMap { code in
        names.string(code, in: .experiments).map { name in
          let own = varying.filter { $0.key.experiment == code }.values
          return entry(
            name, code, metrics.filter { metric in own.allSatisfy { $0.contains(metric) } },
            tallies,
            names, selection.calendar)
        }
      })
    if !selection.calendar.isUTC { plan.calendar = selection.calendar }
    return plan
  }

  private static func entry(
    _ name: String, _ code: UInt32, _ varying: [Metric], _ tallies: MetricTallies, _ names: LogNames,
    _ calendar: DayCalendar
  ) -> Entry {
    var entry = Entry(name, metric: varying.first ?? Metric(.converted))
    entry.secondary = Array(varying.dropFirst())
    entry.minimumEffect = 0.05
    let exposures = tallies.exposures.filter { $0.key.arm.experiment == code }
    let variants = Set(exposures.keys.map(\.arm.variant)).compactMap {
      names.string($0, in: .variants)
    }.sorted(by: VariantPairs.inBytes)
    let days = tallies.days.filter { $0.key.experiment == code }.flatMap(\.value.keys)
    if let first = days.min(), let last = days.max() {
      entry.since = Timestamp(microseconds: calendar.start(ofDay: first))
      entry.until = Timestamp(microseconds: calendar.start(ofDay: last + 1))
    }
    // Baseline and shares of one place are those of the experiment only if it has no other.
    let places = Set(
      exposures.keys.map {
        Arm(experiment: code, point: $0.arm.point, slot: $0.arm.slot, variant: 0)
      })
    guard places.count == 1 else { return entry }
    entry.baseline = BaselineRule(nil).index(variants).map { variants[$0] }
    entry.shares = shares(exposures, names)
    return entry
  }

  /// Returns the logged shares, or equal ones where no propensity is logged; none where they changed.
  private static func shares(
    _ exposures: [Segment: FirstExposures], _ names: LogNames
  ) -> [String: Double] {
    let allocation = UnitAllocation(
      exposures.map { .init(names.string($0.key.arm.variant, in: .variants) ?? "", $0.value) })
    guard !allocation.isAdaptive, case .shares(let variants, 0, _) = allocation.intention(nil),
      variants.count(where: { $0.share > 0 }) > 1
    else { return [:] }
    let total = variants.reduce(0) { $0 + $1.share }
    let isEqual = variants.allSatisfy { $0.share == variants.first?.share }
    let shares = variants.map {
      ($0.variant, isEqual ? 1 : (1e6 * $0.share / total).rounded() / 1e6)
    }
    return Dictionary(shares, uniquingKeysWith: { $1 })
  }
}
