package import EventLog
public import Events
public import Replay
internal import Statistics
package import Tables

/// The report `series`: counts and rewards of each period, and cumulative values up to its end.
public struct SeriesReport: Report {
  public static let name = "series"
  public static let abstract =
    "What happened day by day: decisions, units, rewards, allocation."

  public static let discussion = """
    A row for each variant and day in UTC, including days without events between the first and the last; if these are \
    more than nine tenths of more than 1,000 rows, they need --empty-periods. Goals belong to the day of the goal and \
    are credited to the latest confirmed decision of the same unit, point and slot. Cumulative columns have the values \
    at the end of the day.
    """

  public static let examples = [
    #"""
    bandolier report series datasets/storefront.log \
      --experiment pricing
    """#,
    "bandolier report series datasets/storefront.log --every week",
  ]

  /// The attribution of goals.
  public var attribution = Attribution()
  /// The length of a period.
  public var period = Period.day
  /// The time that assigns an event to a period.
  public var basis = SeriesProjector.Basis.event
  /// Whether periods without events have rows even if they are nearly all.
  public var includesEmptyPeriods = false
  /// The confidence level of intervals, between 0 and 1.
  public var level = 0.95

  /// Creates the report with its standard parameters.
  public init() {}

  @OptionsBuilder<Self>
  public static var options: [ReportOption<Self>] {
    Option.value(
      "every", \.period, "period", "day, week (from Monday) or hour; also 1d, 1w or 1h.", period
    ).among(Period.self, standard: .day)
    Option.flag(
      "cohorts",
      "Cohorts: count events on the day on which their unit joined the variant, not on their own day."
    ) { $0.basis = .exposure }
    Option.flag(
      "empty-periods", \.includesEmptyPeriods,
      "Include periods without events even if they are nearly all rows.")
    Option.level(\.level)
    Option.attribution(\.attribution)
  }

  /// Parses a period by its name, or by its length such as 1d.
  @Sendable
  private static func period(_ text: String) throws(OptionError) -> Period {
    let length = DurationText.microseconds(text)
    let period = Period.allCases.first { $0.rawValue == text || $0.length == length }
    if let period { return period }
    return try OptionValue.choice(text)
  }

  public mutating func validate() throws(ReportError) {
    try ReportError.check(level: level)
    try ReportError.check(attribution)
  }

  public var partials: PartialSupport { .byUnits }

  public var end: Timestamp? { attribution.end }

  /// Computes the report.
  ///
  /// - Throws: ``ReportError`` if it would have too many rows.
  public func result(of source: ReportSource) throws -> ReportResult {
    let projector = SeriesProjector(attribution, period: period, basis: basis)
    let tallies = try source.run(units: projector)
    let leavesOutEmpty = !includesEmptyPeriods && Self.isMostlyEmpty(tallies)
    let rows = leavesOutEmpty ? Self.rowCountWithEvents(tallies) : Self.rowCount(tallies)
    guard rows <= Self.mostRows else {
      throw ReportError(
        .badData,
        "the report would have \(rows) rows, more than \(Self.mostRows)\(Self.span(source.log)); "
          + "give a longer --every, or \(source.log == nil ? "" : "--since, --until or ")--experiment"
      )
    }
    var table = try table(
      tallies, names: source.names, dimension: source.dimension, leavesOutEmpty: leavesOutEmpty)
    if leavesOutEmpty {
      let left = Self.rowCount(tallies) - rows
      table.note("empty_rows_left_out", .integer(left))
      source.say(
        "note: \(left) rows of a \(period.rawValue) without events are left out; --empty-periods includes them"
      )
    }
    return ReportResult(table)
  }

  /// Describes the time range of a log, for a message.
  private static func span(_ log: LogReader?) -> String {
    guard let log else { return "" }
    return
      ": \(log.path) has events from \(log.earliest?.description ?? "") to \(log.latest?.description ?? "")"
  }

  private static func columns(_ period: Period) -> [TableColumn] {
    [
      .key(period.rawValue, .text, "start of the \(period.rawValue) in UTC"),
      .measure("decisions", .integer, "confirmed decisions").main,
      .measure("units", .integer, "units with their first decision for the variant"),
      .measure("active_units", .integer, "distinct units among the decisions").main,
      .measure("rewards", .integer, "goals credited, by the time of the goal").main,
      .measure("reward_sum", .decimal, "their values, added up"),
      .measure("cumulative_decisions", .integer, "decisions up to the end"),
      .measure("cumulative_units", .integer, "distinct units up to the end"),
      .measure("cumulative_reward_sum", .decimal, "values of the goals up to the end"),
      .measure("reward_mean", .decimal, "mean reward of the decisions up to the end").estimate.main,
      .measure("ci_low", .decimal, "lower end of its interval (Student t)").estimate
        .main,
      .measure("ci_high", .decimal, "upper end of its interval (Student t)").estimate
        .main,
      .measure("decision_share", .decimal, "decisions / those of all variants of the slot").share
        .main,
      .measure("propensity_mean", .decimal, "mean known propensity of the variant when chosen")
        .share,
      .measure("decisions_with_propensity", .integer, "decisions with a known propensity"),
    ]
  }

  /// The maximum number of rows. A wrong time in a log would otherwise make a table of zeros that does not fit in
  /// memory.
  public static let mostRows = 1_000_000

  /// Returns the number of rows of the report: one for each segment and each period from the first to the last with
  /// events at its experiment, point and slot. A wrong time in a log can make this very large.
  public static func rowCount(_ tallies: SeriesTallies) -> Int {
    let spans = spans(tallies)
    return tallies.segments.keys.reduce(0) { count, segment in
      let (sum, isOver) = count.addingReportingOverflow(spans[place(segment.arm)]?.count ?? 0)
      return isOver ? .max : sum
    }
  }

  /// The maximum number of rows for each row with events before rows without events are left out.
  private static let mostRowsPerEvent = 10
  /// The number of rows up to which all are kept.
  private static let alwaysShownRows = 1_000

  /// Returns whether nearly all rows are of periods without events, which the report shows only on request. A log
  /// with two events a century apart, or with one wrong time, has tens of thousands of them.
  public static func isMostlyEmpty(_ tallies: SeriesTallies) -> Bool {
    let rows = rowCount(tallies)
    guard rows > alwaysShownRows else { return false }
    return rows / mostRowsPerEvent > rowCountWithEvents(tallies)
  }

  /// Returns the number of rows of the report without periods in which a segment has no events.
  public static func rowCountWithEvents(_ tallies: SeriesTallies) -> Int {
    tallies.segments.values.reduce(0) { $0 + $1.count }
  }

  /// Returns one row for each variant and period, sorted by the bytes of the names and by time.
  ///
  /// - Parameters:
  ///   - tallies: Series by segment.
  ///   - names: The names of the log's experiments, points, slots and variants.
  ///   - dimension: The dimension by which they are broken down.
  ///   - leavesOutEmpty: Whether periods without events of a variant are left out; the other rows are the same.
  /// - Returns: The table.
  /// - Throws: `TableError` only if the column declarations are invalid.
  package func table(
    _ tallies: SeriesTallies, names: LogNames, dimension: Dimension? = nil,
    leavesOutEmpty: Bool = false
  ) throws(TableError) -> Table {
    var table = try Table(
      name: "series", title: "Day by day",
      columns: TableColumn.arm + Self.columns(period) + TableColumn.breakdown(dimension))
    if !leavesOutEmpty { table.reserve(rows: Self.rowCount(tallies)) }
    let spans = Self.spans(tallies)
    let totals = Self.totals(tallies)
    for (segment, tallies) in tallies.segments {
      let place = Self.place(segment.arm)
      let periods =
        leavesOutEmpty ? AnySequence(tallies.keys.sorted()) : AnySequence(spans[place] ?? 0..<0)
      let key = TableCell.arm(segment.arm, names)
      let breakdown = TableCell.breakdown(dimension, segment.value)
      var line = Line(level: level)
      for index in periods {
        let total = totals[Place(place: place, value: segment.value, period: index)] ?? 0
        let cells = line.next(tallies[index], total: total)
        try table.append(row: key + [.text(period.text(index))] + cells + breakdown)
      }
    }
    note(tallies.ledger, &table)
    return answered(table.sorted())
  }

  private func note(_ ledger: RewardLedger, _ table: inout Table) {
    table.note("attribution", .text(attribution.description))
    table.note("every", .text(period.rawValue))
    table.note(
      "by",
      .text(
        basis == .event
          ? "decisions by their own time, goals by that of the goal"
          : "everything by the first exposure of its unit to the variant"))
    table.note("interval", .text("Student t over decisions, \(Percent.text(level))"))
    for (rule, value) in RewardReport.ledgerNotes(ledger) { table.note(rule, value) }
  }

  // MARK: Periods

  /// Returns the experiment, point and slot of an arm, without its variant.
  private static func place(_ arm: Arm) -> Arm {
    Arm(experiment: arm.experiment, point: arm.point, slot: arm.slot, variant: 0)
  }

  /// Returns the periods of each place, from the first to the last with events.
  private static func spans(_ tallies: SeriesTallies) -> [Arm: Range<Int64>] {
    var spans: [Arm: Range<Int64>] = [:]
    for (segment, periods) in tallies.segments {
      guard let low = periods.keys.min(), let high = periods.keys.max() else { continue }
      let span = spans[place(segment.arm)] ?? low..<high + 1
      spans[place(segment.arm)] =
        min(span.lowerBound, low)..<max(span.upperBound, high + 1)
    }
    return spans
  }

  private struct Place: Hashable {
    var place: Arm
    var value: DimensionValue
    var period: Int64
  }

  /// Returns the decisions of all variants of a place in a period.
  private static func totals(_ tallies: SeriesTallies) -> [Place: Int] {
    var totals: [Place: Int] = [:]
    for (segment, periods) in tallies.segments {
      for (period, tally) in periods {
        let key = Place(place: place(segment.arm), value: segment.value, period: period)
        totals[key, default: 0] += tally.decisions
      }
    }
    return totals
  }

  /// The rows of a segment, from the first period to the last.
  private struct Line {
    let level: Double
    private var decisions = 0
    private var units = 0
    private var rewardSum = ExactSum()
    private var perDecision = Moments()
    /// The cells that stay the same in periods without events.
    private var state: [TableCell] = []

    init(level: Double) {
      self.level = level
      state = cumulative()
    }

    /// Returns the cells of the next period; a nil tally is a period without events.
    mutating func next(_ tally: SeriesTally?, total: Int) -> [TableCell] {
      if let tally {
        decisions += tally.decisions
        units += tally.newUnits
        rewardSum.merge(tally.rewardSum)
        perDecision.merge(tally.perDecision)
        state = cumulative()
      }
      let known = tally?.decisionsWithPropensity ?? 0
      let share = total > 0 ? Double(tally?.decisions ?? 0) / Double(total) : nil
      let propensity = known > 0 ? tally.map { $0.propensitySum.value / Double(known) } : nil
      return [
        .integer(tally?.decisions ?? 0), .integer(tally?.newUnits ?? 0),
        .integer(tally?.activeUnits ?? 0), .integer(tally?.rewards ?? 0),
        .decimal(tally?.rewardSum.value ?? 0),
      ] + state + [TableCell(share), TableCell(propensity), .integer(known)]
    }

    private func cumulative() -> [TableCell] {
      let interval = perDecision.meanInterval(level: level)
      return [
        .integer(decisions), .integer(units), .decimal(rewardSum.value),
        TableCell(perDecision.mean), TableCell(interval?.low), TableCell(interval?.high),
      ]
    }
  }
}
