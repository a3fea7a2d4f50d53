public import EventLog
public import Replay
internal import Statistics
public import Tables

/// The report `visits`: how often units came, for how long, and with what result.
public enum VisitReport {
  private static let measures: [TableColumn] = [
    .measure("units", .integer, "units with a visit"),
    .measure("visits", .integer, "visits of these units"),
    .measure("events", .integer, "events of these visits"),
    .measure("visits_per_unit", .decimal, "mean number of visits of a unit"),
    .measure("ci_low", .decimal, "lower end of its interval (Student t)"),
    .measure("ci_high", .decimal, "upper end of its interval (Student t)"),
    .measure("events_per_visit", .decimal, "events / visits"),
    .measure("events_ci_low", .decimal, "lower end of its interval (delta method)"),
    .measure("events_ci_high", .decimal, "upper end of its interval (delta method)"),
    .measure("visit_seconds_mean", .decimal, "mean time from the first to the last event"),
    .measure("single_event_share", .decimal, "visits of one event / visits"),
    .measure("goal_share", .decimal, "visits with a goal or conversion / visits"),
  ]

  /// The report of some tallies.
  ///
  /// - Parameters:
  ///   - tallies: Visits by segment.
  ///   - projector: What computed them.
  ///   - names: The names of the log that the tallies come from; experiments, points, slots and variants are used.
  ///   - dimension: What they are broken down by.
  ///   - level: The coverage of the intervals, between 0 and 1.
  /// - Returns: A row with empty keys for all units, unless there are none, then one for each arm with an assigned unit,
  ///   sorted by the bytes of their names.
  /// - Throws: `TableError` never, as long as the columns are what they are.
  public static func table(
    _ tallies: VisitTallies, of projector: VisitProjector, names: LogNames,
    dimension: Dimension? = nil, level: Double = 0.95
  ) throws(TableError) -> Table {
    var table = try Table(
      name: "visits", title: "Visits",
      columns: TableColumn.arm + measures + TableColumn.breakdown(dimension))
    if tallies.overall.units > 0 {
      let keys = Array(repeating: TableCell.empty, count: TableColumn.arm.count)
      let dimensions = Array(
        repeating: TableCell.empty, count: TableColumn.breakdown(dimension).count)
      try table.append(row: keys + cells(tallies.overall, level) + dimensions)
    }
    for (segment, tally) in tallies.segments {
      try table.append(
        row: TableCell.arm(segment.arm, names) + cells(tally, level)
          + TableCell.breakdown(dimension, segment.value))
    }
    table.note(
      "visit", .text("events with gaps of \(DurationText.text(projector.inactivity)) at most"))
    table.note("variants", .text("have the visits since the first exposure, which begins one"))
    table.note("interval", .text("\(Percent.text(level)); visits_per_unit: Student t over units"))
    table.note("interval_of_events_per_visit", .text("delta method over units, normal"))
    table.note(tallies.ledger, crossing: projector.crossing)
    return table.sorted()
  }

  private static func cells(_ tally: VisitTally, _ level: Double) -> [TableCell] {
    let visits = Double(tally.visits)
    let perUnit = tally.perUnit.denominator
    let interval = perUnit.meanInterval(level: level)
    let ratio = tally.perUnit.ratio?.normalInterval(level: level)
    return [
      .integer(tally.units), .integer(tally.visits), .integer(tally.events),
      TableCell(perUnit.mean), TableCell(interval?.low), TableCell(interval?.high),
      .decimal(Double(tally.events) / visits), TableCell(ratio?.low), TableCell(ratio?.high),
      .decimal(Double(tally.duration) / visits / 1e6), .decimal(Double(tally.singles) / visits),
      .decimal(Double(tally.withGoal) / visits),
    ]
  }
}
