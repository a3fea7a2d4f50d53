internal import Replay
internal import Specifications
internal import Statistics
internal import Tables

extension EvaluationTables {
  struct ValueRow {
    let names: PolicyNames
    let sums: OffPolicySums
    let interval: Interval?
    let weights: WeightDiagnostics?
    /// The decisions that the policy could have made too.
    let matched: Int
    let method: String?
    let verdict: EvaluationVerdict
    let status: String?
    /// The point and the slot; nil for all of them.
    let slot: (point: String, slot: String)?
  }

  /// Returns the value of each policy by each estimator, with a row for each interval.
  func values() throws(TableError) -> Table {
    var rows = places.flatMap { place in
      let tally = tally(place)
      return tally.estimates.enumerated().flatMap { index, estimate in
        self.rows(
          names(place, index), estimate, matched: estimate.sums.matched, tally.weights(of: index),
          verdict(place))
      } + slotRows(place)
    }
    for (evaluation, tally) in learners {
      let names = PolicyNames(
        experiment: name(evaluation), policy: tally.policy.specification.description,
        estimator: "replay")
      rows += self.rows(
        names, tally.estimate, matched: tally.accepted, nil, EvaluationVerdict(tally, evaluation))
    }
    return try Table(
      name: "evaluation", title: "Other policies, estimated from the log", of: rows
    ) { columns in
      columns.policy(\.names)
      columns.estimator(\.names)
      columns.measure("decisions", "confirmed decisions with a propensity", \.sums.count)
      columns.measure(
        "value", "the estimated mean reward of a decision of the policy", \.sums.value
      ).estimate.main
      columns.measure("se", "the standard error of the value, by unit", \.sums.standardError)
        .estimate.main
      columns.interval("ci", "the interval of the value", \.interval).estimate.main
      columns.measure(
        "effective_sample_size", "(sum of weights)^2 / sum of squared weights",
        \.weights?.effectiveSampleSize
      ).count.main
      columns.measure(
        "mean_weight", "near 1 if propensities are right and the log has support", \.weights?.mean
      ).estimate
      columns.measure("max_weight", "the greatest weight", \.weights?.greatest).estimate
      columns.measure("matched", "decisions that the policy could have made too", \.matched)
      columns.measure("units", "distinct units among the decisions", \.sums.units)
      columns.key("interval", "the method of the interval", \.method)
      columns.measure(
        "choice", "the estimator chosen, where it is one of several", \.sums.choice?.description)
      columns.measure("verdict", "answers, weak or cannot-answer") {
        $0.slot == nil ? $0.verdict.answer.rawValue : nil
      }
      columns.estimateStatus(\.status)
      if report.plan.dividesSlots {
        columns.key("point", "where in the app; empty for all slots together") {
          $0.slot?.point ?? ""
        }
        columns.key("slot", "which of several decisions at the point; empty for all of them") {
          $0.slot?.slot ?? ""
        }
      }
    }
  }

  /// The learning policies of each experiment, by its name.
  var learners: [(evaluation: Evaluation, tally: LearningPolicyTally)] {
    evaluations.sorted { name($0).utf8.lexicographicallyPrecedes(name($1).utf8) }
      .flatMap { evaluation in evaluation.learningPolicies.map { (evaluation, $0) } }
  }

  /// Returns a row for each interval of an estimate; one without an interval if there are none.
  ///
  /// - Parameters:
  ///   - names: The experiment, the policy and the estimator.
  ///   - estimate: The estimate.
  ///   - matched: The decisions that the policy could have made too.
  ///   - weights: The weights; nil if there are none.
  ///   - verdict: The verdict on the policy.
  ///   - slot: The point and the slot; nil for all of them.
  /// - Returns: The rows.
  func rows(
    _ names: PolicyNames, _ estimate: OffPolicyEstimate, matched: Int,
    _ weights: WeightDiagnostics?, _ verdict: EvaluationVerdict,
    slot: (point: String, slot: String)? = nil
  ) -> [ValueRow] {
    let intervals = estimate.intervals(level: report.level)
    let methods = report.plan.intervals.map(\.specification.description)
    return (0..<max(1, methods.count)).map { index in
      let isKnown = index < methods.count
      let interval = isKnown && verdict.bias == nil ? intervals[index] : nil
      return ValueRow(
        names: names, sums: estimate.sums, interval: interval, weights: weights, matched: matched,
        method: isKnown ? methods[index] : nil, verdict: verdict,
        status: EstimateStatus.text(estimate, bias: verdict.bias, interval: index, interval),
        slot: slot)
    }
  }
}
