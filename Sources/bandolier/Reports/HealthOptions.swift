import ArgumentParser
import EventLog
import Replay
import Reports
import Tables

extension HealthReport: ReportWithOptions {
  typealias CommandOptions = HealthOptions
}

/// The options of the report `health`.
struct HealthOptions: ReportOptions {
  static let discussion = """
    Checks for sample ratio mismatch, units in several variants, bias before exposure, orphaned, duplicate, late and \
    lost events, and wrong propensities. A verdict is ok, warning, failed or not-applicable; the rules are listed \
    under the table, and under `notes` in JSON.

    Exit codes: 3 if a check failed that --fail-on names, after the report was written; otherwise 0, whatever the \
    verdicts.
    """

  static let examples = [
    "bandolier report health datasets/storefront.log",
    #"""
    bandolier report health datasets/storefront.log \
      --experiment pricing --fail-on srm
    """#,
  ]

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Intended shares of the variants: a=1,b=1, or experiment/a=1; can be given more than once.",
      valueName: "shares"))
  var expect: [String] = []

  @Option(
    help: ArgumentHelp(
      "The p-value below which a sample ratio is a mismatch (default: 0.001).", valueName: "level"),
    transform: OptionValue.number)
  var srmAlpha = 0.001

  @Option(
    help: ArgumentHelp(
      "Period before the first exposure in which units are compared, such as 7d; 7 is 7 days (default: 14d).",
      valueName: "duration"), transform: OptionValue.duration)
  var before: Int64?

  @Option(
    help: ArgumentHelp(
      "Units with more events than this in a day are counted as possible bots (default: 1000).",
      valueName: "count"),
    transform: OptionValue.integer)
  var botEvents = 1_000

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Exit with code 3 if one of these checks failed: srm, crossed, bias, propensity, duplicates, orphans, lost, failed (any of "
        + "them) or any (warnings too); separated by commas, or given more than once.",
      valueName: "checks"), completion: .cases(of: HealthCheck.Alarm.self),
    transform: OptionValue.list(of: OptionValue.choice))
  var failOn: [[HealthCheck.Alarm]] = []

  func report() throws -> HealthReport { try report(nil) }

  func report(for entry: AnalysisPlan.Entry) throws -> HealthReport { try report(entry) }

  private func report(_ entry: AnalysisPlan.Entry?) throws -> HealthReport {
    guard let shares = ExpectedShares(expect) else {
      throw ValidationError(
        "--expect \(expect.joined(separator: ",")) does not give shares; write VARIANT=WEIGHT,VARIANT=WEIGHT with weights "
          + "of 0 or more, not all 0")
    }
    var rules = Reports.HealthOptions()
    rules.expected = shares
    if let entry, expect.isEmpty { rules.expected = ExpectedShares(entry.shares) }
    rules.sampleRatioAlpha = srmAlpha
    rules.before = before ?? rules.before
    rules.busyEvents = botEvents
    return try HealthReport(options: rules, alarms: failOn.flatMap { $0 })
  }
}
