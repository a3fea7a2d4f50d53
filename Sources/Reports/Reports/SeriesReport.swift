public import EventLog
public import Events
public import Replay
internal import Statistics
public import Tables

/// The report `series`: what happened on each day, and all that had happened up to its end.
public struct SeriesReport: Report {
  /// The name behind `report`.
  public static let name = "series"
  /// What the report says, in one line.
  public static let abstract =
    "What happened day by day: decisions, units, rewards, allocation."

  /// How goals are credited.
  public let attribution: Attribution
  /// How long a period is.
  public let period: Period
  /// To which period something belongs.
  public let basis: SeriesProjector.Basis
  /// Whether periods without events have rows even where they are nearly all.
  public let includesEmptyPeriods: Bool
  /// The coverage of intervals, between 0 and 1.
  public let level: Double

  /// A series.
  ///
  /// - Parameters:
  ///   - attribution: How goals are credited.
  ///   - period: How long a period is.
  ///   - basis: To which period something belongs.
  ///   - includesEmptyPeriods: Whether periods without events have rows even where they are nearly all.
  ///   - level: The coverage of intervals, between 0 and 1.
  /// - Throws: ``ReportError`` when the level is out of its range.
  public init(
    attribution: Attribution = Attribution(), period: Period = .day,
    basis: SeriesProjector.Basis = .event, includesEmptyPeriods: Bool = false, level: Double = 0.95
  ) throws(ReportError) {
    try ReportError.check(level: level)
    self.attribution = attribution
    self.period = period
    self.basis = basis
    self.includesEmptyPeriods = includesEmptyPeriods
    self.level = level
  }

  /// The time after which nothing counts.
  public var end: Timestamp? { attribution.end }

