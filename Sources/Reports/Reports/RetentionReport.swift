public import EventLog
internal import Events
public import Replay
internal import Statistics
public import Tables

/// The report `retention`: which share of the units of each variant came back so many days after their first exposure.
public enum RetentionReport {
  private static let measures: [TableColumn] = [
    .key("day", .integer, "days after the first exposure"),
    .measure("units", .integer, "units for which the day was over at the end of the data"),
    .measure("returned", .integer, "those of them that came back on the day"),
    .measure("retention", .decimal, "returned / units"),
    .measure("ci_low", .decimal, "lower end of its interval (Wilson)"),
    .measure("ci_high", .decimal, "upper end of its interval (Wilson)"),
    .measure("units_too_young", .integer, "units for which the day was not over: not counted"),
  ]

  /// The report of some tallies.
  ///
  /// - Parameters:
  ///   - tallies: Retention by segment.
  ///   - projector: What computed them.
  ///   - names: The names of the log that the tallies come from; experiments, points, slots and variants are used.
  ///   - dimension: What they are broken down by.
  ///   - level: The coverage of the intervals, between 0 and 1.
  /// - Returns: One row for each arm with an assigned unit and each day, sorted by the bytes of their names.
  /// - Throws: `TableError` never, as long as the columns are what they are.
  public static func table(
    _ tallies: RetentionTallies, of projector: RetentionProjector, names: LogNames,
    dimension: Dimension? = nil, level: Double = 0.95
  ) throws(TableError) -> Table {
    var table = try Table(
      name: "retention", title: "Units that came back",
      columns: TableColumn.arm + measures + TableColumn.breakdown(dimension))
    for (segment, days) in tallies.segments {
      for (day, tally) in zip(projector.days, days) {
        let share = Proportion(successes: tally.returned, trials: tally.units)
        let interval = share.wilsonInterval(level: level)
        try table.append(
          row: TableCell.arm(segment.arm, names) + [
            .integer(day), .integer(tally.units), .integer(tally.returned),
            TableCell(share.value), TableCell(interval?.low), TableCell(interval?.high),
            .integer(tally.tooYoung),
          ] + TableCell.breakdown(dimension, segment.value))
      }
    }
    table.note("returned_on", .text(text(projector.signal)))
    table.note(
      "day_window",
      .text("from exposure + day on, before exposure + day + \(projector.windowDays)d"))
    table.note(
      "end_of_data", TableCell(tallies.end.map { Timestamp(microseconds: $0).description }))
    table.note("interval", .text("Wilson, \(Percent.text(level))"))
    table.note(tallies.ledger, crossing: projector.crossing)
    return table.sorted()
  }

  private static func text(_ signal: RetentionProjector.Signal) -> String {
    switch signal {
    case .any: "any event of the unit"
    case .goals: "goals of the experiment"
    case .conversions: "conversions"
    case .decisions: "decisions of the experiment, repeated ones too"
    }
  }
}
