package import EventLog
package import Replay
internal import Statistics
package import Tables

extension ComparisonReport {
  struct Row {
    let pair: VariantPairs.Pair
    let result: Comparison
    /// The p-value, adjusted over all rows.
    let adjusted: Double?
    let judged: JudgedComparison
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
    dimension: Dimension? = nil, evidence: VerdictEvidence = VerdictEvidence()
  ) throws(TableError) -> Table {
    let shown = plan.isPostStratified ? nil : dimension
    let test = PairTest(plan: plan)
    let compared = VariantPairs(tallies, metrics, names, plan)
    let results = compared.pairs.map { result($0, test, evidence) }
    let adjusted = adjust(results.map { $0.difference?.pValue }, plan.correction)
    let rows = compared.pairs.indices.map { index in
      let (pair, result) = (compared.pairs[index], results[index])
      let judged = result.verdict(
        plan, adjusted: adjusted[index], evidence.findings(of: pair))
      return Row(pair: pair, result: result, adjusted: adjusted[index], judged: judged)
    }
    var table = try Table(
      name: "compare", title: "Variants against the baseline",
      columns: columns + .breakdown(shown, \.pair.names.value), rows: rows)
    note(plan, adjusted.filter { $0 != nil }.count, compared.expectations, dimension, &table)
    table.note(
      "health",
      evidence.checks == nil
        ? "sample ratio and units in several variants; the other checks of report health are not available here"
        : "sample ratio, units in several variants, differences before exposure, late, orphan, duplicate and lost "
          + "events"
    )
    table.note(tallies.ledger.noted)
    table = table.sorted()
    table.answer = ComparisonAnswer(table, level: plan.level).sentences
    let correction = plan.correction.map { ", p-values adjusted by \($0.rawValue)" } ?? ", no correction"
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

  private static func result(
    _ pair: VariantPairs.Pair, _ test: PairTest, _ evidence: VerdictEvidence
  ) -> Comparison {
    var result = result(pair, test)
    let metrics = (evidence.varyingMetrics[pair.place] ?? []).prefix(2)
    guard !metrics.isEmpty else { return result }
    let words = metrics.map { "--metric \($0)" }.joined(separator: " or ")
    for index in result.findings.indices where result.findings[index].name == "no_variance" {
      result.findings[index].text += "; ask for \(words), which vary"
    }
    return result
  }

  private static func result(_ pair: VariantPairs.Pair, _ test: PairTest) -> Comparison {
    guard let control = pair.control else {
      return Comparison(
        isAlone: true, status: pair.reason, method: test.plan.methodText(pair.treatment.metric))
    }
    guard !pair.strata.isEmpty else { return test.compare(pair.treatment, control) }
    return test.compare(pair.strata, pair.treatment.metric)
  }
}
