internal import Prediction
internal import Replay
internal import Tables

extension PredictionTables {
  /// Returns one row for each predictor and each baseline except itself.
  func skill() -> TableDraft {
    let rows = groups.flatMap { group in
      let skills = result.skills(study: group.study, value: group.value)
      return wanted.flatMap { place in
        baselines.compactMap { baseline in
          skills?.skill(of: place, against: baseline).map {
            (names: names(group, place), baseline: predictor(baseline), skill: $0)
          }
        }
      }
    }
    return TableDraft(
      name: "prediction_skill", title: "How much better than the baselines", of: rows
    ) { columns in
      columns.predictor { $0.names }
      columns.key("baseline", "what it is compared with") { $0.baseline }
      columns.measure("units", "units of which takes were predicted") { $0.skill.units }
      columns.measure("events", "takes that were predicted") { $0.skill.events }.main
      columns.difference("log_loss_skill", "1 - log loss / that of the baseline") {
        $0.skill.logLoss
      }.share.main
      columns.difference("brier_skill", "1 - Brier score / that of the baseline") {
        $0.skill.brier
      }.share
      columns.difference("hit_rate_difference", "hit rate less that of the baseline") {
        $0.skill.hitRate
      }.share.main
      columns.difference("mrr_difference", "mrr less that of the baseline") {
        $0.skill.reciprocalRank
      }.estimate
      columns.breakdown(dimension) { $0.names.value }
    }
  }

  /// Returns one row for each predictor, baseline and stage of the histories of units.
  func history() -> TableDraft {
    let rows = groups.flatMap { group in
      let skills = result.skills(study: group.study, value: group.value)
      return wanted.flatMap { place in
        baselines.filter { $0 != place }.flatMap { baseline in
          (skills?.byHistory(of: place, against: baseline) ?? []).map {
            (names: names(group, place), baseline: predictor(baseline), stage: $0)
          }
        }
      }
    }
    return TableDraft(
      name: "prediction_history", title: "How much history predictions need", of: rows
    ) { columns in
      columns.predictor { $0.names }
      columns.key("baseline", "what it is compared with") { $0.baseline }
      columns.key("takes_from", "the least number of earlier takes") { $0.stage.low }
      columns.measure("takes_to", "the greatest number of earlier takes; empty without end") {
        $0.stage.high
      }.main
      columns.measure("units", "units that had so many") { $0.stage.units }.main
      columns.measure("events", "takes that were predicted") { $0.stage.events }
      columns.explained(
        """
        mean log loss of the baseline less that of the predictor, in nats, over takes of which the unit had 0, 1, 2-3, \
        4-7, ... before; interval as above
        """, as: "gain; --table history",
        .difference("gain", "log loss of the baseline less its own, in nats") {
          $0.stage.difference
        }.estimate.main)
      columns.breakdown(dimension) { $0.names.value }
    }
  }
}
