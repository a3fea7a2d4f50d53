internal import Events
internal import Prediction
internal import Replay
internal import Tables

extension PredictionTables {
  /// Notes the recommended predictors, the method, and what was not counted.
  func note(_ table: inout Table) {
    answer(&table)
    let plan = result.plan
    table.note(
      "over",
      source == .studies
        ? "studies: options taken (data points optionTaken)"
        : "decisions: variants that were chosen")
    table.note(
      "protocol", "prequential: each take is predicted from what came before, then learned")
    table.note("tie_rule", "the option declared first; mrr and ndcg pessimistic")
    table.note("bin_rule", "highest confidence, \(plan.bins) equal bins [low, high), 1 in the last")
    table.note(
      "log_loss", "nats; confidences are taken as they are, and below \(plan.clip) as \(plan.clip)")
    table.note("brier", "sum over options")
    table.note(
      "novel",
      "a take of an option that is not there is a miss: no rank, log loss -ln(\(plan.clip)), and it counts in events"
    )
    table.note("warm_up", plan.warmUp)
    table.note("delay", plan.delay == 0 ? "none" : DurationText.text(plan.delay))
    table.note("baselines", baselines.map(predictor).joined(separator: ", "))
    table.note(
      "interval",
      "95 %: skill by Student t over units, paired; shares by Wilson, takes as independent")
    table.note(result.ledger.noted)
  }

  /// The studies with predictions, sorted by the bytes of their names.
  var studies: [UInt32] {
    Set(groups.map(\.study)).sorted {
      let (a, b) = (name($0), name($1))
      if a.utf8.elementsEqual(b.utf8) { return $0 < $1 }
      return a.utf8.lexicographicallyPrecedes(b.utf8)
    }
  }
}
