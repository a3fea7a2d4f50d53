public import EventLog
public import Events
public import Replay
internal import Statistics
public import Tables

/// The report `retention`: the share of each variant's units that return N days after their first exposure.
public struct RetentionReport: UnitReport {
  public static let name = "retention"
  public static let abstract =
    "Share of units that return N days after their first exposure."

  public static let discussion = """
    A unit returned on day d if it has an event from d days after its first exposure on, before d + 1 days \
    (--window-days). Only units for which that time was over at the end of the data are counted; the \
    others are in units_too_young.
    """

  public static let examples = [
    "bandolier report retention datasets/storefront.log",
    #"""
    bandolier report retention datasets/storefront.log \
      --days 1,7,14 --experiment pricing
    """#,
  ]

  /// The days after the first exposure, ascending.
  public var days = [1, 3, 7, 14, 28]
  /// The events that count as a return.
  public var signal = RetentionProjector.Signal.any
  /// The length of the return window, in days.
  public var windowDays = 1
  /// The end of the data, after which nothing counts; nil for the latest event.
  public var end: Timestamp?
  /// How units exposed to several variants are handled.
  public var crossing = Attribution.Crossing.drop
  /// The confidence level of intervals, between 0 and 1.
  public var level = 0.95

  /// The maximum day: the time range of a log is under 4 million days.
  private static let mostDays = 4_000_000
  private static let mostEntries = 1_000

  /// Creates the report with its standard parameters.
  public init() {}

  @OptionsBuilder<Self>
  public static var options: [ReportOption<Self>] {
    Option.list(
      "days", \.days, "days",
      "Days after the first exposure, separated by commas (default: 1,3,7,14,28).",
      OptionValue.days)
    Option.choice("on", \.signal, "events", "Events that count as a return.")
    Option.value(
      "window-days", \.windowDays, "days", "Length of the return window, in days (default: 1).",
      OptionValue.days)
    Option.time("end", "The end of the data, instead of the latest event; nothing after it counts.") {
      $0.end = $1
    }.grouped(.attribution)
    Option.level(\.level)
    Option.crossing(\.crossing)
  }

  public mutating func validate() throws(ReportError) {
    try ReportError.require(
      days.allSatisfy { $0 >= 0 && $0 <= Self.mostDays } && Set(days).count == days.count
        && days.count <= Self.mostEntries, "days",
      "must be different whole numbers such as 1,3,7,14,28")
    try ReportError.require(
      windowDays >= 1 && windowDays <= Self.mostDays, "window-days",
      "must be from 1 to \(Self.mostDays)")
    try ReportError.check(level: level)
    days.sort()
  }

  public var partials: PartialSupport { end == nil ? .byUnitsUntilEnd : .byUnits }

  public func projector(_: NameLookup) -> RetentionProjector {
    RetentionProjector(
      days: days, signal: signal, windowDays: windowDays, end: end?.microseconds, crossing: crossing
    )
  }

  struct Row {
    let arm: ArmNames
    let day: Int
    let tally: RetentionTally
    let share: Proportion
    let interval: Interval?
  }

  private typealias Columns = ReportColumns<Row>

  @ColumnsBuilder<Row>
  static var columns: ReportColumns<Row> {
    Columns.arm(\.arm)
    Columns.key("day", "days after the first exposure", \.day)
    Columns.explained(
      """
      units whose first exposure (confirmed or repeated decision) at the point and slot was to the variant, divided by \
      whether first exposure + day + window <= end of the data (the latest event, or --end)
      """,
      .measure("units", "units for which the day was over at the end of the data", \.tally.units)
        .main)
    Columns.explained(
      """
      units old enough with an event (--on) from first exposure + day on, before first exposure + day + window \
      (--window-days); events before the exposure, and the exposure itself, never count
      """, .measure("returned", "those of them that came back on the day", \.tally.returned).main)
    Columns.explained(
      "returned / units, with the score interval", source: "E. B. Wilson, Probable inference, 1927",
      .measure("retention", "returned / units", \.share.value).share.main,
      .interval("ci", "its interval (Wilson)", \.interval).share.main)
    Columns.measure(
      "units_too_young", "units for which the day was not over: not counted", \.tally.tooYoung
    ).explained(with: "units")
  }

  /// Returns one row for each arm with an assigned unit and each day, sorted by the bytes of their names.
  public func table(
    _ tallies: RetentionTallies, names: LogNames, dimension: Dimension?
  ) throws(TableError) -> Table {
    let rows = tallies.segments.flatMap { segment, tallied in
      let arm = ArmNames(segment, names)
      return zip(days, tallied).map { day, tally in
        let share = Proportion(successes: tally.returned, trials: tally.units)
        return Row(
          arm: arm, day: day, tally: tally, share: share,
          interval: share.wilsonInterval(level: level))
      }
    }
    var table = try Table(
      name: "retention", title: "Units that came back",
      columns: Self.columns + .breakdown(dimension, \.arm.value), rows: rows)
    table.note("returned_on", Self.text(signal))
    table.note("day_window", "from exposure + day on, before exposure + day + \(windowDays)d")
    table.note(
      "end_of_data", TableCell(tallies.end.map { Timestamp(microseconds: $0).description }))
    table.note("interval", "Wilson, \(Percent.text(level))")
    table.note(tallies.ledger, crossing: crossing)
    return summarized(table.sorted())
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

extension RetentionReport {
  public static let explanation = Explanation(
    question: "what share of units returned?",
    inputs: """
      decisions (time, unit, experiment, point, slot, variant, status, reason), decisionConfirmed; times of all \
      events of units, of goals experiment, point, slot and status, of conversions negative
      """, of: columns)
}
