internal import Replay
internal import Statistics
internal import Tables

extension EvaluationTables {
  /// Returns the verdict on each policy, with the numbers that it rests on.
  func support() throws(TableError) -> Table {
    let rows = places.map { place in
      let tally = tally(place)
      return (
        names: names(place), tally: tally, weights: tally.weights, support: tally.support,
        count: Double(tally.weights.count), verdict: verdict(place)
      )
    }
    return try Table(
      name: "support", title: "Whether the log can answer", of: rows
    ) { columns in
      columns.policy { $0.names }
      columns.measure("verdict", "answers, weak or cannot-answer") { $0.verdict.answer.rawValue }
        .main
      columns.measure("decisions", "confirmed decisions with a propensity") { $0.weights.count }
        .main
      columns.measure("effective_sample_size", "(sum of weights)^2 / sum of squared weights") {
        $0.weights.effectiveSampleSize
      }.count.main
      columns.measure("effective_share", "effective_sample_size / decisions") { row in
        row.weights.effectiveSampleSize.map { $0 / row.count }
      }.share.main
      columns.measure("mean_weight", "near 1 if propensities are right and the log has support") {
        $0.weights.mean
      }.estimate.main
      columns.measure("mean_weight_z", "its difference from 1, in standard errors by unit") {
        $0.tally.weightStatistic
      }.estimate
      columns.measure("max_weight", "the greatest weight") { $0.weights.greatest }.estimate
      columns.measure("max_weight_share", "its share of the sum of weights") { row in
        row.weights.greatest.map { $0 / ((row.weights.mean ?? 0) * row.count) }
      }.share
      columns.measure("top_weight_share", "the share of the greatest 1 % of the weights") {
        $0.weights.histogram.weightShare(ofGreatest: 0.01)
      }.share
      columns.measure("tail_index", "Hill's estimate from the greatest weights") {
        $0.weights.histogram.tailIndex
      }.estimate
      columns.measure("never_share", "decisions that the policy would never have made") {
        $0.weights.shareWithoutWeight
      }.share
      columns.measure("unsupported_decisions", "decisions for which a choice lacks support") {
        $0.support.decisionsWithoutSupport
      }
      columns.measure("unsupported_share", "their share of the decisions") {
        Double($0.support.decisionsWithoutSupport) / Double($0.support.decisions)
      }.share
      columns.measure("unsupported_target", "share of the policy's choices without support") {
        $0.support.shareWithoutSupport
      }.share.main
      columns.measure("undecided", "decisions in which the policy names no probabilities") {
        $0.tally.undecided
      }
      columns.measure("not_finite", "decisions with a weight or prediction that is not finite") {
        $0.tally.notFinite
      }
      columns.measure("reasons", "what the verdict rests on") {
        $0.verdict.reasons.joined(separator: "; ")
      }.sentence.main
      columns.measure(
        "unseen", "decisions with a slot, choice or value that a learned policy never saw"
      ) { $0.tally.unseen }
    }
  }

