public import EventLog
public import Replay
internal import Statistics
public import Tables

/// The report `visits`: the number, length and conversions of visits.
public struct VisitReport: UnitReport {
  public static let name = "visits"
  public static let abstract =
    "Visits of units: how many, how long, and with what result."

  public static let discussion = """
    A visit is the events of a unit, of every kind, without a gap longer than the inactivity. The row with \
    empty keys is of all units; the others have the units that were first exposed to a variant, and \
    their visits from then on.
    """

  public static let examples = [
    "bandolier report visits datasets/storefront.log",
    #"""
    bandolier report visits datasets/storefront.log \
      --inactivity 1h
    """#,
  ]

  /// The inactivity timeout: the longest gap within a visit, in microseconds.
  public var inactivity = VisitProjector.standardInactivity
  /// How units exposed to several variants are handled.
  public var crossing = Attribution.Crossing.drop
  /// The confidence level of intervals, between 0 and 1.
  public var level = 0.95

  /// Creates the report with its standard parameters.
  public init() {}

  @OptionsBuilder<Self>
  public static var options: [ReportOption<Self>] {
    Option.duration(
      "inactivity", \.inactivity, "duration",
      "Inactivity timeout: the longest gap within a visit, such as 1h; 1 is 1 day (default: 30m).")
    Option.level(\.level)
    Option.crossing(\.crossing)
  }

  public mutating func validate() throws(ReportError) {
    try ReportError.check(level: level)
    try ReportError.require(inactivity >= 0, "inactivity", "must not be negative")
  }

  public func projector(_: NameLookup) -> VisitProjector {
    VisitProjector(inactivity: inactivity, crossing: crossing)
  }

  private static let measures: [TableColumn] = [
    .measure("units", .integer, "units with a visit").main,
    .measure("visits", .integer, "visits of these units").main,
    .measure("events", .integer, "events of these visits"),
    .measure("visits_per_unit", .decimal, "mean number of visits of a unit").estimate
      .main,
    .measure("ci_low", .decimal, "lower end of its interval (Student t)").estimate.main,
    .measure("ci_high", .decimal, "upper end of its interval (Student t)").estimate
      .main,
    .measure("events_per_visit", .decimal, "events / visits").estimate,
    .measure("events_ci_low", .decimal, "lower end of its interval (delta method)").estimate,
    .measure("events_ci_high", .decimal, "upper end of its interval (delta method)").estimate,
    .measure("visit_seconds_mean", .decimal, "mean time from the first to the last event").duration
      .main,
    .measure("single_event_share", .decimal, "visits of one event / visits").share,
    .measure("goal_share", .decimal, "visits with a goal or conversion / visits").share
      .main,
  ]

  /// Returns a row for all units, and one for each arm with an assigned unit, sorted by the bytes of their names.
  public func table(
    _ tallies: VisitTallies, names: LogNames, dimension: Dimension?
  ) throws(TableError) -> Table {
    var table = try Table(
      name: "visits", title: "Visits",
      columns: TableColumn.arm + Self.measures + TableColumn.breakdown(dimension))
    if tallies.overall.units > 0 {
      let keys = Array(repeating: TableCell.empty, count: TableColumn.arm.count)
      let dimensions = Array(
        repeating: TableCell.empty, count: TableColumn.breakdown(dimension).count)
      try table.append(row: keys + Self.cells(tallies.overall, level) + dimensions)
    }
    for (segment, tally) in tallies.segments {
      try table.append(
        row: TableCell.arm(segment.arm, names) + Self.cells(tally, level)
          + TableCell.breakdown(dimension, segment.value))
    }
    table.note(
      "visit", .text("events with gaps of \(DurationText.text(inactivity)) at most"))
    table.note("variants", .text("have the visits since the first exposure, which begins one"))
    table.note("interval", .text("\(Percent.text(level)); visits_per_unit: Student t over units"))
    table.note("interval_of_events_per_visit", .text("delta method over units, normal"))
    table.note(tallies.ledger, crossing: crossing)
    return answered(table.sorted())
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

extension VisitReport {
  public static let explanation = Explanation(
    question: "how often did units come, for how long, and with what result?",
    inputs: """
      all events of units (time, unit); of decisions experiment, point, slot, variant and status; of goals experiment, \
      point, slot and status; of conversions negative
      """,
    entries: [
      .init(
        "units, visits, events",
        """
        a visit is a run of events of a unit with gaps of --inactivity at most (30 min); the row with empty keys has all \
        units, a variant those whose first exposure (confirmed or repeated decision) at the point and slot was to it, and \
        their events from then on
        """, source: "definition"),
      .init(
        "visits_per_unit, ci_low, ci_high",
        "mean -/+ t(1 - alpha/2, n - 1) * sqrt(variance / n) over units",
        source: "Student, The probable error of a mean, 1908"),
      .init(
        "events_per_visit, events_ci_low, events_ci_high",
        """
        R = sum(events) / sum(visits) -/+ z(1 - alpha/2) * sqrt((Var e - 2 R Cov(e, v) + R^2 Var v) / (mean(v)^2 n)) \
        over units
        """,
        source: "A. Deng et al., Applying the delta method in metric analytics, KDD 2018"),
      .init(
        "visit_seconds_mean", "mean time from the first to the last event of a visit",
        source: "definition"),
      .init(
        "single_event_share, goal_share",
        """
        visits of one event / visits; visits with a goal of the experiment that was not refused and names no other point \
        or slot, or a conversion that takes none back / visits
        """, source: "definition"),
    ])
}
