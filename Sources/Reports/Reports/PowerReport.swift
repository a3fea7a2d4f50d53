package import EventLog
public import Events
package import Replay
internal import Statistics
public import Tables

/// The report `power`: the sample size and duration an experiment needs, and the minimum detectable effect so far.
public struct PowerReport: Report {
  public static let name = "power"
  public static let abstract =
    "Sample size an experiment needs, and the smallest effect detectable so far."

  public static let usage = [
    "report power <log or database> [<options>]", "report power --rate <rate> [<options>]",
    "report power --mean <m> --sd <s> [<options>]",
  ]

  public static let discussion = """
    With a log, mean and variance are those of each experiment's baseline; a ratio has the variance of the delta \
    method. Without one they are given. `bandolier explain power` has the formulas.
    """

  public static let examples = [
    #"""
    bandolier report power datasets/storefront.log \
      --metric converted --lift 0.1
    """#,
    "bandolier report power --rate 0.05 --lift 0.1",
  ]

  /// The metrics of units.
  public var measures = MetricPlan()
  /// The parameters of the power calculation.
  public var plan = PowerPlan()

  /// The numbers of a calculation without a log.
  struct Numbers: Sendable {
    var rate: Double?
    var mean: Double?
    var deviation: Double?
    var units: Int?

    var baseline: Baseline {
      if let rate { return Baseline(rate: rate, units: units) }
      return Baseline(mean: mean ?? 0, standardDeviation: deviation ?? 0, units: units)
    }

    var isGiven: Bool { rate != nil || mean != nil || deviation != nil || units != nil }
  }

  var given = Numbers()

  /// Creates the report with its standard parameters.
  public init() {}

  @OptionsBuilder<Self>
  public static var options: [ReportOption<Self>] {
    Option.metrics(\.measures)
    Option.crossing(\.measures.attribution.crossing)
    Option.attribution(\.measures.attribution)
    Option.value(
      "lift", \.plan.lift, "lift", "The relative lift to detect (default: 5%).", kind: .number, OptionValue.part
    ).grouped(.statistics)
    Option.number(
      "power", \.plan.power, "power",
      "Power: the probability of detecting the lift (default: 0.8)."
    ).grouped(.statistics)
    Option.number(
      "alpha", \.plan.alpha, "level",
      "Significance level of the two-sided test (default: 0.05)."
    ).grouped(.statistics)
    Option.choice(
      "method", \.plan.method, "method",
      "t, z or exact-z; for 0/1 metrics unpooled, pooled or arcsine (default: unpooled for these, otherwise t)."
    ).grouped(.statistics)
    Option.baseline(
      \.plan.baseline,
      "The variant whose mean and variance are used (default: the one \(BaselineRule.text))."
    )
    Option.number("rate", \.given.rate, "rate", "Without a log: the share of units that convert.")
    Option.number("mean", \.given.mean, "mean", "Without a log: the mean of a unit.")
    Option.number("sd", \.given.deviation, "sd", "Without a log: the standard deviation.")
    Option.integer("units", \.given.units, "count", "Without a log: the present units per variant.")
  }

  public mutating func adopt(_ entry: AnalysisPlan.Entry) {
    measures.metrics = entry.metrics
    plan.lift = entry.minimumEffect ?? plan.lift
    plan.baseline = entry.baseline
  }

  public var refusedSelections: [(option: SelectionOption, reason: String)] {
    [(.by, "is not available for this report")]
  }

  public mutating func validate() throws(ReportError) {
    try ReportError.require(
      plan.power > 0 && plan.power < 1, "power", "must be between 0 and 1, such as 0.8")
    try ReportError.check(level: 1 - plan.alpha)
    try ReportError.require(
      plan.power > plan.alpha, "power", "must be above the significance level (--alpha)")
    try ReportError.require(plan.lift != 0 && plan.lift.isFinite, "lift", "must not be 0")
    try measures.check(findsPercentiles: true)
  }

  public func tableWithoutLog(_ options: GivenOptions) throws -> Table? {
    guard (given.rate != nil) != (given.mean != nil),
      (given.mean == nil) == (given.deviation == nil)
    else {
      throw ReportError(.badParameter, "name a log, or give --rate, or --mean and --sd")
    }
    if options.has("metric") || options.has("baseline") || options.has("direction") {
      throw ReportError(.badParameter, "--metric, --baseline and --direction need a log")
    }
    return try table(of: given.baseline)
  }

  public var partials: PartialSupport { .byUnits }

  public var end: Timestamp? { measures.attribution.end }

  /// Computes the report with the means and variances of each experiment's baseline.
  ///
  /// - Throws: ``ReportError`` if the log does not have the baseline or a goal that is a parameter.
  public func result(of source: ReportSource) throws -> ReportResult {
    guard !given.isGiven else {
      throw ReportError(
        .badParameter, "--rate, --mean, --sd and --units are only available without a log")
    }
    measures.tellOwn(source)
    let (tallies, projector) = try tallied(source)
    var table = try table(tallies, metrics: projector.metrics, names: source.names)
    for note in projector.notes + projector.capNotes(source.names) { table.note(note.name, .text(note.text)) }
    return ReportResult(table)
  }

  /// Returns the tallies, which do not depend on the level and the power, with their projector.
  func tallied(_ source: ReportSource) throws -> (MetricTallies, MetricProjector) {
    var projector = try measures.projector(source.lookup)
    try source.setCaps(of: &projector)
    projector.countsDays = true
    projector.calendar = source.calendar
    let tallies = try source.run(units: projector)
    try source.lookup.require(plan.baseline, among: tallies.segments.keys.map { ($0.arm.experiment, $0.arm.variant) })
    return (tallies, projector)
  }

  /// The baseline of a calculation without a log.
  public struct Baseline: Sendable {
    /// The mean of the metric; a proportion if ``isBinary``.
    public var mean: Double
    /// The standard deviation of one unit.
    public var standardDeviation: Double
    /// Whether the metric is 0 or 1 for each unit.
    public var isBinary: Bool
    /// The present units per variant; nil to leave out the minimum detectable effect.
    public var units: Int?

    /// Creates the baseline of a metric with a mean and a standard deviation.
    public init(mean: Double, standardDeviation: Double, units: Int? = nil) {
      (self.mean, self.standardDeviation) = (mean, standardDeviation)
      (isBinary, self.units) = (false, units)
    }

    /// Creates the baseline of a binary metric.
    public init(rate: Double, units: Int? = nil) {
      (mean, standardDeviation) = (rate, max(0, rate * (1 - rate)).squareRoot())
      (isBinary, self.units) = (true, units)
    }

    /// Throws an error for a number out of range.
    func check() throws(ReportError) {
      if isBinary {
        try ReportError.require(mean > 0 && mean < 1, "rate", "must be between 0 and 1")
      } else {
        try ReportError.require(mean.isFinite && mean != 0, "mean", "must not be 0")
        try ReportError.require(
          standardDeviation > 0 && standardDeviation.isFinite, "sd", "must be above 0")
      }
      try ReportError.require(units.map { $0 >= 2 } ?? true, "units", "must be at least 2")
    }
  }

  /// Returns one row for each point and slot of each experiment and each metric, for tallies that have no dimension and
  /// count days.
  package func table(
    _ tallies: MetricTallies, metrics: [Metric], names: LogNames
  ) throws(TableError) -> Table {
    var places: [Arm: [(name: String, list: MetricTallyList)]] = [:]
    for (segment, list) in tallies.segments {
      var place = segment.arm
      place.variant = 0
      places[place, default: []].append(
        (names.string(segment.arm.variant, in: .variants) ?? "", list))
    }
    var effects: [Double: Double] = [:]
    let rows = places.flatMap { place, unsorted in
      let variants = unsorted.sorted { VariantPairs.inBytes($0.name, $1.name) }
      let arm = ArmNames(place, names)
      let days = tallies.days[place] ?? [:]
      return metrics.enumerated().map { row(arm, variants, $1, $0, days, &effects) }
    }
    var table = try Table(
      name: "power", title: "Units needed",
      columns: Self.keyColumns + Self.figureColumns + Self.paceColumns + Self.wordColumns,
      rows: rows)
    Self.note(&table)
    table.note(tallies.ledger.noted)
    return summarized(table.sorted())
  }

  /// Returns the report of a baseline that is known without a log.
  ///
  /// - Parameter baseline: The baseline.
  /// - Returns: One row.
  /// - Throws: ``ReportError`` if the baseline is out of range.
  public func table(of baseline: Baseline) throws -> Table {
    try baseline.check()
    let mean = SampleMean(
      count: 2, mean: baseline.mean,
      variance: baseline.standardDeviation * baseline.standardDeviation)
    var effects: [Double: Double] = [:]
    let answer = plan.answer(
      mean, isBinary: baseline.isBinary, present: baseline.units.map(Double.init), &effects)
    var table = try Table(
      name: "power", title: "Units needed", columns: Self.figureColumns + Self.wordColumns,
      rows: [Row(plan: plan, baselineUnits: baseline.units, mean: mean, answer: answer)])
    Self.note(&table)
    return summarized(table)
  }

  private func row(
    _ place: ArmNames, _ variants: [(name: String, list: MetricTallyList)], _ metric: Metric,
    _ number: Int, _ days: [Int64: Int], _ effects: inout [Double: Double]
  ) -> Row {
    let baseline = BaselineRule(plan.baseline).index(variants.map(\.name))
    let units = variants.reduce(0) { $0 + $1.list.units }
    let group = baseline.map { index in
      MetricSample(
        metric: metric, units: variants[index].list.units,
        tally: variants[index].list.metrics[number])
    }
    let mean = group.flatMap { $0.units > 1 ? $0.mean : nil }
    var answer = plan.answer(
      mean, isBinary: metric.isBinary, present: Double(units) / Double(max(1, variants.count)),
      &effects)
    if group == nil { answer.status = "the baseline has no units" }
    if metric.denominator != nil { answer.method += ", delta method" }
    return Row(
      place: place, metric: metric.description,
      baseline: baseline.map { variants[$0].name } ?? plan.baseline, variants: variants.count,
      units: units, days: days, plan: plan, baselineUnits: group?.units, mean: mean,
      answer: answer)
  }

  private static func note(_ table: inout Table) {
    table.note("design", "two groups of equal size, two-sided; one comparison, without correction")
    table.note("smallest_effect", "with the units there are, divided equally among the variants")
  }
}
