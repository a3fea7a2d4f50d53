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
    Option.value(
      "end", \.end, "time",
      "The end of the data, instead of the latest event; nothing after it counts.",
      { try OptionValue.time($0) })
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

  private static let measures: [TableColumn] = [
    .key("day", .integer, "days after the first exposure"),
    .measure("units", .integer, "units for which the day was over at the end of the data").main,
    .measure("returned", .integer, "those of them that came back on the day").main,
    .measure("retention", .decimal, "returned / units").share.main,
    .measure("ci_low", .decimal, "lower end of its interval (Wilson)").share.main,
    .measure("ci_high", .decimal, "upper end of its interval (Wilson)").share.main,
    .measure("units_too_young", .integer, "units for which the day was not over: not counted"),
  ]

  /// Returns one row for each arm with an assigned unit and each day, sorted by the bytes of their names.
  public func table(
    _ tallies: RetentionTallies, names: LogNames, dimension: Dimension?
  ) throws(TableError) -> Table {
    var table = try Table(
      name: "retention", title: "Units that came back",
      columns: TableColumn.arm + Self.measures + TableColumn.breakdown(dimension))
    for (segment, tallied) in tallies.segments {
      for (day, tally) in zip(days, tallied) {
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
    table.note("returned_on", .text(Self.text(signal)))
    table.note(
      "day_window",
      .text("from exposure + day on, before exposure + day + \(windowDays)d"))
    table.note(
      "end_of_data", TableCell(tallies.end.map { Timestamp(microseconds: $0).description }))
    table.note("interval", .text("Wilson, \(Percent.text(level))"))
    table.note(tallies.ledger, crossing: crossing)
    return answered(table.sorted())
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
      decisions (time, unit, experiment, point, slot, variant, status, reason), decisionConfirmed; times of all events of \
      units, of goals experiment, point, slot and status, of conversions negative
      """,
    entries: [
      .init(
        "units, units_too_young",
        """
        units whose first exposure (confirmed or repeated decision) at the point and slot was to the variant, divided by \
        whether first exposure + day + window <= end of the data (the latest event, or --end)
        """, source: "definition"),
      .init(
        "returned",
        """
        units old enough with an event (--on) from first exposure + day on, before first exposure + day + window \
        (--window-days); events before the exposure, and the exposure itself, never count
        """, source: "definition"),
      .init(
        "retention, ci_low, ci_high", "returned / units, with the score interval",
        source: "E. B. Wilson, Probable inference, 1927"),
    ])
}
