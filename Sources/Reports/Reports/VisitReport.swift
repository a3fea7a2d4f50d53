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

  struct Row {
    /// Nil for all units.
    let arm: ArmNames?
    let tally: VisitTally
    let visits: Double
    let perUnit: Interval?
    let perVisit: Interval?

    init(_ arm: ArmNames?, _ tally: VisitTally, _ level: Double) {
      (self.arm, self.tally, visits) = (arm, tally, Double(tally.visits))
      perUnit = tally.perUnit.denominator.meanInterval(level: level)
      perVisit = tally.perUnit.ratio?.normalInterval(level: level)
    }
  }

  private typealias Columns = ReportColumns<Row>

  @ColumnsBuilder<Row>
  static var columns: ReportColumns<Row> {
    Columns.arm(\.arm)
    Columns.explained(
      """
      a visit is a run of events of a unit with gaps of --inactivity at most (30 min); the row with empty keys has \
      all units, a variant those whose first exposure (confirmed or repeated decision) at the point and slot was to \
      it, and their events from then on
      """, .measure("units", "units with a visit", \.tally.units).main,
      .measure("visits", "visits of these units", \.tally.visits).main,
      .measure("events", "events of these visits", \.tally.events))
    Columns.explained(
      "mean -/+ t(1 - alpha/2, n - 1) * sqrt(variance / n) over units",
      source: "Student, The probable error of a mean, 1908",
      .measure(
        "visits_per_unit", "mean number of visits of a unit", \.tally.perUnit.denominator.mean
      ).estimate.main, .interval("ci", "its interval (Student t)", \.perUnit).estimate.main)
    Columns.explained(
      """
      R = sum(events) / sum(visits) -/+ z(1 - alpha/2) * sqrt((Var e - 2 R Cov(e, v) + R^2 Var v) / (mean(v)^2 n)) \
      over units
      """, source: "A. Deng et al., Applying the delta method in metric analytics, KDD 2018",
      .measure("events_per_visit", "events / visits") { Double($0.tally.events) / $0.visits }
        .estimate, .interval("events_ci", "its interval (delta method)", \.perVisit).estimate)
    Columns.explained(
      "mean time from the first to the last event of a visit",
      .measure("visit_seconds_mean", "mean time from the first to the last event") {
        Double($0.tally.duration) / $0.visits / 1e6
      }.duration.main)
    Columns.explained(
      """
      visits of one event / visits; visits with a goal of the experiment that was not refused and names no other point \
      or slot, or a conversion that takes none back / visits
      """,
      .measure("single_event_share", "visits of one event / visits") {
        Double($0.tally.ofOneEvent) / $0.visits
      }.share,
      .measure("goal_share", "visits with a goal or conversion / visits") {
        Double($0.tally.withGoal) / $0.visits
      }.share.main)
  }

  /// Returns a row for all units, and one for each arm with an assigned unit, sorted by the bytes of their names.
  public func table(
    _ tallies: VisitTallies, names: LogNames, dimension: Dimension?
  ) throws(TableError) -> Table {
    let all = tallies.overall.units > 0 ? [Row(nil, tallies.overall, level)] : []
    var table = try Table(
      name: "visits", title: "Visits",
      columns: Self.columns + .breakdown(dimension, \.arm?.value),
      rows: all + tallies.segments.map { Row(ArmNames($0, names), $1, level) })
    table.note("visit", "events with gaps of \(DurationText.text(inactivity)) at most")
    table.note("variants", "have the visits since the first exposure, which begins one")
    table.note("interval", "\(Percent.text(level)); visits_per_unit: Student t over units")
    table.note("interval_of_events_per_visit", "delta method over units, normal")
    table.note(tallies.ledger, crossing: crossing)
    return summarized(table.sorted())
  }
}

extension VisitReport {
  public static let explanation = Explanation(
    question: "how often did units come, for how long, and with what result?",
    inputs: """
      all events of units (time, unit); of decisions experiment, point, slot, variant and status; of goals experiment, \
      point, slot and status; of conversions negative
      """, of: columns)
}
