public import ArgumentParser
import EventLog
import Replay
public import Reports
import Statistics
import Tables

extension HealthCheck.Alarm: ExpressibleByArgument {}

struct ReportHealthCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "health",
    abstract: "Whether the data can be trusted: one row for each check, with a verdict.",
    usage: "bandolier report health <log or database> [<options>]",
    discussion: """
      Checks sample ratios, units in several variants, what units did before exposure, orphans, duplicates, late and \
      lost events, and logged propensities. A verdict is ok, warning, failed or not-applicable; the rules are listed \
      under the table, and under `notes` in JSON.

      Exit codes: 3 when a check failed that --fail-on names, after the report was written; 0 otherwise, whatever the \
      verdicts.
      """)

  @OptionGroup var log: LogArgument

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "How variants were meant to share the units: a=1,b=1, or experiment/a=1; can be given more than once.",
      valueName: "shares"))
  var expect: [String] = []

  @Option(
    help: ArgumentHelp("The p-value below which a sample ratio is a mismatch.", valueName: "level"))
  var srmAlpha = 0.001

  @Option(
    help: ArgumentHelp(
      "How long before their first exposure units are compared (default: 14d).",
      valueName: "duration"))
  var before: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "Units with more events than this on a day are counted as bots may be.", valueName: "count"))
  var botEvents = 1_000

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Exit with 3 when such a check failed: srm, crossed, bias, propensity, duplicates, orphans, lost, failed (any of "
        + "them) or any (warnings too); separated by commas, or given more than once.",
      valueName: "checks"))
  var failOn: [String] = []

  @OptionGroup var replay: ReplayOptions
  @OptionGroup var output: ReportOutputOptions

  func validate() throws {
    guard ExpectedShares(expect) != nil else {
      throw ValidationError(
        "--expect \(expect.joined(separator: ",")) gives no shares; write VARIANT=WEIGHT,VARIANT=WEIGHT with weights "
          + "of 0 or more, not all 0")
    }
    guard srmAlpha > 0, srmAlpha < 1 else {
      throw ValidationError("--srm-alpha must be between 0 and 1")
    }
    guard botEvents > 0 else { throw ValidationError("--bot-events must be at least 1") }
    _ = try alarms()
  }

  func run() throws {
    try replay.reading(log, names: [.points, .slots, .variants]) { try report($0) }
  }

  private func report(_ source: ReportSource) throws {
    var options = HealthOptions()
    options.expected = ExpectedShares(expect) ?? ExpectedShares()
    for share in options.expected.names { try require(share, source.lookup) }
    options.sampleRatioAlpha = srmAlpha
    options.before = before?.microseconds ?? options.before
    options.busyEvents = botEvents
    var projector = HealthProjector(before: options.before, busyEvents: options.busyEvents)
    projector.readsProbabilities = source.log != nil
    let evidence = try source.healthEvidence(projector)
    let checks = HealthReport.checks(evidence, names: source.names, options: options)
    var table = try HealthReport.table(checks, options: options, dimension: replay.by)
    table.note(lossesOf: source)
    try output.write(table, of: source, by: replay.by)
    try sound(alarms(), checks)
  }

  /// Refuses an expected share of an experiment or a variant that is not there.
  private func require(_ share: String, _ lookup: NameLookup) throws {
    guard lookup.names.code(of: share, in: .variants) == nil else { return }
    // The name of an experiment may have slashes.
    let marks = share.indices.filter { share[$0] == "/" }
    let experiment = marks.last {
      lookup.names.code(of: String(share[..<$0]), in: .experiments) != nil
    }
    if let mark = experiment ?? marks.first {
      try lookup.code(of: String(share[..<mark]), in: .experiments)
      try lookup.code(of: String(share[share.index(after: mark)...]), in: .variants)
    } else {
      try lookup.code(of: share, in: .variants)
    }
  }

  // MARK: Alarms

  private func alarms() throws -> [HealthCheck.Alarm] {
    try failOn.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map { name in
      guard let alarm = HealthCheck.Alarm(rawValue: String(name)) else {
        throw ValidationError(
          "--fail-on: \"\(name)\" is no check"
            + NearestName.choices(
              for: String(name), among: HealthCheck.Alarm.allCases.map(\.rawValue)))
      }
      return alarm
    }
  }

  /// Ends with an error when a check failed that somebody waits for.
  private func sound(_ alarms: [HealthCheck.Alarm], _ checks: [HealthCheck]) throws {
    let ringing = checks.filter { check in alarms.contains { $0.rings(for: check) } }
    guard let first = ringing.first else { return }
    var named: [String] = []
    for check in ringing {
      let name = check.name.rawValue + (check.experiment.map { " (\($0))" } ?? "")
      if !named.contains(name) { named.append(name) }
    }
    let list = named.prefix(5).joined(separator: ", ") + (named.count > 5 ? ", ..." : "")
    throw Failure(
      exitCode: Failure.checkFailed, "\(log.log): \(list); \(first.name.rawValue): \(first.detail)")
  }
}

extension ReportHealthCommand: WorkedExamples {
  static let examples = [
    "bandolier report health datasets/storefront.log",
    #"""
    bandolier report health datasets/storefront.log \
      --experiment pricing --fail-on srm
    """#,
  ]
}
