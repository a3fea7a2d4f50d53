internal import Replay
internal import Statistics
internal import Tables

extension EvaluationTables {
  private static let supportColumns: [TableColumn] =
    keyColumns + [
      .measure("verdict", .text, "answers, weak or cannot-answer").main,
      .measure("decisions", .integer, "confirmed decisions with a propensity").main,
      .measure("effective_sample_size", .decimal, "(sum of weights)^2 / sum of squared weights")
        .count.main,
      .measure("effective_share", .decimal, "effective_sample_size / decisions").share
        .main,
      .measure("mean_weight", .decimal, "near 1 if propensities are right and the log has support")
        .estimate.main,
      .measure("mean_weight_z", .decimal, "its difference from 1, in standard errors by unit")
        .estimate,
      .measure("max_weight", .decimal, "the greatest weight").estimate,
      .measure("max_weight_share", .decimal, "its share of the sum of weights").share,
      .measure("top_weight_share", .decimal, "the share of the greatest 1 % of the weights").share,
      .measure("tail_index", .decimal, "Hill's estimate from the greatest weights").estimate,
      .measure("never_share", .decimal, "decisions that the policy would never have made").share,
      .measure("unsupported_decisions", .integer, "decisions for which a choice lacks support"),
      .measure("unsupported_share", .decimal, "their share of the decisions").share,
      .measure("unsupported_target", .decimal, "share of the policy's choices without support")
        .share.main,
      .measure("undecided", .integer, "decisions in which the policy names no probabilities"),
      .measure("not_finite", .integer, "decisions with a weight or prediction that is not finite"),
      .measure("reasons", .text, "what the verdict rests on").sentence.main,
      .measure(
        "unseen", .integer, "decisions with a slot, choice or value that a learned policy never saw"
      ),
    ]

  /// Returns the verdict on each policy, with the numbers that it rests on.
  func support() throws(TableError) -> Table {
    var table = try Table(
      name: "support", title: "Whether the log can answer", columns: Self.supportColumns)
    for place in places {
      let (tally, verdict) = (tally(place), verdict(place))
      let (weights, support) = (tally.weights, tally.support)
      let (count, size) = (Double(weights.count), weights.effectiveSampleSize)
      let total = (weights.mean ?? 0) * count
      let decisions = Double(support.decisions)
      try table.append(
        row: cells(place) + [
          .text(verdict.answer.rawValue), .integer(weights.count), TableCell(size),
          TableCell(size.map { $0 / count }), TableCell(weights.mean),
          TableCell(tally.weightStatistic), TableCell(weights.greatest),
          TableCell(weights.greatest.map { $0 / total }),
          TableCell(weights.histogram.weightShare(ofGreatest: 0.01)),
          TableCell(weights.histogram.tailIndex), TableCell(weights.shareWithoutWeight),
          .integer(support.decisionsWithoutSupport),
          TableCell(
            support.decisions > 0 ? Double(support.decisionsWithoutSupport) / decisions : nil),
          TableCell(support.shareWithoutSupport), .integer(tally.undecided),
          .integer(tally.notFinite), .text(verdict.reasons.joined(separator: "; ")),
          .integer(tally.unseen),
        ])
    }
    return table
  }

  private static let overlapColumns: [TableColumn] =
    keyColumns + [
      .key("point", .text, "where in the app"),
      .key("slot", .text, "which of several decisions at the point"),
      .key("variant", .text, "one of the choices"),
      .measure("offered", .integer, "decisions that had it among their choices"),
      .measure("decisions", .integer, "decisions that chose it").main,
      .measure("propensity_mean", .decimal, "mean propensity of these").estimate.main,
      .measure("propensity_min", .decimal, "smallest propensity of these"),
      .measure("propensity_max", .decimal, "greatest propensity of these"),
      .measure("propensities", .integer, "distinct propensities of these, up to 1000"),
      .measure("target_mean", .decimal, "mean probability of the policy where it was a choice")
        .estimate,
      .measure("target_share", .decimal, "share of the policy's choices").share.main,
      .measure("unsupported_target", .decimal, "part of that share without support").share.main,
      .measure("weight_sum", .decimal, "sum of the weights of the decisions that chose it")
        .estimate,
      .measure("weight_share", .decimal, "share of all weights").share.main,
    ]

