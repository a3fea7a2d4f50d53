public import EventLog
internal import Replay
package import Tables

/// The report `decisions`: whether to ship each variant of the planned experiments, to roll it back or to keep running.
public struct DecisionReport: Report {
  public static let name = "decisions"
  public static let abstract =
    "Ship, roll back or keep running each variant, by the rules of an analysis file."

  public static let usage = [
    "report decisions <log or database>\n  --analysis <file> [<options>]"
  ]

  public static let discussion = """
    A variant is shipped if the goal metric is significantly higher and no guardrail is worse, rolled back if either is \
    lower, and kept running until the units that the minimum effect needs are there. Damaged data are not read. Look as \
    often as you like: it decides by a confidence sequence, or once, if the file has the planned units. \
    `bandolier explain decisions` has the rules.

    The file has a mapping of experiments; every key may be left out: baseline, since, until, metric (reward), secondary, \
    guardrails ({metric: visits, margin: 0.02}), dimensions, shares ({control: 0.5, blue: 0.5}), minimum_effect (0.02) \
    and units (20000, all variants together).
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

  }

  public var refusedSelections: [(option: String, reason: String)] {
    [("by", "is not available for this report")]
  }

  public static func made(of plan: AnalysisPlan?) throws(ReportError) -> DecisionReport? {
    if let plan { return DecisionReport(plan) }
    throw ReportError(
      .badParameter,
      "analysis is missing; give an analysis file, which says which metric decides each experiment")
  }

  public var vocabularies: Set<Vocabulary> { [.experiments, .points, .slots, .variants, .goals] }

  /// Computes the report.
  ///
  /// - Throws: ``ReportError`` if the log does not have a name of the plan.
  public func result(of source: ReportSource) throws -> ReportResult {
    try plan.check(source)
    var table = try Table(name: "decisions", title: "What to do", columns: Self.columns)
    for entry in plan.entries {
      guard let code = source.names.code(of: entry.experiment, in: .experiments),
        source.experiments?.contains(code) ?? true
      else { continue }
      let part = ReportPart(experiments: [code], since: entry.since, until: entry.until)
      for decision in try decisions(entry, source.selecting(part)) {
        try table.append(row: Self.row(decision))
      }
    }
    var rules: [String] = []
    for entry in plan.entries where !rules.contains(entry.stopping.text) {
      rules.append(entry.stopping.text)
    }
    let method =
      "decides \(rules.isEmpty ? StoppingRule.everyLook.text : rules.joined(separator: ", or ")); level 0.05 for each metric; units needed for 80 % power"
    table.note("method", .text(method))
    table.note(
      "looks",
      .text(
        "goal metric and guardrails hold at every look, or at the planned units; the sample ratio check is one at 0.001 each look"
      ))
    table.method = TableMethod(method, report: Self.name)
    table = table.sorted()
    summarize(&table)
    return ReportResult(table)
  }

  private func decisions(_ entry: AnalysisPlan.Entry, _ source: ReportSource) throws
    -> [PlannedDecision]
  {
    do {
      return try PlannedDecision.decisions(entry, source)
    } catch let error as ReportError {
      throw plan.located(error, entry)
    }
  }

  static let columns: [TableColumn] = [
    TableColumn.key("experiment", .text, "what is decided").main,
    .key("point", .text, "where in the app"),
    .key("slot", .text, "which of several decisions at the point"),
    TableColumn.key("variant", .text, "what was chosen").main,
    TableColumn.measure(
      "recommendation", .text, "ship, roll back, keep running, stop or do not read"
    ).main,
    TableColumn.measure("until", .timestamp, "when the units needed are there at the present rate")
      .day.main,
    .measure("reason", .text, "the rule and the numbers that decided").sentence.main,
    TableColumn.measure("metric", .text, "the goal metric").main,
    .measure("lift", .decimal, "variant over baseline less 1").share.main,
    .measure("lift_ci_low", .decimal, "lower end of the lift's interval").share,
    .measure("lift_ci_high", .decimal, "upper end of the lift's interval").share,
    .measure("p_value", .decimal, "against no difference; empty before the planned units").pValue
      .main,
    .measure("verdict", .text, "that of report compare"),
    .measure("warnings", .text, "what else to know before reading it; empty if nothing").sentence,
    .measure("baseline", .text, "the variant that it is compared with"),
    .measure("units", .integer, "units that belong to the variant"),
    .measure("units_needed", .decimal, "units that all variants need together").count.main,
  ]

  private static func row(_ decision: PlannedDecision) -> [TableCell] {
    let (row, advice) = (decision.row, decision.recommendation)
    let tested = { (column: String) -> TableCell in
      decision.isEarly ? .empty : TableCell(row.number(column))
    }
    return [
      TableCell(row.text("experiment")), TableCell(row.text("point")), TableCell(row.text("slot")),
      TableCell(row.text("variant")), .text(advice.action.rawValue),
      advice.until.map { .timestamp("\($0)") } ?? .empty, .text(advice.reason),
      TableCell(row.text("metric")), TableCell(row.number("lift")),
      tested("lift_ci_low"), tested("lift_ci_high"), tested("p_value"),
      decision.isEarly ? .empty : TableCell(row.text("verdict")),
      TableCell(row.text("warnings")), TableCell(row.text("baseline")),
      TableCell(row.number("units").map { Int($0) }), TableCell(decision.unitsNeeded),
    ]
  }
}

extension DecisionReport: PlannedReport {
  package func summarize(_ table: inout Table) {
    table.answer = DecisionAnswer(table, reason: "reason").sentences
  }
}
