internal import Prediction
internal import Replay
internal import Tables

extension PredictionTables {
  private static let adviceColumns: [TableColumn] = [
    .key("study", .text, "where a choice recurs"),
    .measure("predictor", .text, "the predictor with the lowest log loss").main,
    .measure("events", .integer, "takes that were predicted").main,
    .measure("units", .integer, "units of which takes were predicted"),
    .measure("log_loss", .decimal, "its mean log loss in nats").estimate.main,
    .measure("hit_rate", .decimal, "its hits / events").share.main,
    .measure("baseline", .text, "the baseline with the lowest log loss").main,
    .measure(
      "skill", .decimal, "1 - log_loss / that of the baseline; empty where it is one itself"
    ).share.main,
    .measure("skill_ci_low", .decimal, "lower end of its interval (paired, over units)").share,
    .measure("skill_ci_high", .decimal, "upper end of its interval (paired, over units)").share,
    .measure("runner_up", .text, "the second one by log loss"),
    .measure("lead", .decimal, "1 - log_loss / that of the runner-up").share,
    .measure("lead_ci_low", .decimal, "lower end of its interval (paired, over units)").share,
    .measure("lead_ci_high", .decimal, "upper end of its interval (paired, over units)").share,
    .measure("most_hits", .text, "the predictor with the highest hit rate"),
    .measure("takes_needed", .integer, "takes of a unit before its prediction beats the baseline")
      .main,
    .measure("advice", .text, "the same in words").sentence,
  ]

  /// Returns one row for each study, regardless of the value of the dimension.
  func advice() throws(TableError) -> Table {
    var table = try Table(
      name: "prediction_advice", title: "Which predictor to use", columns: Self.adviceColumns)
    for study in studies {
      guard let advice = result.advice(study: study) else { continue }
      let best = advice.candidates[advice.best]
      let takes: Int? = if case .takes(let takes) = advice.historyNeeded { takes } else { nil }
      let name = { (place: Int?) in TableCell(place.map { advice.candidates[$0].name }) }
      try table.append(
        row: [
          .text(self.name(study)), .text(best.name), .integer(best.scores.events),
          .integer(best.scores.units), TableCell(best.scores.logLoss),
          TableCell(best.scores.hitRate()), name(advice.bestBaseline),
        ] + TableCell.estimate(advice.overBaseline?.logLoss) + [name(advice.runnerUp)]
          + TableCell.estimate(advice.overRunnerUp?.logLoss) + [
            name(advice.bestByHits), TableCell(takes),
            .text(advice.sentences.joined(separator: " ")),
          ])
    }
    note(&table)
    return table.sorted()
  }
}
