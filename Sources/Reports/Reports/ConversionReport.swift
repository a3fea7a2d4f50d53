public import EventLog
public import Replay
internal import Statistics
public import Tables

/// The report `conversions`: what the units of each variant did after they were first exposed to it.
public enum ConversionReport {
  /// The columns, in their order.
  static let columns: [TableColumn] = [
    .key("experiment", .text, "what is decided"),
    .key("variant", .text, "what the units were first exposed to"),
    .key("goal", .text, "what was reached"),
    .measure("units", .integer, "distinct units that belong to the variant"),
    .measure("converters", .integer, "units with at least one conversion that counts"),
    .measure("conversions", .integer, "conversions that count"),
    .measure("revenue_sum", .decimal, "their revenue, less that of negative ones"),
    .measure("conversion_rate", .decimal, "converters divided by units"),
    .measure("ci_low", .decimal, "lower end of the interval of the rate (Wilson)"),
    .measure("ci_high", .decimal, "upper end of the interval of the rate (Wilson)"),
    .measure("revenue_mean", .decimal, "mean revenue of a unit, 0 for those without any"),
    .measure("revenue_variance", .decimal, "its sample variance (n - 1)"),
    .measure("revenue_ci_low", .decimal, "lower end of the interval of the mean (Student t)"),
    .measure("revenue_ci_high", .decimal, "upper end of the interval of the mean (Student t)"),
  ]

  /// The columns that follow where the revenue of units is cut.
  static let cappingColumns: [TableColumn] = [
    .measure("revenue_cap", .decimal, "what the revenue of a unit is cut at"),
    .measure("units_capped", .integer, "units whose revenue was cut"),
  ]

  /// The report of some tallies.
  ///
  /// - Parameters:
  ///   - tallies: Conversions by segment and goal.
  ///   - names: The names of the log that the tallies come from; experiments, variants and goals are used.
  ///   - projector: What made them.
  ///   - dimension: What they are broken down by.
  ///   - level: The coverage of the intervals, between 0 and 1.
  /// - Returns: One row for each variant with an exposure and each goal of the log, sorted by the bytes of their names.
  /// - Throws: `TableError` never, as long as the columns are what they are.
  public static func table(
    _ tallies: ConversionTallies, names: LogNames,
    projector: ConversionProjector = ConversionProjector(), dimension: Dimension? = nil,
    level: Double = 0.95
  ) throws(TableError) -> Table {
    let isCapped = projector.capping != nil
    var table = try Table(
      name: "conversions", title: "Conversions by variant",
      columns: columns + (isCapped ? cappingColumns : []) + TableColumn.breakdown(dimension))
    for segment in tallies.units.keys {
      for goal in tallies.goals(of: segment.experiment) {
        let tally = tallies.tally(segment, goal: goal)
        try table.append(
          row: names.cells(segment) + [.text(names.string(goal, in: .goals) ?? "")]
            + cells(tally, level)
            + (isCapped ? [TableCell(tally.cap), .integer(tally.cappedUnits)] : [])
            + TableCell.breakdown(dimension, segment.value))
      }
    }
    table.note("of", .text(projector.source.rawValue))
    table.note("attribution", .text(projector.attribution.assignmentText))
    table.note("rate_interval", .text("Wilson, \(Percent.text(level))"))
    table.note("revenue_interval", .text("Student t over units, \(Percent.text(level))"))
    if let capping = projector.capping { table.note("capping", .text("\(capping)")) }
    table.note(tallies.ledger, of: projector.source)
    return table.sorted()
  }

  private static func cells(_ tally: ConversionTally, _ level: Double) -> [TableCell] {
    let rate = tally.rate.wilsonInterval(level: level)
    let mean = tally.perUnit.meanInterval(level: level)
    return [
      .integer(tally.units), .integer(tally.converters), .integer(tally.conversions),
      .decimal(tally.revenue), TableCell(tally.rate.value), TableCell(rate?.low),
      TableCell(rate?.high), TableCell(tally.perUnit.mean), TableCell(tally.perUnit.variance),
      TableCell(mean?.low), TableCell(mean?.high),
    ]
  }
}
