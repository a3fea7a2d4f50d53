public import ArgumentParser
import EventLog
import Events
public import Replay
import Reports
import Tables

extension Period: ExpressibleByArgument {
  /// Creates a period from its name, or from its length such as 1d.
  public init?(argument: String) {
    let length = DurationText.microseconds(argument)
    guard
      let period = Self.allCases.first(where: { $0.rawValue == argument || $0.length == length })
    else { return nil }
    self = period
  }
}

extension SeriesReport: ReportWithOptions {
  typealias CommandOptions = SeriesOptions
}

/// The options of the report `series`.
struct SeriesOptions: ReportOptions {
  static let discussion = """
    A row for each variant and day in UTC, including days without events between the first and the last; if these are \
    more than nine tenths of more than 1,000 rows, they need --empty-periods. Goals belong to the day of the goal and \
    are credited to the latest confirmed decision of the same unit, point and slot. Cumulative columns have the values \
    at the end of the day.
    """

  static let examples = [
    #"""
    bandolier report series datasets/storefront.log \
      --experiment pricing
    """#,
    "bandolier report series datasets/storefront.log --every week",
  ]

  @Option(
    help: ArgumentHelp("day, week (from Monday) or hour; also 1d, 1w or 1h.", valueName: "period"))
  var every: Period = .day

  @Flag(
    help:
      "Cohorts: count events on the day on which their unit joined the variant, not on their own day."
  )
  var cohorts = false

  @Flag(help: "Include periods without events even if they are nearly all rows.")
  var emptyPeriods = false

  @OptionGroup var coverage: LevelOptions

  @OptionGroup var rules: AttributionOptions

  func report() throws -> SeriesReport {
    try SeriesReport(
      attribution: rules.attribution(standardWindow: nil), period: every,
      basis: cohorts ? .exposure : .event, includesEmptyPeriods: emptyPeriods,
      level: coverage.level)
  }
}
