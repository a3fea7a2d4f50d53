public import ArgumentParser
import EventLog
import Events
public import Replay
import Reports
import Tables

extension RetentionProjector.Signal: ExpressibleByArgument {}

extension RetentionReport: ReportWithOptions {
  typealias CommandOptions = RetentionOptions
}

/// The options of the report `retention`.
struct RetentionOptions: ReportOptions {
  static let discussion = """
    A unit returned on day d if it has an event from d days after its first exposure on, before d + 1 days \
    (--window-days). Only units for which that time was over at the end of the data are counted; the \
    others are in units_too_young.
    """

  static let examples = [
    "bandolier report retention datasets/storefront.log",
    #"""
    bandolier report retention datasets/storefront.log \
      --days 1,7,14 --experiment pricing
    """#,
  ]

  @Option(
    help: ArgumentHelp(
      "Days after the first exposure, separated by commas (default: 1,3,7,14,28).",
      valueName: "days"),
    transform: OptionValue.list(of: OptionValue.days))
  var days: [Int] = [1, 3, 7, 14, 28]

  @Option(
    help: ArgumentHelp(
      "Events that count as a return.", valueName: "events"))
  var on: RetentionProjector.Signal = .any

  @Option(
    help: ArgumentHelp("Length of the return window, in days (default: 1).", valueName: "days"),
    transform: OptionValue.days)
  var windowDays = 1

  @Option(
    help: ArgumentHelp(
      "The end of the data, instead of the latest event; nothing after it counts.",
      valueName: "time"),
    transform: OptionValue.time)
  var end: Timestamp?

  @OptionGroup var coverage: LevelOptions

  @OptionGroup var crossing: CrossingOptions

  func report() throws -> RetentionReport {
    try RetentionReport(
      days: days, signal: on, windowDays: windowDays, end: end, crossing: crossing.crossing,
      level: coverage.level)
  }
}