  /// Returns what the log has of each variant, and what each policy would choose.
  func overlap() throws(TableError) -> Table {
    var table = try Table(
      name: "overlap", title: "What was chosen, and what the policy would choose",
      columns: Self.overlapColumns)
    for place in places {
      let (tally, evaluation) = (tally(place), evaluation(place))
      let decisions = Double(tally.support.decisions)
      let total = (tally.weights.mean ?? 0) * Double(tally.weights.count)
      for (key, cell) in tally.support.cells {
        let logged = evaluation.logging.variants[key]
        let names = evaluation.places[Int(key.place)]
        try table.append(
          row: cells(place) + [
            .text(names.point), .text(names.slot), .text(variant(key.variant)),
            .integer(cell.offered), .integer(cell.decisions), TableCell(cell.meanPropensity),
            TableCell(logged?.least), TableCell(logged?.greatest), TableCell(logged?.distinct),
            TableCell(cell.meanTarget), .decimal(cell.target / decisions),
            .decimal(cell.targetWithoutSupport / decisions), .decimal(cell.weight),
            TableCell(total > 0 ? cell.weight / total : nil),
          ])
      }
    }
    return table
  }

  private static let propensityColumns: [TableColumn] = [
    .key("experiment", .text, "what is decided"),
    .key("point", .text, "where in the app"),
    .key("slot", .text, "which of several decisions at the point"),
    .measure("decisions", .integer, "confirmed decisions with a propensity").main,
    .measure("inverse_mean", .decimal, "mean of 1/propensity").estimate.main,
    .measure("choices_mean", .decimal, "mean number of choices, which is expected of inverse_mean")
      .estimate.main,
    .measure("z", .decimal, "their difference, in standard errors").estimate.main,
    .measure("p_value", .decimal, "how likely such a difference is with right propensities").pValue
      .main,
    .measure("variants", .integer, "variants that were chosen"),
    .measure("varying", .integer, "those of them with more than one propensity").main,
    .measure("propensities", .integer, "most distinct propensities of a variant, up to 1000"),
  ]

  /// Returns what the propensities of each place say of themselves and of the logging policy.
  func propensities() throws(TableError) -> Table {
    var table = try Table(
      name: "propensities", title: "Logged propensities", columns: Self.propensityColumns)
    for evaluation in evaluations {
      for (number, place) in evaluation.logging.places.enumerated() where place.inverses.count > 0 {
        let names = evaluation.places[number]
        let variants = evaluation.logging.variants.filter { Int($0.key.place) == number }
        try table.append(row: [
          .text(name(evaluation)), .text(names.point), .text(names.slot),
          .integer(place.inverses.count), TableCell(place.inverses.mean),
          TableCell(place.meanChoices), TableCell(place.statistic),
          TableCell(place.statistic.map { 2 * StandardNormal.upperTail(abs($0)) }),
          .integer(variants.count), .integer(variants.count { $0.value.distinct > 1 }),
          .integer(variants.map(\.value.distinct).max() ?? 0),
        ])
      }
    }
    return table
  }

  private static let weightColumns: [TableColumn] =
    keyColumns + [
      .key("low", .decimal, "the smallest weight of the group, a power of two, or 0"),
      .measure("high", .decimal, "the end of the group, which does not belong to it").main,
      .measure("decisions", .integer, "decisions with such a weight").main,
      .measure("share", .decimal, "their share of the decisions").share.main,
      .measure("weight_sum", .decimal, "the sum of their weights").estimate,
      .measure("weight_share", .decimal, "their share of all weights").share.main,
    ]

  /// Returns the distribution of the weights of each policy.
  func weights() throws(TableError) -> Table {
    var table = try Table(
      name: "weights", title: "Importance weights", columns: Self.weightColumns)
    for place in places {
      let weights = tally(place).weights
      let groups = WeightGroup.groups(weights.histogram)
      let total = groups.reduce(0) { $0 + $1.sum }
      for group in groups {
        try table.append(
          row: cells(place) + [
            .decimal(group.low), .decimal(group.high), .integer(group.count),
            .decimal(Double(group.count) / Double(weights.count)), .decimal(group.sum),
            TableCell(total > 0 ? group.sum / total : nil),
          ])
      }
    }
    return table
  }
}

/// The weights from one power of two to the next, or those that are zero.
struct WeightGroup {
  var low: Double
  var high: Double
  var count = 0
  var sum = 0.0

  /// Returns the groups of a histogram that have weights, ascending.
  static func groups(_ histogram: WeightHistogram) -> [WeightGroup] {
    var groups: [WeightGroup] = []
    for bin in histogram.bins {
      let low = bin.high == 0 ? 0 : bin.low.binade
      if groups.last?.low != low { groups.append(WeightGroup(low: low, high: 2 * low)) }
      groups[groups.count - 1].count += bin.count
      groups[groups.count - 1].sum += bin.sum
    }
    return groups
  }
}
