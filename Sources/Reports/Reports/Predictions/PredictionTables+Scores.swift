internal import Events
internal import Prediction
internal import Replay
internal import Statistics
internal import Tables

extension PredictionTables {
  private static let firstColumns: [TableColumn] = [
    .measure("events", .integer, "takes that were predicted"),
    .measure("hits", .integer, "takes of the option that was predicted first"),
    .measure("hit_rate", .decimal, "hits / events").share.main,
    .measure("mrr", .decimal, "mean of 1 / rank of the option taken, ties counted pessimistically")
      .estimate,
    .measure("log_loss", .decimal, "mean -ln of the confidence in the option taken, in nats")
      .estimate.main,
    .measure("brier", .decimal, "mean sum over options of the squared distance to the outcome")
      .estimate,
    .measure("ece", .decimal, "expected calibration error of the highest confidence, equal bins")
      .estimate,
    .measure("units", .integer, "units of which takes were predicted"),
    .measure("novel", .integer, "takes of an option that was not there: misses"),
    .measure("blind", .integer, "takes when nothing was known that tells the options apart"),
  ]

  private static let lastColumns: [TableColumn] = [
    .measure("mrr_optimistic", .decimal, "mrr as if the option taken came first among equals")
      .estimate,
    .measure("mrr_average", .decimal, "mrr by the middle rank among equals").estimate,
    .measure("mrr_declared", .decimal, "mrr by the declared order among equals").estimate,
    .measure("log_loss_bits", .decimal, "log_loss in bits").estimate,
    .measure("ranked_probability", .decimal, "mean ranked probability score, by declared order")
      .estimate,
    .measure(
      "threshold", .decimal, "the confidence above which one would act, the least of several"),
    .measure("coverage", .decimal, "share of takes before which one would have acted").share,
    .measure("accuracy_above", .decimal, "share of right ones among those").share,
    .measure("accuracy_ci_low", .decimal, "lower end of its interval (Wilson)").share,
    .measure("accuracy_ci_high", .decimal, "upper end of its interval (Wilson)").share,
    .measure("adaptive_ece", .decimal, "ece with bins of as many takes each"),
    .measure("mce", .decimal, "the greatest calibration error of a bin"),
    .measure("reliability", .decimal, "Murphy's partition: distance of confidence and hit rate"),
    .measure("resolution", .decimal, "Murphy's partition: how far hit rates of bins differ"),
    .measure("uncertainty", .decimal, "Murphy's partition: hit rate * (1 - hit rate)"),
    .measure("normalised_entropy", .decimal, "log_loss / entropy of the shares of options taken"),
    .measure("kappa", .decimal, "Cohen's kappa of what was predicted and taken"),
    .measure("macro_f1", .decimal, "mean over options of the F1 score"),
    .measure("unit_hit_rate", .decimal, "mean over units of their hit rates").share,
    .measure("unit_mrr", .decimal, "mean over units of their mrr"),
    .measure("unit_log_loss", .decimal, "mean over units of their log losses"),
    .measure("unit_brier", .decimal, "mean over units of their Brier scores"),
    .measure("baseline", .text, "the baseline with the lowest log loss, itself left out"),
    .measure("log_loss_skill", .decimal, "1 - log_loss / that of the baseline").share
      .main,
    .measure("log_loss_skill_ci_low", .decimal, "lower end of its interval (paired, over units)")
      .share.main,
    .measure("log_loss_skill_ci_high", .decimal, "upper end of its interval (paired, over units)")
      .share.main,
    .measure("brier_skill", .decimal, "1 - brier / that of the baseline").share,
    .measure("brier_skill_ci_low", .decimal, "lower end of its interval (paired, over units)")
      .share,
    .measure("brier_skill_ci_high", .decimal, "upper end of its interval (paired, over units)")
      .share,
    .measure("tie_rule", .text, "who comes first among equal confidences"),
    .measure("bin_rule", .text, "how confidences are put into bins"),
    .measure("log_base", .text, "the base of the logarithm in log_loss"),
    .measure("clip", .decimal, "the least probability that log_loss takes"),
    .measure("warm_up", .integer, "takes of a unit that are learned and not predicted"),
    .measure("delay_seconds", .decimal, "how long until a take is known").duration,
  ]

