public import ArgumentParser
import EventLog
import Events
public import Replay
import Reports
import Tables

extension Period: ExpressibleByArgument {}

struct ReportSeriesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "series",
    abstract: "What happened day by day: decisions, units, rewards, allocation.",
    usage: "bandolier report series <log or database> [<options>]",
    discussion: """
      A row for each variant and day in UTC, days without events between the first and the last \
      included; where these would be more than nine tenths of more than 1,000 rows, only with --empty-periods. Goals belong to the day of the goal and are credited to the latest confirmed decision of \
      the same unit, point and slot. Cumulative columns say what was known at the end of the day.
      """)

  @OptionGroup var log: LogArgument

  @Option(help: ArgumentHelp("day, week (from Monday) or hour.", valueName: "period"))
  var every: Period = .day

  @Flag(
    help: "Count everything on the day on which its unit joined the variant, not its own day.")
  var cohorts = false

  @Flag(help: "Include periods without events even where they are nearly all rows.")
  var emptyPeriods = false

  @OptionGroup var coverage: LevelOptions

  @OptionGroup var rules: AttributionOptions
  @OptionGroup var replay: ReplayOptions
  @OptionGroup var output: ReportOutputOptions

  func run() throws {
    try replay.reading(log, names: [.points, .slots, .variants], end: rules.end) { try report($0) }
  }

  private func report(_ source: ReportSource) throws {
    let projector = SeriesProjector(
      rules.attribution(standardWindow: nil), period: every,
      basis: cohorts ? .exposure : .event)
    let tallies = try source.run(units: projector)
    let leavesOutEmpty = !emptyPeriods && SeriesReport.isMostlyEmpty(tallies)
    let rows =
      leavesOutEmpty ? SeriesReport.rowCountWithEvents(tallies) : SeriesReport.rowCount(tallies)
    guard rows <= SeriesReport.mostRows else {
      throw Failure(
        exitCode: Failure.badData,
        "the report would have \(rows) rows, more than \(SeriesReport.mostRows)\(Self.span(source.log)); "
          + "give a longer --every, or \(source.log == nil ? "" : "--since, --until or ")--experiment"
      )
    }
    var table = try SeriesReport.table(
      tallies, of: projector, names: source.names, dimension: replay.by, level: coverage.level,
      leavesOutEmpty: leavesOutEmpty)
    if leavesOutEmpty {
      let left = SeriesReport.rowCount(tallies) - rows
      table.note("empty_rows_left_out", .integer(left))
      Message.print(
        "note: \(left) rows of a \(every.rawValue) without events are left out; --empty-periods writes them"
      )
    }
    table.note(lossesOf: source)
    try output.write(table, of: source, by: replay.by)
  }

  /// From when to when a log has events, for a message.
  private static func span(_ log: LogReader?) -> String {
    guard let log else { return "" }
    return
      ": \(log.path) has events from \(log.earliest?.description ?? "") to \(log.latest?.description ?? "")"
  }
}

extension ReportSeriesCommand: WorkedExamples {
  static let examples = [
    #"""
    bandolier report series datasets/storefront.log \
      --experiment pricing
    """#,
    "bandolier report series datasets/storefront.log --every week",
  ]
}
