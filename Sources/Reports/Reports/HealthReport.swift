public import EventLog
package import Replay
internal import Specifications
public import Tables

/// The report `health`: data-quality checks of a log.
public struct HealthReport: Report {
  public static let name = "health"
  public static let abstract =
    "Data-quality checks, such as sample ratio mismatch, each with a verdict."

  public static let discussion = """
    Checks for sample ratio mismatch, units in several variants, bias before exposure, orphaned, duplicate, late and \
    lost events, and wrong propensities. A verdict is ok, warning, failed or not-applicable; the rules are listed \
    under the table, and under `notes` in JSON.

    Exit codes: 3 if a check failed that --fail-on names, after the report was written; otherwise 0, whatever the \
    verdicts.
    """

  public static let examples = [
    "bandolier report health datasets/storefront.log",
    #"""
    bandolier report health datasets/storefront.log \
      --experiment pricing --fail-on srm
    """#,
  ]

  /// The parameters of the checks.
  public var options = HealthOptions()
  /// The checks whose failure is reported as an alarm.
  public var alarms: [HealthCheck.Alarm] = []

  /// Creates the report with its standard parameters.
  public init() {}

  @OptionsBuilder<Self>
  public static var options: [ReportOption<Self>] {
    Option(
      OptionInfo(
        "expect", .repeated, "shares",
        "Intended shares of the variants: a=1,b=1, or experiment/a=1; can be given more than once.")
    ) { report, texts, _ in
      guard let shares = ExpectedShares(texts) else {
        throw OptionError(
          "\(texts.joined(separator: ",")) does not give shares; write VARIANT=WEIGHT,VARIANT=WEIGHT with weights of "
            + "0 or more, not all 0, or percentages that add up to 100 %")
      }
      report.options.expected = shares
    }.grouped(.statistics)
    Option.number(
      "srm-alpha", \.options.sampleRatioAlpha, "level",
      "The p-value below which a sample ratio is a mismatch (default: 0.001)."
    ).grouped(.statistics)
    Option.duration(
      "before", \.options.before, "duration",
      "Period before the first exposure in which units are compared, such as 7d; 7 is 7 days (default: 14d)."
    ).grouped(.statistics)
    Option.integer(
      "bot-events", \.options.busyEvents, "count",
      "Units with more events than this in a day are counted as possible bots (default: 1000)."
    ).grouped(.statistics)
    Option.list(
      "fail-on", \.alarms, "checks",
      "Exit with code 3 if one of these checks failed: srm, crossed, bias, propensity, duplicates, orphans, lost, "
        + "failed (any of them) or any (warnings too); separated by commas, or given more than once.",
      { try OptionValue.choice($0) }
    ).with {
      $0.offers = { HealthCheck.Alarm.allCases.map(\.rawValue) }
      $0.isOfCommand = true
    }.grouped(.statistics)
  }

  public mutating func adopt(_ entry: AnalysisPlan.Entry) {
    options.expected = ExpectedShares(entry.shares)
  }

  public mutating func validate() throws(ReportError) {
    try ReportError.require(
      options.sampleRatioAlpha > 0 && options.sampleRatioAlpha < 1, "srm-alpha",
      "must be between 0 and 1, such as 0.001")
    try ReportError.require(options.before >= 0, "before", "must not be negative")
    try ReportError.require(options.busyEvents > 0, "bot-events", "must be at least 1")
  }

  public var partials: PartialSupport { .byUnits }

  public static let isOverview = true

  /// Computes the report.
  ///
  /// - Throws: ``ReportError`` if the log does not have an experiment or variant that an expected share is given for.
  public func result(of source: ReportSource) throws -> ReportResult {
    var options = options
    options.calendar = source.calendar
    for share in options.expected.names { try Self.require(share, source.lookup) }
    var projector = HealthProjector(before: options.before, busyEvents: options.busyEvents)
    projector.readsProbabilities = source.hasProbabilities
    projector.calendar = options.calendar
    var evidence = try source.healthEvidence(projector)
    evidence.leavesOutExperiments = source.leavesOutExperiments
    let checks = Self.checks(evidence, names: source.names, options: options)
    if evidence.ids == nil, source.log == nil { source.say(Self.uncountedIDs) }
    var result = ReportResult(
      try table(checks, dimension: source.dimension, options))
    try requireTests(checks)
    result.alarm = alarm(checks)
    return result
  }

  private static let uncountedIDs =
    "note: shared_ids is not counted here: ids of events are compared in the log, and neither databases nor partials "
    + "keep them; make the report of the log to see whether different events share an id"

  /// Throws if an alarm may be missing only because a database lacks what a check needs.
  private func requireTests(_ checks: [HealthCheck]) throws(ReportError) {
    let check = checks.first {
      $0.name == .sampleRatio && $0.verdict == .notApplicable
        && $0.detail == UnitAllocation.unstored
    }
    guard let check, alarms.contains(where: { [.srm, .failed, .any].contains($0) }) else { return }
    let experiment = check.experiment.map { " of \"\($0)\"" } ?? ""
    throw ReportError(
      .needsLog, "--fail-on cannot check the sample ratio\(experiment): \(check.detail)")
  }

  /// Throws an error for an expected share of an unknown experiment or variant.
  private static func require(_ share: String, _ lookup: NameLookup) throws(ReportError) {
    guard lookup.names.code(of: share, in: .variants) == nil else { return }
    // The name of an experiment may contain slashes.
    let marks = share.indices.filter { share[$0] == "/" }
    let experiment = marks.last {
      lookup.names.code(of: String(share[..<$0]), in: .experiments) != nil
    }
    if let mark = experiment ?? marks.first {
      try lookup.code(of: String(share[..<mark]), in: .experiments)
      try lookup.code(of: String(share[share.index(after: mark)...]), in: .variants)
    } else {
      try lookup.code(of: share, in: .variants)
    }
  }

  /// Returns what is wrong if a check that sets off an alarm failed.
  private func alarm(_ checks: [HealthCheck]) -> String? {
    let ringing = checks.filter { check in alarms.contains { $0.rings(for: check) } }
    guard let first = ringing.first else { return nil }
    var named: [String] = []
    for check in ringing {
      let name = check.name.rawValue + (check.experiment.map { " (\($0))" } ?? "")
      if !named.hasName(name) { named.append(name) }
    }
    let list = named.prefix(5).joined(separator: ", ") + (named.count > 5 ? ", ..." : "")
    return "\(list); \(first.name.rawValue): \(first.detail)"
  }

  private typealias Columns = ReportColumns<HealthCheck>

  @ColumnsBuilder<HealthCheck>
  static var columns: ReportColumns<HealthCheck> {
    Columns.key("check", "what is checked", \.name.rawValue).main
    Columns.key("experiment", "what is decided; empty for checks of the whole log", \.experiment)
      .main
    Columns.measure("value", "what was measured: a statistic, a share or a mean", \.value).estimate
      .main
    Columns.measure("expected", "what it is in a healthy log", \.expected).estimate.main
    Columns.measure("p_value", "how likely a value as far off is in a healthy log", \.pValue).pValue
      .main
    Columns.explained(
      """
      ok, warning, failed, or not-applicable where the check says nothing; the rules stand in the notes; --fail-on \
      ends with exit code 3 when such a check failed
      """, .measure("verdict", "ok, warning, failed or not-applicable", \.verdict.rawValue).main)
    Columns.key("point", "where in the app; empty for all", \.point)
    Columns.key("slot", "which of several decisions at the point; empty for all", \.slot)
    Columns.key("variant", "what was chosen; empty for all", \.variant).main
    Columns.measure("count", "units, events or decisions that the check found", \.count).main
    Columns.measure("total", "of how many", \.total)
    Columns.measure(
      "threshold", "where the verdict turns: a p-value below or a share above it", \.threshold)
    Columns.measure("detail", "the rest in words", \.detail).sentence.main
  }

  /// Returns the checks of a log.
  ///
  /// - Parameters:
  ///   - evidence: The counts behind the checks.
  ///   - names: The names of the log's experiments, points, slots and variants.
  ///   - options: The parameters of the checks.
  /// - Returns: The checks, in the order of the rows of the report.
  public static func checks(
    _ evidence: HealthEvidence, names: LogNames, options: HealthOptions = HealthOptions()
  ) -> [HealthCheck] {
    let checks = HealthChecks(evidence, names, options).checks
    // Each name is compared once with others, however many checks of it there are.
    let names = Set(checks.lazy.flatMap(keys)).sorted()
    let ranks = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
    let order = checks.map { keys($0).map { ranks[$0] ?? 0 } }
    return checks.indices.sorted { order[$0].lexicographicallyPrecedes(order[$1]) }.map {
      checks[$0]
    }
  }

  private static func keys(_ check: HealthCheck) -> [NameKey] {
    [
      check.name.rawValue, check.experiment ?? "", check.point ?? "", check.slot ?? "",
      check.variant ?? "", check.dimensionValue ?? "",
    ].map(NameKey.init)
  }

  /// Returns one row for each check, sorted by the bytes of their names.
  ///
  /// - Parameters:
  ///   - checks: The checks.
  ///   - dimension: The dimension by which exposures are broken down.
  ///   - options: The parameters of the checks; nil for those of the report.
  /// - Returns: The table.
  /// - Throws: `TableError` only if the column declarations are invalid.
  package func table(
    _ checks: [HealthCheck], dimension: Dimension? = nil, _ options: HealthOptions? = nil
  ) throws(TableError) -> Table {
    let columns =
      Self.columns
      + .breakdown(dimension) { check in
        check.point == nil ? nil : check.dimensionValue.map(DimensionValue.text) ?? .unknown
      }
    var table = try Table(name: "health", title: "Health", columns: columns, rows: checks)
    summarize(&table)
    for (name, rule) in Self.rules(options ?? self.options) { table.note(name, rule) }
    return table.sorted()
  }

  /// Notes the number of checks of each verdict, and answers.
  public func summarize(_ table: inout Table) {
    let verdicts = NamedCells.rows(of: table).map { $0.text("verdict") }
    for verdict in HealthVerdict.allCases {
      let name = verdict == .notApplicable ? "checks_not_applicable" : "checks_\(verdict.rawValue)"
      table.note(name, verdicts.count { $0 == verdict.rawValue })
    }
    table.answer = HealthAnswer(table).sentences
    table.method = TableMethod("each check against the threshold of its rule", report: Self.name)
    table.focus = TableFocus(column: "verdict", values: ["failed", "warning"])
  }

  /// Returns descriptions of the rules behind the verdicts.
  private static func rules(_ options: HealthOptions) -> [(String, String)] {
    let alpha = NumberText.readable(options.sampleRatioAlpha)
    let before = DurationText.text(options.before)
    return [
      (
        "rule_sample_ratio",
        "units by the variant of their first exposure; failed at p < \(alpha); expected: shares as given, else the "
          + "logged probabilities or propensities summed over first exposures, as adaptive policies need; equal where "
          + "none is logged"
      ),
      (
        "rule_crossed_units",
        "a warning from the first on, failed above 1 %; never failed where propensities are those of an adaptive policy"
      ),
      (
        "rule_pre_exposure",
        "what units did in the \(before) before their first exposure; warning at p < 0.01, failed at p < 0.001; not "
          + "applicable where propensities are those of an adaptive policy"
      ),
      (
        "rule_duplicates",
        "same unit, time, kind, experiment, arm or goal, and number; a warning from the first on, failed above 1 %"
      ),
      ("rule_orphan_goals", "a warning above 1 %, failed above 10 %"),
      ("rule_orphan_conversions", "a warning above 50 %, failed when it is all of them"),
      ("rule_late_events", "behind a later event of their unit in the log; a warning above 1 %"),
      (
        "rule_dropped",
        "refused goals and unconfirmed decisions: a warning above 10 %; decisions of unknown status and erased events: "
          + "a warning from the first on; lost events: failed from the first on; the others are only counted"
      ),
      (
        "rule_propensities",
        "missing: a warning from the first on; out of (0, 1], sums off 1 or differences by more than 1e-6, a variant "
          + "not among its choices: failed from the first on; tests: warning at p < 0.01, failed at p < 0.001, a mean "
          + "of 1/p that is too small never fails"
      ),
      (
        "rule_busy_units",
        "a warning for any unit with more than \(options.busyEvents) events on a day (\(options.calendar)); none is "
          + "dropped"
      ),
    ]
  }
}

extension HealthReport: PlannedReport {}