  private var columns: [TableColumn] {
    let ranks = cutoffs.flatMap { k -> [TableColumn] in
      [
        .measure("hit_at_\(k)", .decimal, "share of takes whose option had a rank of at most \(k)"),
        .measure("ndcg_at_\(k)", .decimal, "mean of 1 / log2(rank + 1) up to rank \(k), else 0"),
      ]
    }
    return Self.keys + Self.firstColumns
      + ranks.filter { $0.name.hasPrefix("hit") } + ranks.filter { $0.name.hasPrefix("ndcg") }
      + Self.lastColumns + TableColumn.breakdown(dimension)
  }

  /// The ranks up to which hits are counted, distinct and ascending.
  private var cutoffs: [Int] { Set(result.plan.cutoffs.filter { $0 > 0 }).sorted() }

  /// Returns one row for each study, requested predictor and value of the dimension.
  func scores() throws(TableError) -> Table {
    var table = try Table(
      name: "predictions", title: "How good predictions were", columns: columns)
    for group in groups {
      for place in wanted {
        guard let scores = scores(place, group) else { continue }
        try table.append(
          row: keys(group, place) + first(scores) + ranks(scores) + probabilities(scores)
            + confident(scores) + calibrated(scores) + units(scores) + skill(place, group) + rules
            + breakdown(group))
      }
    }
    note(&table)
    return table.sorted()
  }

  private func first(_ scores: PredictionScores) -> [TableCell] {
    [
      .integer(scores.events), .integer(scores.hits), TableCell(scores.hitRate()),
      TableCell(scores.meanReciprocalRank()), TableCell(scores.logLoss),
      TableCell(scores.brier), TableCell(scores.calibrationError), .integer(scores.units),
      .integer(scores.novel), .integer(scores.blind),
    ]
  }

  private func ranks(_ scores: PredictionScores) -> [TableCell] {
    cutoffs.map { TableCell(scores.hitRate(at: $0)) }
      + cutoffs.map { TableCell(scores.discountedGain(at: $0)) } + [
        TableCell(scores.meanReciprocalRank(.optimistic)),
        TableCell(scores.meanReciprocalRank(.average)),
        TableCell(scores.meanReciprocalRank(.declared)),
      ]
  }

  private func probabilities(_ scores: PredictionScores) -> [TableCell] {
    [TableCell(scores.logLossBits), TableCell(scores.rankedProbability)]
  }

  /// Returns the result of acting only above the first threshold.
  private func confident(_ scores: PredictionScores) -> [TableCell] {
    let acted = scores.confident.first
    return [
      TableCell(acted?.threshold), TableCell(acted?.coverage), TableCell(acted?.accuracy),
    ] + TableCell.ends(acted?.accuracyInterval)
  }

  private func calibrated(_ scores: PredictionScores) -> [TableCell] {
    let murphy = scores.murphy
    return [
      TableCell(scores.adaptiveCalibrationError), TableCell(scores.greatestCalibrationError),
      TableCell(murphy?.reliability), TableCell(murphy?.resolution),
      TableCell(murphy?.uncertainty), TableCell(scores.normalisedEntropy),
      TableCell(scores.kappa), TableCell(scores.macroF1),
    ]
  }

  private func units(_ scores: PredictionScores) -> [TableCell] {
    let means = scores.unitMeans
    return [
      TableCell(means?.hitRate), TableCell(means?.reciprocalRank), TableCell(means?.logLoss),
      TableCell(means?.brier),
    ]
  }

  private func skill(_ place: Int, _ group: Group) -> [TableCell] {
    guard let baseline = bestBaseline(group, besides: place),
      let skill = result.skills(study: group.study, value: group.value)?
        .skill(of: place, against: baseline)
    else { return Array(repeating: .empty, count: 7) }
    return [.text(predictor(baseline))] + TableCell.estimate(skill.logLoss)
      + TableCell.estimate(skill.brier)
  }

  private var rules: [TableCell] {
    [
      .text("declared first; mrr and ndcg pessimistic"),
      .text("\(result.plan.bins) equal [low, high), 1 in the last"), .text("e"),
      .decimal(result.plan.clip), .integer(result.plan.warmUp),
      .decimal(Double(result.plan.delay) / 1e6),
    ]
  }
}
