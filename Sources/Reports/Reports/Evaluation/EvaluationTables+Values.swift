internal import Replay
internal import Specifications
internal import Statistics
internal import Tables

extension EvaluationTables {
  private static let valueColumns: [TableColumn] =
    keyColumns + [
      estimatorColumn,
      .measure("decisions", .integer, "confirmed decisions with a propensity"),
      .measure("value", .decimal, "the estimated mean reward of a decision of the policy").estimate
        .main,
      .measure("se", .decimal, "the standard error of the value, by unit").estimate
        .main,
      .measure("ci_low", .decimal, "lower end of the interval of the value").estimate
        .main,
      .measure("ci_high", .decimal, "upper end of the interval of the value").estimate
        .main,
      .measure(
        "effective_sample_size", .decimal, "(sum of weights)^2 / sum of squared weights"
      ).count.main,
      .measure("mean_weight", .decimal, "near 1 if propensities are right and the log has support")
        .estimate,
      .measure("max_weight", .decimal, "the greatest weight").estimate,
      .measure("matched", .integer, "decisions that the policy could have made too"),
      .measure("units", .integer, "distinct units among the decisions"),
      .key("interval", .text, "the method of the interval"),
      .measure("choice", .text, "the estimator chosen, where it is one of several"),
      .measure("verdict", .text, "answers, weak or cannot-answer"), EstimateStatus.column,
    ]

  /// Returns the value of each policy by each estimator, with a row for each interval.
  func values() throws(TableError) -> Table {
    var table = try Table(
      name: "evaluation", title: "Other policies, estimated from the log",
      columns: Self.valueColumns + slotColumns)
    for place in places {
      let tally = tally(place)
      for (index, estimate) in tally.estimates.enumerated() {
        try append(
          cells(place) + [.text(estimator(index))], estimate, matched: estimate.sums.matched,
          Self.cells(tally.weights(of: index)), verdict(place), to: &table)
      }
      try appendSlots(place, to: &table)
    }
    for (evaluation, tally) in learners {
      let keys = [name(evaluation), tally.policy.specification.description, "replay"]
      try append(
        keys.map { .text($0) }, tally.estimate, matched: tally.accepted, [.empty, .empty, .empty],
        EvaluationVerdict(tally, evaluation), to: &table)
    }
    return table
  }

  /// The learning policies of each experiment, by its name.
  var learners: [(evaluation: Evaluation, tally: LearningPolicyTally)] {
    evaluations.sorted { name($0).utf8.lexicographicallyPrecedes(name($1).utf8) }
      .flatMap { evaluation in evaluation.learningPolicies.map { (evaluation, $0) } }
  }

  /// Appends a row for each interval of an estimate; one without an interval if there are none.
  ///
  /// - Parameters:
  ///   - keys: The cells of the experiment, the policy and the estimator.
  ///   - estimate: The estimate.
  ///   - matched: The decisions that the policy could have made too.
  ///   - weights: The cells of the weights.
  ///   - verdict: The verdict on the policy.
  ///   - slot: The point and the slot; nil for all of them.
  ///   - table: The table to append to.
  /// - Throws: `TableError` only if the column declarations are invalid.
  func append(
    _ keys: [TableCell], _ estimate: OffPolicyEstimate, matched: Int, _ weights: [TableCell],
    _ verdict: EvaluationVerdict, slot: (point: String, slot: String)? = nil,
    to table: inout Table
  ) throws(TableError) {
    let intervals = estimate.intervals(level: report.level)
    let methods = report.plan.intervals.map(\.specification.description)
    for index in 0..<max(1, methods.count) {
      let isKnown = index < methods.count
      let interval = isKnown && verdict.bias == nil ? intervals[index] : nil
      try table.append(
        row: keys + Self.cells(estimate.sums, interval) + weights + [
          .integer(matched), .integer(estimate.sums.units),
          isKnown ? .text(methods[index]) : .empty, TableCell(estimate.sums.choice?.description),
          slot == nil ? .text(verdict.answer.rawValue) : .empty,
          TableCell(
            EstimateStatus.text(estimate, bias: verdict.bias, interval: index, interval)),
        ] + cells(slot))
    }
  }

  /// Returns the number of decisions, the value, its standard error, and the ends of its interval.
  static func cells(_ sums: OffPolicySums, _ interval: Interval?) -> [TableCell] {
    [
      .integer(sums.count), TableCell(sums.value), TableCell(sums.standardError),
      TableCell(interval?.low), TableCell(interval?.high),
    ]
  }

  static func cells(_ weights: WeightDiagnostics) -> [TableCell] {
    [
      TableCell(weights.effectiveSampleSize), TableCell(weights.mean),
      TableCell(weights.greatest),
    ]
  }
}
