internal import EventLog
internal import Replay
internal import Specifications
public import Tables

/// The report `decisions`: whether to ship each variant of the planned experiments, to roll it back or to keep running.
public struct DecisionReport: Report {
  public static let name = "decisions"
  public static let abstract =
    "Ship, roll back or keep running each variant, by the rules of an analysis file."

  public static let usage = [
    "report decisions <log or database>\n  --analysis <file> [<options>]"
  ]

  public static let discussion = """
    A variant is shipped if the goal metric is significantly better and no guardrail is worse, rolled back if either \
    is worse, and kept running until the units that the minimum effect needs are there. Damaged data are not read. \
    Look as often as you like: it decides by a confidence sequence, or once, if the file has the planned units, or at \
    planned looks. \
    `bandolier explain decisions` has the rules.

    The file has a mapping of experiments; every key may be left out: baseline, since, until, metric (reward), \
    secondary, guardrails ({metric: visits, margin: 0.02}), dimensions, shares ({control: 0.5, blue: 0.5}), \
    minimum_effect (0.02), units (20000, all variants together), looks (5, or dates) and spending.
    """

  public static let examples = [
    #"""
    bandolier report decisions datasets/storefront.log \
      --analysis datasets/analysis.yaml
    """#,
    #"""
    bandolier report compare datasets/storefront.log \
      --analysis datasets/analysis.yaml
    """#,
  ]

  /// The plan of the experiments.
  public var plan = AnalysisPlan([])

  /// Creates the report of no experiment.
  public init() {}

  /// Creates the report of the experiments of a plan.
  public init(_ plan: AnalysisPlan) { self.plan = plan }

  @OptionsBuilder<Self>
  public static var options: [ReportOption<Self>] {
    Option.metricFile.grouped(.metrics)
  }

  public var refusedSelections: [(option: SelectionOption, reason: String)] {
    [(.by, "is not available for this report")]
  }

  public static func made(of plan: AnalysisPlan?) throws(ReportError) -> DecisionReport? {
    if let plan { return DecisionReport(plan) }
    throw ReportError(
      .badParameter,
      "analysis is missing; give an analysis file, which says which metric decides each experiment")
  }

  /// Computes the report.
  ///
  /// - Throws: ``ReportError`` if the log does not have a name of the plan.
  public func result(of source: ReportSource) throws -> ReportResult {
    try plan.check(source)
    let comparisons = try source.together(
      source.sharedReplay,
      plan.selected(of: source).map { entry, part in
        { source in
          try plan.locating(entry) { try PlannedComparison(entry, source.selecting(part)) }
        }
      })
    var table = try Table(
      name: "decisions", title: "What to do", columns: Self.columns,
      rows: comparisons.flatMap(\.decisions))
    table.cards = comparisons.flatMap(\.cards)
    let rules = comparisons.map(\.entry.stopping).reduce(into: [StoppingRule]()) { rules, rule in
      if !rules.contains(rule) { rules.append(rule) }
    }
    let texts = rules.map { rule in
      rule.text(comparisons.filter { $0.entry.stopping == rule }.flatMap(\.methods).distinctNames)
    }
    let method =
      "decides \(rules.isEmpty ? StoppingRule.everyLook.text() : texts.joined(separator: ", or ")); level 0.05 for "
      + "each metric, divided by the number of variants but the baseline; units needed for 80 % power"
    table.note("method", method)
    table.note(
      "looks",
      "goal metric and guardrails hold at every look, or at the planned units; the sample ratio check is one at 0.001 "
        + "each look"
    )
    table.method = TableMethod(method, report: Self.name)
    table = table.sorted()
    summarize(&table)
    return ReportResult(table)
  }

  private typealias Columns = ReportColumns<PlannedDecision>

  @ColumnsBuilder<PlannedDecision>
  static var columns: ReportColumns<PlannedDecision> {
    Columns.key("experiment", "what is decided") { $0.row.text("experiment") }.main
    Columns.key("point", "where in the app") { $0.row.text("point") }
    Columns.key("slot", "which of several decisions at the point") { $0.row.text("slot") }
    Columns.key("variant", "what was chosen") { $0.row.text("variant") }.main
    Columns.measure(
      "recommendation", "ship, roll back, keep running, stop or not valid",
      \.recommendation.action.rawValue
    ).main
    Columns.explained(
      "report compare forbids reading the goal metric or a guardrail; its reason is the reason",
      source: "A. Fabijan et al., Diagnosing sample ratio mismatch, 2019",
      as: "recommendation: not valid")
    Columns.explained(
      """
      a guardrail is significantly worse and the interval of its lift is not within the margin on the worse side \
      (without a margin: significantly worse), or else the goal metric is significantly worse
      """, source: "R. Kohavi et al., Trustworthy online controlled experiments, 2020",
      as: "recommendation: roll back")
    Columns.explained(
      """
      the goal metric is significantly better, no guardrail is worse, and none without a test is not as good as the \
      baseline's; the reason names guardrails that are not shown to hold
      """, source: "M. Schultzberg et al., Risk-aware product decisions in A/B tests, 2024",
      as: "recommendation: ship")
    Columns.explained(
      """
      better, but for a guardrail without a test that is not as good as the baseline's; or neither, and fewer units \
      than minimum_effect needs at 80 % power and a level of 0.05 (report power, times the \
      number of variants, times ((c + q) / (z + q))^2, where c is the half-width of the confidence sequence in \
      standard errors and q = 0.84; or units of the analysis file); with units in the file always before they are \
      there; until: last day with a new unit + (needed - units) / units per day so far, rounded up
      """, source: "J. Cohen, Statistical power analysis, 1988",
      as: "recommendation: keep running, until")
    Columns.explained(
      "neither, with all units that minimum_effect needs: an effect of that size would have been found in 80 % of "
        + "cases; or with units of the file",
      source: "J. Cohen, Statistical power analysis, 1988", as: "recommendation: stop")
    Columns.measure(
      "until", "when the units needed are there at the present rate", \.until
    ).day.main
    Columns.measure("reason", "the rule and the numbers that decided", \.recommendation.reason)
      .sentence.main
    Columns.explained(
      """
      of the goal metric, as in report compare by asymptotic-cs (tightest at 5000 units), which holds at every look: \
      with units in the analysis file by welch, once they are there, with the events up to the end of that day, and \
      empty before. Guardrails are tested in the \
      same way, each at a level of 0.05, divided by the number of variants but the baseline; the sample ratio at 0.001 \
      each look
      """,
      source:
        "I. Waudby-Smith et al., Time-uniform central limit theory and asymptotic confidence sequences, 2024",
      .measure("metric", "the goal metric") { $0.row.text("metric") }.main,
      .measure("lift", "variant over baseline less 1") { $0.row.number("lift") }.share.main,
      .measure("lift_ci_low", "lower end of the lift's interval") {
        $0.row.number("lift_ci_low")
      }.share,
      .measure("lift_ci_high", "upper end of the lift's interval") {
        $0.row.number("lift_ci_high")
      }.share,
      .measure("p_value", "against no difference; empty where it is too early") {
        $0.row.number("p_value")
      }.pValue.main, .measure("verdict", "that of report compare, or too early") { $0.row.text("verdict") },
      .measure("warnings", "what else to know before reading it; empty if nothing") {
        $0.row.text("warnings")
      }.sentence)
    Columns.measure("baseline", "the variant that it is compared with") { $0.row.text("baseline") }
    Columns.measure("units", "units that belong to the variant") {
      $0.row.number("units").map { Int($0) }
    }
    Columns.measure("units_needed", "units that all variants need together", \.unitsNeeded).count
      .main
  }
}

extension DecisionReport: PlannedReport {
  public func summarize(_ table: inout Table) {
    table.answer = DecisionAnswer(table, reason: "reason").sentences
  }
}