  /// Makes the report.
  ///
  /// - Throws: ``ReportError`` when it would have too many rows.
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
    var table = try Self.table(
      tallies, of: projector, names: source.names, dimension: source.dimension, level: level,
      leavesOutEmpty: leavesOutEmpty)
    if leavesOutEmpty {
      let left = Self.rowCount(tallies) - rows
      table.note("empty_rows_left_out", .integer(left))
      source.say(
        "note: \(left) rows of a \(period.rawValue) without events are left out; --empty-periods writes them"
      )
    }
    return ReportResult(table)
  }

  /// From when to when a log has events, for a message.
  private static func span(_ log: LogReader?) -> String {
    guard let log else { return "" }
    return
      ": \(log.path) has events from \(log.earliest?.description ?? "") to \(log.latest?.description ?? "")"
  }

  private static func columns(_ period: Period) -> [TableColumn] {
    [
      .key(period.rawValue, .text, "start of the \(period.rawValue) in UTC"),
      .measure("decisions", .integer, "confirmed decisions"),
      .measure("units", .integer, "units with their first decision for the variant"),
      .measure("active_units", .integer, "distinct units among the decisions"),
      .measure("rewards", .integer, "goals credited, by the time of the goal"),
      .measure("reward_sum", .decimal, "their values, added up"),
      .measure("cumulative_decisions", .integer, "decisions up to the end"),
      .measure("cumulative_units", .integer, "distinct units up to the end"),
      .measure("cumulative_reward_sum", .decimal, "values of the goals up to the end"),
      .measure("reward_mean", .decimal, "mean reward of the decisions up to the end"),
      .measure("ci_low", .decimal, "lower end of its interval (Student t)"),
      .measure("ci_high", .decimal, "upper end of its interval (Student t)"),
      .measure("decision_share", .decimal, "decisions / those of all variants of the slot"),
      .measure("propensity_mean", .decimal, "mean known propensity of the variant when chosen"),
      .measure("decisions_with_propensity", .integer, "decisions with a known propensity"),
    ]
  }

  /// How many rows a report should have at most; there are more when a wrong time in a log makes a table of zeros that no
  /// memory holds.
  public static let mostRows = 1_000_000

  /// How many rows the report has: one for each segment and each period from the first to the last in which something
  /// happened at its experiment, point and slot. A wrong time in a log can make that very many.
  public static func rowCount(_ tallies: SeriesTallies) -> Int {
    let spans = spans(tallies)
    return tallies.segments.keys.reduce(0) { count, segment in
      let (sum, isOver) = count.addingReportingOverflow(spans[place(segment.arm)]?.count ?? 0)
      return isOver ? .max : sum
    }
  }

  /// How many rows a report has at most for each row in which something happened, before the others are left out.
  private static let mostRowsPerEvent = 10
  /// Reports of so many rows keep them all.
  private static let alwaysShownRows = 1_000

  /// Whether nearly all rows are of periods in which nothing happened: a report has them only when asked. A log with two
  /// events a century apart, or with one wrong time, makes tens of thousands.
  public static func isMostlyEmpty(_ tallies: SeriesTallies) -> Bool {
    let rows = rowCount(tallies)
    guard rows > alwaysShownRows else { return false }
    return rows / mostRowsPerEvent > rowCountWithEvents(tallies)
  }

  /// How many rows the report has when it leaves out periods in which nothing happened to a segment.
  public static func rowCountWithEvents(_ tallies: SeriesTallies) -> Int {
    tallies.segments.values.reduce(0) { $0 + $1.count }
  }

  /// The report of some tallies.
  ///
  /// - Parameters:
  ///   - tallies: Series by segment.
  ///   - projector: What computed them.
  ///   - names: The names of the log that the tallies come from; experiments, points, slots and variants are used.
  ///   - dimension: What they are broken down by.
  ///   - level: The coverage of the intervals, between 0 and 1.
  ///   - leavesOutEmpty: Whether periods are left out in which nothing happened to a variant; the others are the same.
  /// - Returns: As many rows as ``rowCount(_:)`` says, fewer when some are left out, sorted by the bytes of their names and
  ///   by time.
  /// - Throws: `TableError` never, as long as the columns are what they are.
  public static func table(
    _ tallies: SeriesTallies, of projector: SeriesProjector, names: LogNames,
    dimension: Dimension? = nil, level: Double = 0.95, leavesOutEmpty: Bool = false
  ) throws(TableError) -> Table {
    var table = try Table(
      name: "series", title: "Day by day",
      columns: TableColumn.arm + columns(projector.period) + TableColumn.breakdown(dimension))
    if !leavesOutEmpty { table.reserve(rows: rowCount(tallies)) }
    let spans = spans(tallies)
    let totals = totals(tallies)
    for (segment, tallies) in tallies.segments {
      let place = place(segment.arm)
      let periods =
        leavesOutEmpty ? AnySequence(tallies.keys.sorted()) : AnySequence(spans[place] ?? 0..<0)
      let key = TableCell.arm(segment.arm, names)
      let breakdown = TableCell.breakdown(dimension, segment.value)
      var line = Line(level: level)
      for period in periods {
        let total = totals[Place(place: place, value: segment.value, period: period)] ?? 0
        let cells = line.next(tallies[period], total: total)
        try table.append(row: key + [.text(projector.period.text(period))] + cells + breakdown)
      }
    }
    note(tallies.ledger, of: projector, level, &table)
    return table.sorted()
  }

  private static func note(
    _ ledger: RewardLedger, of projector: SeriesProjector, _ level: Double,
    _ table: inout Table
  ) {
    table.note("attribution", .text(projector.attribution.description))
    table.note("every", .text(projector.period.rawValue))
    table.note(
      "by",
      .text(
        projector.basis == .event
          ? "decisions by their own time, goals by that of the goal"
          : "everything by the first exposure of its unit to the variant"))
    table.note("interval", .text("Student t over decisions, \(Percent.text(level))"))
    for (rule, value) in RewardReport.ledgerNotes(ledger) { table.note(rule, value) }
  }

  // MARK: Periods

  /// An experiment, point and slot: an arm without variant.
  private static func place(_ arm: Arm) -> Arm {
    Arm(experiment: arm.experiment, point: arm.point, slot: arm.slot, variant: 0)
  }

  /// For each place, the periods from the first to the last in which something happened there.
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

  /// The decisions of all variants of a place in a period.
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
    /// What does not change as long as nothing happens.
    private var state: [TableCell] = []

    init(level: Double) {
      self.level = level
      state = cumulative()
    }

    /// The cells of the next period; nil for one in which nothing happened.
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
