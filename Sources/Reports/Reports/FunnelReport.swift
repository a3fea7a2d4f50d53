public import EventLog
public import Replay
internal import Statistics
public import Tables

/// The report `funnel`: how many units of each variant came how far on a way of steps.
public enum FunnelReport {
  private static let measures: [TableColumn] = [
    .key("step", .integer, "number of the step; 0 is the first exposure"),
    .measure("step_name", .text, "the goal or conversion; empty for the exposure"),
    .measure("units", .integer, "units of the variant"),
    .measure("reached", .integer, "units that reached the step"),
    .measure("share", .decimal, "reached / units"),
    .measure("ci_low", .decimal, "lower end of its interval (Wilson)"),
    .measure("ci_high", .decimal, "upper end of its interval (Wilson)"),
    .measure("share_of_previous", .decimal, "reached / units that reached the step before"),
    .measure("previous_ci_low", .decimal, "lower end of its interval (Wilson)"),
    .measure("previous_ci_high", .decimal, "upper end of its interval (Wilson)"),
    .measure("median_seconds", .decimal, "median time since the step before"),
    .measure("units_in_progress", .integer, "units whose window was not over at the end"),
  ]

  /// The report of some tallies.
  ///
  /// - Parameters:
  ///   - tallies: Funnels by segment.
  ///   - projector: What computed them.
  ///   - steps: The names of its steps.
  ///   - names: The names of the log that the tallies come from; experiments, points, slots and variants are used.
  ///   - dimension: What they are broken down by.
  ///   - level: The coverage of the intervals, between 0 and 1.
  /// - Returns: One row for each arm with an assigned unit and each step, the exposure first, sorted by the bytes of
  ///   their names.
  /// - Throws: `TableError` never, as long as the columns are what they are.
  public static func table(
    _ tallies: FunnelTallies, of projector: FunnelProjector, steps: [String], names: LogNames,
    dimension: Dimension? = nil, level: Double = 0.95
  ) throws(TableError) -> Table {
    var table = try Table(
      name: "funnel", title: "Steps reached",
      columns: TableColumn.arm + measures + TableColumn.breakdown(dimension))
    for (segment, tally) in tallies.segments {
      for step in 0...tally.times.count {
        try table.append(
          row: TableCell.arm(segment.arm, names)
            + cells(tally, step, steps.indices.contains(step - 1) ? steps[step - 1] : nil, level)
            + [
              projector.window == nil ? .empty : .integer(tally.unitsInProgress)
            ] + TableCell.breakdown(dimension, segment.value))
      }
    }
    table.note("steps", .text(steps.joined(separator: ", ")))
    for (step, (code, name)) in zip(projector.steps, steps).enumerated() where code == nil {
      table.note(
        "step_\(step + 1)", .text("the log has no goal or conversion \"\(name)\""))
    }
    table.note("order", .text(projector.order == .ordered ? "one after the other" : "any"))
    table.note("window", .text(projector.window.map(DurationText.text) ?? "none"))
    table.note("interval", .text("Wilson, \(Percent.text(level))"))
    table.note(tallies.ledger, crossing: projector.crossing)
    return table.sorted()
  }

  private static func cells(
    _ tally: FunnelTally, _ step: Int, _ name: String?, _ level: Double
  ) -> [TableCell] {
    let reached = step == 0 ? tally.units : tally.reached(step - 1)
    let share = Proportion(successes: reached, trials: tally.units)
    let previous =
      step == 0
      ? nil
      : Proportion(
        successes: reached, trials: step == 1 ? tally.units : tally.reached(step - 2))
    let interval = share.wilsonInterval(level: level)
    let previousInterval = previous?.wilsonInterval(level: level)
    let median = step == 0 ? nil : tally.medianTime(step - 1)
    return [
      .integer(step), TableCell(name), .integer(tally.units), .integer(reached),
      TableCell(share.value), TableCell(interval?.low), TableCell(interval?.high),
      TableCell(previous?.value), TableCell(previousInterval?.low),
      TableCell(previousInterval?.high), TableCell(median.map { $0 / 1e6 }),
    ]
  }
}
