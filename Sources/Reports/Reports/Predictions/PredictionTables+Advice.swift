internal import Prediction
internal import Replay
internal import Statistics
internal import Tables

extension PredictionTables {
  /// Returns one row for each study, regardless of the value of the dimension.
  func advice() -> TableDraft {
    let rows = studies.compactMap { study in
      result.advice(study: study).map {
        (study: name(study), advice: $0, best: $0.candidates[$0.best])
      }
    }
    return TableDraft(
      name: "prediction_advice", title: "Which predictor to use", of: rows
    ) { columns in
      columns.key("study", "where a choice recurs") { $0.study }
      columns.measure("predictor", "the predictor with the lowest log loss") { $0.best.name }.main
      columns.measure("events", "takes that were predicted") { $0.best.scores.events }.main
      columns.measure("units", "units of which takes were predicted") { $0.best.scores.units }
      columns.measure("log_loss", "its mean log loss in nats") { $0.best.scores.logLoss }.estimate
        .main
      columns.measure("hit_rate", "its hits / events") { $0.best.scores.hitRate() }.share.main
      columns.measure("baseline", "the baseline with the lowest log loss") {
        $0.advice.name($0.advice.bestBaseline)
      }.main
      columns.measure("skill", "1 - log_loss / that of the baseline; empty where it is one itself") {
        $0.advice.overBaseline?.logLoss?.estimate
      }.share.main
      columns.interval("skill_ci", "its interval (paired, over units)") {
        $0.advice.overBaseline?.logLoss?.interval
      }.share
      columns.measure("runner_up", "the second one by log loss") {
        $0.advice.name($0.advice.runnerUp)
      }
      columns.difference("lead", "1 - log_loss / that of the runner-up") {
        $0.advice.overRunnerUp?.logLoss
      }.share
      columns.measure("most_hits", "the predictor with the highest hit rate") {
        $0.advice.name($0.advice.bestByHits)
      }
      columns.measure("takes_needed", "takes of a unit before its prediction beats the baseline") {
        $0.advice.takesNeeded
      }.main
      columns.explained(
        """
        the predictor with the lowest log loss, its skill against the best baseline and the runner-up. takes_needed: \
        the least history from which on it is better than the best baseline; later stages in which it is worse only \
        count when their interval leaves out 0
        """, as: "advice; --table advice",
        .measure("advice", "the same in words") { $0.advice.sentences.joined(separator: " ") }
          .sentence)
    }
  }
}

extension PredictionAdvice {
  /// Returns the name of a candidate.
  fileprivate func name(_ place: Int?) -> String? { place.map { candidates[$0].name } }

  /// The takes of a unit before its prediction beats the baseline; nil if they are not known.
  fileprivate var takesNeeded: Int? {
    if case .takes(let takes) = historyNeeded { takes } else { nil }
  }
}
