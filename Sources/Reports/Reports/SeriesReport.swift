package import EventLog
internal import Events
public import Replay
internal import Statistics
package import Tables

/// The report `series`: counts and rewards of each period, and cumulative values up to its end.
public struct SeriesReport: RewardedReport {
  public static let name = "series"
  public static let abstract =
    "What happened day by day: decisions, units, rewards, allocation."

  public static let discussion = """
    A row for each variant and day, including days without events between the first and the last; if these are \
    more than nine tenths of more than 1,000 rows, they need --empty-periods. Goals belong to the day of the goal and \
    are credited to the latest confirmed decision of the same unit, point and slot. Cumulative columns have the values \
    at the end of the day. Means are compared with the baseline so far, by a confidence sequence, which holds at every \
    day, and among the decisions of each day, by an interval that holds for one day; the chance to be best is that of \
    the means so far.
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
  /// The variant that others are compared with; nil for one with a baseline's name, otherwise the first by name.
  public var baseline: String?
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
      "Include periods without events even if they are nearly all rows."
    ).grouped(.output)
    Option.baseline(\.baseline)
    Option.level(\.level)
    Option.rewardMetric(\.attribution)
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

  public mutating func adopt(_ entry: AnalysisPlan.Entry) {
    adoptMetric(of: entry)
    baseline = entry.baseline
  }

  public var partials: PartialSupport { .byUnits }

  public var rewards: Attribution {
    get { attribution }
    set { attribution = newValue }
  }

  /// Computes the report.
  ///
  /// - Throws: ``ReportError`` if it would have too many rows.
  public func result(of source: ReportSource) throws -> ReportResult {
    let projector = SeriesProjector(
      try source.lookup.resolving(attribution), period: period, basis: basis,
      calendar: source.calendar)
    let tallies = try source.run(units: projector)
    try source.lookup.require(baseline, among: tallies.segments.keys.map { ($0.arm.experiment, $0.arm.variant) })
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
      table.note("empty_rows_left_out", left)
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

  struct Row {
    let arm: ArmNames
    let period: String
    let tally: SeriesTally
    /// The decisions of all variants of the place in the period.
    let total: Int
    /// The sums of all periods up to the end of this one.
    let sums: Sums
    /// The name of the baseline; nil without one.
    let baseline: String?
    /// The contrast with the baseline of all decisions so far, and of those of the period.
    let (soFar, own): (SeriesContrast, SeriesContrast)
    /// The chance to be the best variant of the place by all decisions so far.
    let chance: Double?

    var share: Double? { total > 0 ? Double(tally.decisions) / Double(total) : nil }

    var meanPropensity: Double? {
      let known = tally.decisionsWithPropensity
      return known > 0 ? tally.propensitySum.value / Double(known) : nil
    }
  }

  /// Sums of a segment from the first period on.
  struct Sums {
    private(set) var decisions = 0
    private(set) var units = 0
    private(set) var rewardSum = 0.0
    private(set) var mean: Double?
    private(set) var interval: Interval?
    private var rewards = ExactSum()
    private(set) var perDecision = Moments()

    mutating func add(_ tally: SeriesTally, level: Double) {
      decisions += tally.decisions
      units += tally.newUnits
      rewards.merge(tally.rewardSum)
      perDecision.merge(tally.perDecision)
      (rewardSum, mean) = (rewards.value, perDecision.mean)
      interval = perDecision.meanInterval(level: level)
    }
  }

  private typealias Columns = ReportColumns<Row>

  @ColumnsBuilder<Row>
  static func columns(_ period: Period) -> ReportColumns<Row> {
    Columns.arm(\.arm)
    Columns.explained(
      """
      start of the period in UTC or --time-zone; weeks begin on Monday (ISO 8601). Every variant has a row for each \
      period from the first to the last in which something happened at its experiment, point and slot; where more than \
      nine tenths of more than 1,000 rows would be of periods without events, these have rows only with \
      --empty-periods. With --cohorts everything is in the period of its unit's first decision for the variant
      """, as: "day (week, hour)",
      .key(period.rawValue, "start of the \(period.rawValue)", \.period))
    Columns.explained(
      """
      confirmed decisions of the period; units with their first decision for the variant; distinct units among the \
      decisions
      """, .measure("decisions", "confirmed decisions", \.tally.decisions).main,
      .measure("units", "units with their first decision for the variant", \.tally.newUnits),
      .measure("active_units", "distinct units among the decisions", \.tally.activeUnits).main)
    Columns.explained(
      """
      goals of the period and their values, credited to the latest counted decision of the same unit, experiment, \
      point and slot, whenever that was made
      """, .measure("rewards", "goals credited, by the time of the goal", \.tally.rewards).main,
      .measure("reward_sum", "their values, added up", \.tally.rewardSum.value))
    Columns.explained(
      "sums of decisions, units and reward_sum from the first period on",
      .measure("cumulative_decisions", "decisions up to the end", \.sums.decisions),
      .measure("cumulative_units", "distinct units up to the end", \.sums.units),
      .measure("cumulative_reward_sum", "values of the goals up to the end", \.sums.rewardSum))
    Columns.explained(
      """
      over all decisions up to the end of the period, each with the goals credited up to then: mean -/+ t(1 - \
      alpha/2, n \
      - 1) * sqrt(variance / n); with looks at many days the interval does not hold for all of them together
      """, source: "Student, The probable error of a mean, 1908",
      .measure("reward_mean", "mean reward of the decisions up to the end", \.sums.mean)
        .estimate.main, .interval("ci", "its interval (Student t)", \.sums.interval).estimate.main)
    Columns.explained(
      "decisions / decisions of all variants of the same experiment, point and slot (and value) in the period",
      .measure("decision_share", "decisions / those of all variants of the slot", \.share)
        .share.main)
    Columns.explained(
      "mean propensity of the variant where it was chosen and the propensity is known, and how often it is",
      .measure(
        "propensity_mean", "mean known propensity of the variant when chosen", \.meanPropensity
      ).share,
      .measure(
        "decisions_with_propensity", "decisions with a known propensity",
        \.tally.decisionsWithPropensity))
    contrastColumns
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
    let (spans, calendar) = (Self.spans(tallies), tallies.calendar)
    let totals = Self.totals(tallies)
    let places = Self.variants(tallies, names)
    let (baselines, chances) = (baselines(tallies, places), chances(tallies, places))
    let none = SeriesTally()
    var texts: [Int64: String] = [:]
    let rows = tallies.segments.lazy.flatMap { segment, tallies in
      let place = Self.place(segment.arm)
      let totals = totals[Segment(arm: place, value: segment.value)] ?? [:]
      var control = baselines[Segment(arm: place, value: segment.value)]
      let isControl = control?.segment == segment
      let chances = chances[segment] ?? [:]
      let periods =
        leavesOutEmpty
        ? tallies.keys.sorted()
        : (spans[place] ?? 0..<0).filter { period.exists($0, in: calendar) }
      let arm = ArmNames(segment, names)
      var sums = Sums()
      var soFar = SeriesContrast()
      var chance: Double?
      return periods.map { index in
        let tally = tallies[index]
        if let tally { sums.add(tally, level: level) }
        let isAdvanced = control?.advance(to: index) ?? false
        if !isControl, tally != nil || isAdvanced {
          soFar = contrast(sums.perDecision, control?.soFar, isRepeated: true)
        }
        chance = chances[index] ?? chance
        let text = texts[index] ?? period.text(index)
        texts[index] = text
        return Row(
          arm: arm, period: text, tally: tally ?? none, total: totals[index] ?? 0, sums: sums,
          baseline: control?.name, soFar: soFar,
          own: contrast(tally?.rewardsOfDecisions, isControl ? nil : control?.own(index), isRepeated: false),
          chance: chance)
      }
    }
    var table = try Table(
      name: "series", title: "Day by day",
      columns: Self.columns(period) + .breakdown(dimension, \.arm.value), rows: rows,
      count: leavesOutEmpty ? nil : Self.rowCount(tallies))
    table.note("attribution", attribution.description)
    table.note(metric: attribution.metric, tallies.ledger.goals, names)
    table.note("every", period.rawValue)
    table.note(
      "by",
      basis == .event
        ? "decisions by their own time, goals by that of the goal"
        : "everything by the first exposure of its unit to the variant")
    table.note("interval", "Student t over decisions, \(Percent.text(level))")
    table.note(
      "differences",
      "so far: asymptotic confidence sequence, tightest at \(Int(SeriesContrast.tightestAt)) decisions, which holds at "
        + "every look; of a period: Welch, at one look")
    table.note(tallies.ledger.noted)
    return summarized((consume table).sorted())
  }

  // MARK: Periods

  /// Returns the experiment, point and slot of an arm, without its variant.
  static func place(_ arm: Arm) -> Arm {
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

  /// Returns the decisions of all variants of each place, for each value of the dimension, by period.
  private static func totals(_ tallies: SeriesTallies) -> [Segment: [Int64: Int]] {
    var totals: [Segment: [Int64: Int]] = [:]
    for (segment, periods) in tallies.segments {
      let place = Segment(arm: place(segment.arm), value: segment.value)
      totals[place, default: [:]].merge(periods.mapValues(\.decisions), uniquingKeysWith: +)
    }
    return totals
  }
}
