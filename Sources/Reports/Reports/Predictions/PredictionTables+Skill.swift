internal import Prediction
internal import Replay
internal import Tables

extension PredictionTables {
  private static func difference(
    _ name: String, _ what: String, shown: (TableColumn) -> TableColumn = { $0.share }
  ) -> [TableColumn] {
    [
      .measure(name, .decimal, what),
      .measure("\(name)_ci_low", .decimal, "lower end of its interval (paired, over units)"),
      .measure("\(name)_ci_high", .decimal, "upper end of its interval (paired, over units)"),
    ].map(shown)
  }

  private static let baselineColumn = TableColumn.key(
    "baseline", .text, "what it is compared with")

  /// Returns one row for each predictor and each baseline except itself.
  func skill() throws(TableError) -> Table {
    var table = try Table(
      name: "prediction_skill", title: "How much better than the baselines",
      columns: Self.keys + [
        Self.baselineColumn, .measure("units", .integer, "units of which takes were predicted"),
        .measure("events", .integer, "takes that were predicted").main,
      ] + Self.difference("log_loss_skill", "1 - log loss / that of the baseline") { $0.share.main }
        + Self.difference("brier_skill", "1 - Brier score / that of the baseline")
        + Self.difference("hit_rate_difference", "hit rate less that of the baseline") {
          $0.share.main
        }
        + Self.difference("mrr_difference", "mrr less that of the baseline") { $0.estimate }
        + TableColumn.breakdown(dimension))
    for group in groups {
      guard let skills = result.skills(study: group.study, value: group.value) else { continue }
      for place in wanted {
        for baseline in baselines {
          guard let skill = skills.skill(of: place, against: baseline) else { continue }
          try table.append(
            row: keys(group, place) + [
              .text(predictor(baseline)), .integer(skill.units), .integer(skill.events),
            ] + TableCell.estimate(skill.logLoss) + TableCell.estimate(skill.brier)
              + TableCell.estimate(skill.hitRate) + TableCell.estimate(skill.reciprocalRank)
              + breakdown(group))
        }
      }
    }
    note(&table)
    return table.sorted()
  }

  /// Returns one row for each predictor, baseline and stage of the histories of units.
  func history() throws(TableError) -> Table {
    var table = try Table(
      name: "prediction_history", title: "How much history predictions need",
      columns: Self.keys + [
        Self.baselineColumn,
        .key("takes_from", .integer, "the least number of earlier takes"),
        .measure("takes_to", .integer, "the greatest number of earlier takes; empty without end")
          .main,
        .measure("units", .integer, "units that had so many").main,
        .measure("events", .integer, "takes that were predicted"),
      ]
        + Self.difference(
          "gain", "log loss of the baseline less its own, in nats"
        ) { $0.estimate.main }
        + TableColumn.breakdown(dimension))
    for group in groups {
      guard let skills = result.skills(study: group.study, value: group.value) else { continue }
      for place in wanted {
        for baseline in baselines where baseline != place {
          for stage in skills.byHistory(of: place, against: baseline) {
            try table.append(
              row: keys(group, place) + [
                .text(predictor(baseline)), .integer(stage.low), TableCell(stage.high),
                .integer(stage.units), .integer(stage.events),
              ] + TableCell.estimate(stage.difference) + breakdown(group))
          }
        }
      }
    }
    note(&table)
    return table.sorted()
  }
}
