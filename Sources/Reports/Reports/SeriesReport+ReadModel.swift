package import EventLog
public import Events
public import Replay
package import Tables

extension SeriesReport: ReportWithReadModel {
  /// The read model of the series by day.
  public static let readModel: KeptReport<SeriesProjector> = readModel(in: .utc)

  public static func readModel(in calendar: DayCalendar) -> KeptReport<SeriesProjector> {
    KeptReport(
      name: "series", version: 5,
      parameters: "by day\(calendar.isUTC ? "" : " of \(calendar.identity)"), " + Attribution().description,
      projector: SeriesProjector(calendar: calendar),
      tables: { result, names, _ in [try seriesTable(result, names, mostRows: mostRows)] },
      companions: companions)
  }

  private static let companions = [
    Companion(kind: .index, name: "series_by_day", body: "ON series (day, experiment)"),
    Companion(
      kind: .view, name: "series_overview",
      body: """
        AS SELECT experiment, point, slot, day, variant, decisions,
          round(100.0 * decision_share, 2) AS decisions_percent, units, active_units, rewards,
          round(reward_sum, 4) AS reward_sum, cumulative_decisions, cumulative_units,
          round(reward_mean, 6) AS reward_mean, round(ci_low, 6) AS ci_low,
          round(ci_high, 6) AS ci_high, round(propensity_mean, 4) AS propensity_mean
        FROM series
        ORDER BY experiment, point, slot, day, variant
        """),
  ]

  /// Returns the table of a series. Like the command's own report, it leaves out days without events, and notes so,
  /// if nearly all rows would be zeros or the table would not fit in memory.
  package static func seriesTable(
    _ tallies: SeriesTallies, _ names: LogNames, mostRows: Int
  ) throws -> Table {
    let rows = rowCount(tallies)
    let leavesOutEmpty = rows > mostRows || isMostlyEmpty(tallies)
    var table = try SeriesReport().table(tallies, names: names, leavesOutEmpty: leavesOutEmpty)
    table.note(timeZone: tallies.calendar)
    if leavesOutEmpty {
      table.note(
        "days_left_out",
        "those on which nothing happened to a variant: there would be \(rows) rows")
    }
    return table
  }
}
