package import EventLog
package import Replay
internal import Statistics
package import Tables

extension ComparisonReport {
  static let columns: [TableColumn] = [
    TableColumn.key("experiment", .text, "what is decided").main,
    .key("point", .text, "where in the app"),
    .key("slot", .text, "which of several decisions at the point"),
    TableColumn.key("metric", .text, "what is measured of each unit").main,
    .key("variant", .text, "what was chosen").compared.main,
    TableColumn.measure(
      "verdict", .text, "higher, lower, undecided, margin kept, do not read or not compared"
    ).main,
    .measure("lift", .decimal, "variant over baseline less 1").share.main,
    .measure("lift_ci_low", .decimal, "lower end of the lift's interval").share.main,
    .measure("lift_ci_high", .decimal, "upper end of the lift's interval").share.main,
    .measure("p_value", .decimal, "against no difference, or against the margin").pValue.main,
    .measure("units", .integer, "units that belong to the variant"),
    .measure("mean", .decimal, "their mean, or ratio of sums").estimate,
    .measure("difference", .decimal, "variant less baseline, adjusted if the method says so")
      .estimate,
    .measure(
      "ci_low", .decimal,
      "lower end of the difference's interval; one-sided where one side is tested"
    ).estimate,
    .measure("ci_high", .decimal, "upper end of the difference's interval").estimate,
    .key("baseline", .text, "the variant that it is compared with"),
    .measure("reason", .text, "why this verdict: the rule and the numbers that decided")
      .sentence.main,
    .measure("warnings", .text, "what else to know before reading it; empty if nothing").sentence,
    .measure("variance", .decimal, "variance of one unit"),
    .measure("standard_deviation", .decimal, "its square root"),
    .measure("baseline_units", .integer, "units that belong to the baseline"),
    .measure("baseline_mean", .decimal, "their mean, or ratio of sums"),
    .measure("baseline_variance", .decimal, "variance of one unit of the baseline"),
    .measure("standard_error", .decimal, "standard error of the difference").estimate,
    .measure("statistic", .decimal, "the statistic of the method"),
    .measure("degrees_of_freedom", .decimal, "its degrees of freedom; empty when normal"),
    .measure("p_value_adjusted", .decimal, "the same, adjusted over all rows of the report").pValue,
    .measure("chance_to_win", .decimal, "posterior probability that the variant is higher").share,
    .measure("expected_loss", .decimal, "what choosing the variant loses on average").estimate,
    .measure("srm_p_value", .decimal, "whether counts of units fit their shares (chi-squared)")
      .pValue,
    .measure("status", .text, "why a value is not there"),
    .measure("method", .text, "what made difference, interval and p-value"),
    .measure("lift_method", .text, "what made the interval of the lift"),
  ]

  /// A row before p-values are adjusted.
  struct Draft {
    var comparison: ComparisonPairs.Pair
    var result: Comparison
    /// What is known of the data.
    var findings: [ComparisonFinding]
  }

  /// Returns the report of tallies.
  ///
  /// - Parameters:
  ///   - tallies: Metrics by segment.
  ///   - metrics: The metrics, in the order of the tallies.
  ///   - names: The names of the log that the tallies come from.
  ///   - plan: The parameters of the comparison.
  ///   - dimension: The dimension by which the tallies are broken down.
  ///   - evidence: What is known of the data besides the tallies.
  /// - Returns: One row for each variant but the baseline and each metric, sorted by the bytes of their names; for a
  ///   variant that is alone, one row as its own baseline.
  /// - Throws: `TableError` only if the column declarations are invalid.
  package static func table(
    _ tallies: MetricTallies, metrics: [Metric], names: LogNames, plan: ComparisonPlan,
    dimension: Dimension? = nil, evidence: ComparisonEvidence = ComparisonEvidence()
  ) throws(TableError) -> Table {
    let shown = plan.isPostStratified ? nil : dimension
    var table = try Table(
      name: "compare", title: "Variants against the baseline",
      columns: columns + TableColumn.breakdown(shown))
    let comparer = Comparer(plan: plan)
    let compared = ComparisonPairs(tallies, metrics, names, plan)
    let drafts = compared.pairs.map { draft($0, comparer, evidence) }
    let adjusted = adjust(drafts.map { $0.result.difference?.pValue }, plan.correction)
    for (draft, adjusted) in zip(drafts, adjusted) {
      try table.append(
        row: row(draft, plan, adjusted) + TableCell.breakdown(shown, draft.comparison.value))
    }
    note(plan, adjusted.filter { $0 != nil }.count, compared.expectations, dimension, &table)
    table.note(
      "health",
      .text(
        evidence.checks == nil
          ? "sample ratio and units in several variants; the other checks of report health are not available here"
          : "sample ratio, units in several variants, differences before exposure, late, orphan, duplicate and lost events"
      ))
    for (rule, count) in ledgerNotes(tallies.ledger) { table.note(rule, .integer(count)) }
    table = table.sorted()
    table.answer = ComparisonAnswer(table, level: plan.level).sentences
    let correction = plan.correction.map { ", correction \($0.rawValue)" } ?? ", no correction"
    table.method = TableMethod(
      "difference to the baseline, \(Percent.text(plan.level)) intervals\(correction)",
      report: ComparisonReport.name)
    return table
  }