  /// Returns what the log has of each variant, and what each policy would choose.
  func overlap() throws(TableError) -> Table {
    let rows = places.flatMap { place in
      let (tally, evaluation) = (tally(place), evaluation(place))
      return tally.support.cells.map { key, cell in
        (
          names: names(place), place: evaluation.places[Int(key.place)],
          variant: variant(key.variant), cell: cell, logged: evaluation.logging.variants[key],
          decisions: Double(tally.support.decisions),
          total: (tally.weights.mean ?? 0) * Double(tally.weights.count)
        )
      }
    }
    return try Table(
      name: "overlap", title: "What was chosen, and what the policy would choose", of: rows
    ) { columns in
      columns.policy { $0.names }
      columns.key("point", "where in the app") { $0.place.point }
      columns.key("slot", "which of several decisions at the point") { $0.place.slot }
      columns.key("variant", "one of the choices") { $0.variant }
      columns.measure("offered", "decisions that had it among their choices") { $0.cell.offered }
      columns.measure("decisions", "decisions that chose it") { $0.cell.decisions }.main
      columns.measure("propensity_mean", "mean propensity of these") { $0.cell.meanPropensity }
        .estimate.main
      columns.measure("propensity_min", "smallest propensity of these") { $0.logged?.least }
      columns.measure("propensity_max", "greatest propensity of these") { $0.logged?.greatest }
      columns.measure("propensities", "distinct propensities of these, up to 1000") {
        $0.logged?.distinct
      }
      columns.measure("target_mean", "mean probability of the policy where it was a choice") {
        $0.cell.meanTarget
      }.estimate
      columns.measure("target_share", "share of the policy's choices") {
        $0.cell.target / $0.decisions
      }.share.main
      columns.measure("unsupported_target", "part of that share without support") {
        $0.cell.targetWithoutSupport / $0.decisions
      }.share.main
      columns.measure("weight_sum", "sum of the weights of the decisions that chose it") {
        $0.cell.weight
      }.estimate
      columns.measure("weight_share", "share of all weights") {
        $0.total > 0 ? $0.cell.weight / $0.total : nil
      }.share.main
    }
  }

  /// Returns what the propensities of each place say of themselves and of the logging policy.
  func propensities() throws(TableError) -> Table {
    let rows = evaluations.flatMap { evaluation in
      evaluation.logging.places.enumerated().filter { $1.inverses.count > 0 }.map { number, tally in
        let variants = evaluation.logging.variants.filter { Int($0.key.place) == number }
        return (
          experiment: name(evaluation), place: evaluation.places[number], tally: tally,
          distinct: variants.map(\.value.distinct)
        )
      }
    }
    return try Table(name: "propensities", title: "Logged propensities", of: rows) { columns in
      columns.key("experiment", "what is decided") { $0.experiment }
      columns.key("point", "where in the app") { $0.place.point }
      columns.key("slot", "which of several decisions at the point") { $0.place.slot }
      columns.measure("decisions", "confirmed decisions with a propensity") {
        $0.tally.inverses.count
      }.main
      columns.measure("inverse_mean", "mean of 1/propensity") { $0.tally.inverses.mean }.estimate
        .main
      columns.measure("choices_mean", "mean number of choices, which is expected of inverse_mean") {
        $0.tally.meanChoices
      }.estimate.main
      columns.measure("z", "their difference, in standard errors") { $0.tally.statistic }.estimate
        .main
      columns.measure("p_value", "how likely such a difference is with right propensities") {
        $0.tally.statistic.map { 2 * StandardNormal.upperTail(abs($0)) }
      }.pValue.main
      columns.measure("variants", "variants that were chosen") { $0.distinct.count }
      columns.measure("varying", "those of them with more than one propensity") {
        $0.distinct.count { $0 > 1 }
      }.main
      columns.measure("propensities", "most distinct propensities of a variant, up to 1000") {
        $0.distinct.max() ?? 0
      }
    }
  }

  /// Returns the distribution of the weights of each policy.
  func weights() throws(TableError) -> Table {
    let rows = places.flatMap { place in
      let weights = tally(place).weights
      let groups = WeightGroup.groups(weights.histogram)
      let total = groups.reduce(0) { $0 + $1.sum }
      return groups.map {
        (names: names(place), group: $0, decisions: Double(weights.count), total: total)
      }
    }
    return try Table(name: "weights", title: "Importance weights", of: rows) { columns in
      columns.policy { $0.names }
      columns.key("low", "the smallest weight of the group, a power of two, or 0") { $0.group.low }
      columns.measure("high", "the end of the group, which does not belong to it") { $0.group.high }
        .main
      columns.measure("decisions", "decisions with such a weight") { $0.group.count }.main
      columns.measure("share", "their share of the decisions") {
        Double($0.group.count) / $0.decisions
      }.share.main
      columns.measure("weight_sum", "the sum of their weights") { $0.group.sum }.estimate
      columns.measure("weight_share", "their share of all weights") {
        $0.total > 0 ? $0.group.sum / $0.total : nil
      }.share.main
    }
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
