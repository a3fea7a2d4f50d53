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
      .text(
        source == .studies
          ? "studies: options taken (data points optionTaken)"
          : "decisions: variants that were chosen"))
    table.note(
      "protocol", .text("prequential: each take is predicted from what came before, then learned"))
    table.note("tie_rule", .text("the option declared first; mrr and ndcg pessimistic"))
    table.note(
      "bin_rule",
      .text("highest confidence, \(plan.bins) equal bins [low, high), 1 in the last"))
    table.note(
      "log_loss",
      .text("nats; confidences are taken as they are, and below \(plan.clip) as \(plan.clip)"))
    table.note("brier", .text("sum over options"))
    table.note(
      "novel",
      .text(
        "a take of an option that is not there is a miss: no rank, log loss -ln(\(plan.clip)), and it counts in events"
      ))
    table.note("warm_up", .integer(plan.warmUp))
    table.note("delay", .text(plan.delay == 0 ? "none" : DurationText.text(plan.delay)))
    table.note(
      "baselines",
      .text(baselines.map(predictor).joined(separator: ", ")))
    table.note(
      "interval",
      .text("95 %: skill by Student t over units, paired; shares by Wilson, takes as independent"))
    for (rule, count) in Self.counts(result.ledger) { table.note(rule, .integer(count)) }
  }

  /// The studies with predictions, sorted by the bytes of their names.
  var studies: [UInt32] {
    Set(groups.map(\.study)).sorted {
      let (a, b) = (name($0), name($1))
      if a.utf8.elementsEqual(b.utf8) { return $0 < $1 }
      return a.utf8.lexicographicallyPrecedes(b.utf8)
    }
  }

  private static func counts(_ ledger: PredictionLedger) -> [(String, Int)] {
    [
      ("units", ledger.units), ("runs", ledger.runs), ("takes", ledger.takes),
      ("takes_novel", ledger.novelTakes), ("encounters", ledger.encounters),
      ("encounters_without_options", ledger.emptyEncounters),
      ("configurations", ledger.configurations),
      ("configurations_unreadable", ledger.unreadableConfigurations),
      ("takes_without_study", ledger.withoutStudy),
      ("takes_without_option", ledger.withoutOption),
      ("attributes_unread", ledger.unreadAttributes),
      ("decisions_unconfirmed", ledger.unconfirmedDecisions),
      ("decisions_repeated", ledger.repeatedDecisions),
      ("decisions_excluded", ledger.excludedDecisions),
      ("decisions_of_unknown_status", ledger.unknownDecisions),
      ("decisions_left_out", ledger.leftOutDecisions),
    ]
  }
}