  /// Returns p-values adjusted as one family; missing ones stay missing and do not count.
  static func adjust(_ pValues: [Double?], _ correction: Multiplicity?) -> [Double?] {
    guard let correction else { return pValues }
    var adjusted = correction.adjusted(pValues.compactMap { $0 }).makeIterator()
    return pValues.map { $0 == nil ? nil : adjusted.next() }
  }

  private static func draft(
    _ pair: ComparisonPairs.Pair, _ comparer: Comparer, _ evidence: ComparisonEvidence
  ) -> Draft {
    var result = result(pair, comparer)
    let metrics = (evidence.varyingMetrics[pair.place] ?? []).prefix(2)
    if !metrics.isEmpty {
      let words = metrics.map { "--metric \($0)" }.joined(separator: " or ")
      for index in result.findings.indices where result.findings[index].name == "no_variance" {
        result.findings[index].text += "; ask for \(words), which vary"
      }
    }
    return Draft(
      comparison: pair, result: result, findings: evidence.findings(of: pair))
  }

  private static func result(_ pair: ComparisonPairs.Pair, _ comparer: Comparer) -> Comparison {
    guard let control = pair.control else {
      return Comparison(
        isAlone: true, status: pair.reason, method: comparer.plan.methodText(pair.treatment.metric))
    }
    guard !pair.strata.isEmpty else { return comparer.compare(pair.treatment, control) }
    return comparer.compare(pair.strata, pair.treatment.metric)
  }

  private static func row(_ draft: Draft, _ plan: ComparisonPlan, _ adjusted: Double?)
    -> [TableCell]
  {
    let (pair, result) = (draft.comparison, draft.result)
    let difference = result.difference
    let judged = result.verdict(plan, adjusted: adjusted, draft.findings)
    return [
      .text(pair.experiment), .text(pair.point), .text(pair.slot),
      .text(pair.treatment.metric.description), .text(pair.variant),
      .text(judged.verdict.rawValue), TableCell(result.lift?.estimate),
      TableCell(result.lift?.interval?.low), TableCell(result.lift?.interval?.high),
      TableCell(difference?.pValue), .integer(pair.treatment.units),
      TableCell(pair.treatment.point), TableCell(difference?.estimate),
      TableCell(difference?.interval?.low), TableCell(difference?.interval?.high),
      TableCell(pair.baseline), .text(judged.reason),
      TableCell(judged.warnings.isEmpty ? nil : judged.warnings),
    ] + details(draft, adjusted)
  }

  private static func details(_ draft: Draft, _ adjusted: Double?) -> [TableCell] {
    let (pair, result) = (draft.comparison, draft.result)
    let difference = result.difference
    let (treatment, control) = (pair.treatment.mean, pair.control?.mean)
    return [
      TableCell(treatment?.variance), TableCell(treatment?.variance.squareRoot()),
      TableCell(pair.control?.units), TableCell(pair.control?.point),
      TableCell(control?.variance), TableCell(difference?.standardError),
      TableCell(difference?.statistic),
      TableCell(difference?.statistic == nil ? nil : difference?.degreesOfFreedom),
      TableCell(adjusted), TableCell(result.chanceToWin), TableCell(result.expectedLoss),
      TableCell(pair.sampleRatio), TableCell(result.status), .text(result.method),
      TableCell(result.lift?.interval == nil ? nil : result.liftMethod),
    ]
  }
}
