internal import OffPolicy
internal import Statistics
internal import Tables

extension EvaluationTables {
  /// Returns the verdict on each policy, with the numbers that it rests on.
  func support() -> TableDraft {
    let rows = places.map { place in
      let tally = tally(place)
      return (
        names: names(place), tally: tally, weights: tally.weights, support: tally.support,
        count: Double(tally.weights.count), verdict: verdict(place)
      )
    }
    return TableDraft(
      name: "support", title: "Whether the log can answer", of: rows
    ) { columns in
      columns.policy { $0.names }
      columns.explained(
        """
        the worst of its reasons. cannot-answer: no decision with a usable propensity, or none that the policy could \
        have made; effective sample size below 30; more than 10 % of the policy's choices without support; mean weight \
        more than 3 standard errors and more than 0.1 from 1; a single decision with more than half of the weight. \
        weak: effective sample size below 100 or 1 % of the decisions; fewer than 10 units with a reward that has \
        weight; more than 1 % without support; mean weight more than 3 standard errors and more than 0.01 from 1; a \
        single decision with more than 10 % of the weight; tail index above 0.7; more than 1 % of the decisions left \
        out; a variant that the policy names and no decision has; at a slot a mean of 1/p more than 3 standard errors \
        and 1 % above the number of choices. Otherwise answers. A learning policy: accepted decisions below 30 or 100; \
        decisions below the floor. Where it is cannot-answer there is no standard error, no interval and no p-value. \
        --fail-on support ends with exit code 3 unless every \
        verdict is answers
        """,
        source: """
          definition. Support: with rewards in [0, R] the value is only known to within share * R. Effective sample \
          size: A. \
          B. Owen, Monte Carlo theory, methods and examples, 2013, section 9.3; 30 and 100 are usual limits for normal \
          intervals. Tail: A. Vehtari et al., Pareto smoothed importance sampling, 2024. 3 standard errors: p = 0.003
          """,
        .measure("verdict", "answers, weak or cannot-answer") { $0.verdict.answer.rawValue }
          .main)
      columns.measure("decisions", "confirmed decisions with a propensity") { $0.weights.count }
        .main
      columns.explained(
        """
        w = target / p, target the policy's probability of the chosen variant, p its propensity. (sum w)^2 / sum w^2, \
        the same over the number of decisions; sum w / n, expected to be 1; greatest w; the same over sum w
        """, source: "L. Kish, Survey sampling, 1965; E[sum w / n] = 1 where p > 0: definition of w",
        .measure("effective_sample_size", "(sum of weights)^2 / sum of squared weights") {
          $0.weights.effectiveSampleSize
        }.count.main,
        .measure("effective_share", "effective_sample_size / decisions") { row in
          row.weights.effectiveSampleSize.map { $0 / row.count }
        }.share.main,
        .measure("mean_weight", "near 1 if propensities are right and the log has support") {
          $0.weights.mean
        }.estimate.main)
      columns.explained(
        "s / sqrt(q), s = sum over units of d_u, q = sum of d_u^2, d_u = sum of (w - 1) of a unit",
        source: "standard error of a mean that is 1, with units as observations",
        .measure("mean_weight_z", "its difference from 1, in standard errors by unit") {
          $0.tally.weightStatistic
        }.estimate)
      columns.measure("max_weight", "the greatest weight") { $0.weights.greatest }.estimate.explained(
        with: "mean_weight")
      columns.measure("max_weight_share", "its share of the sum of weights") { row in
        row.weights.greatest.map { $0 / ((row.weights.mean ?? 0) * row.count) }
      }.share.explained(with: "mean_weight")
      columns.explained(
        """
        share of sum w of the 1 % of the decisions with the greatest w; mean of ln(w / u) over the greatest min(n/5, 3 \
        sqrt(n)) weights, u the smallest of these, rounded up to whole bins of a sixteenth of an octave; share with w = 0
        """,
        source: """
          B. M. Hill, A simple general approach to inference about the tail of a distribution, 1975; A. Vehtari et al., \
          2024
          """,
        .measure("top_weight_share", "the share of the greatest 1 % of the weights") {
          $0.weights.histogram.weightShare(ofGreatest: 0.01)
        }.share,
        .measure("tail_index", "Hill's estimate from the greatest weights") {
          $0.weights.histogram.tailIndex
        }.estimate,
        .measure("never_share", "decisions that the policy would never have made") {
          $0.weights.shareWithoutWeight
        }.share)
      columns.explained(
        """
        a choice has support if its logged probability is above 0; where probabilities were not logged, if it was \
        chosen at its point and slot at least once. Decisions of which a choice with target > 0, or what the policy \
        would choose beside the choices, lacks support; their share; sum of target without support / decisions
        """,
        source: """
          definition; N. Sachdeva, Y. Su and T. Joachims, Off-policy bandits with deficient support, 2020
          """,
        .measure("unsupported_decisions", "decisions for which a choice lacks support") {
          $0.support.decisionsWithoutSupport
        },
        .measure("unsupported_share", "their share of the decisions") {
          Double($0.support.decisionsWithoutSupport) / Double($0.support.decisions)
        }.share,
        .measure("unsupported_target", "share of the policy's choices without support") {
          $0.support.shareWithoutSupport
        }.share.main)
      columns.explained(
        """
        decisions left out: in which the policy names no probabilities, or w or a prediction is not finite; decisions \
        (not left out) with a slot, a choice or a value of an attribute that a learned policy never saw
        """,
        .measure("undecided", "decisions in which the policy names no probabilities") {
          $0.tally.undecided
        },
        .measure("not_finite", "decisions with a weight or prediction that is not finite") {
          $0.tally.notFinite
        })
      columns.measure("reasons", "what the verdict rests on") {
        $0.verdict.reasons.joined(separator: "; ")
      }.sentence.main.explained(with: "verdict")
      columns.measure(
        "unseen", "decisions with a slot, choice or value that a learned policy never saw"
      ) { $0.tally.unseen }.explained(with: "undecided")
    }
  }

  /// Returns what the log has of each variant, and what each policy would choose.
  func overlap() -> TableDraft {
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
    return TableDraft(
      name: "overlap", title: "What was chosen, and what the policy would choose", of: rows
    ) { columns in
      columns.policy { $0.names }
      columns.key("point", "where in the app") { $0.place.point }
      columns.key("slot", "which of several decisions at the point") { $0.place.slot }
      columns.key("variant", "one of the choices") { $0.variant }
      columns.explained(
        """
        --table overlap, for each variant of a slot: decisions with it among their choices (those logged, else every \
        variant chosen at the slot); decisions that chose it; mean, smallest and greatest propensity of these, and how \
        many different ones. A policy that is fixed and looks at nothing has one
        """, .measure("offered", "decisions that had it among their choices") { $0.cell.offered },
        .measure("decisions", "decisions that chose it") { $0.cell.decisions }.main,
        .measure("propensity_mean", "mean propensity of these") { $0.cell.meanPropensity }
          .estimate.main, .measure("propensity_min", "smallest propensity of these") { $0.logged?.least },
        .measure("propensity_max", "greatest propensity of these") { $0.logged?.greatest },
        .measure("propensities", "distinct propensities of these, up to 1000") {
          $0.logged?.distinct
        })
      columns.explained(
        """
        mean target over the decisions that offered it; sum of target / decisions; sum of w of the decisions that chose \
        it; the same over the sum of all w. With right propensities weight_sum is near decisions * target_share
        """, source: "E[w of those that chose it] = target: definition of w",
        .measure("target_mean", "mean probability of the policy where it was a choice") {
          $0.cell.meanTarget
        }.estimate,
        .measure("target_share", "share of the policy's choices") {
          $0.cell.target / $0.decisions
        }.share.main)
      columns.measure("unsupported_target", "part of that share without support") {
        $0.cell.targetWithoutSupport / $0.decisions
      }.share.main
      columns.measure("weight_sum", "sum of the weights of the decisions that chose it") {
        $0.cell.weight
      }.estimate.explained(with: "target_mean")
      columns.measure("weight_share", "share of all weights") {
        $0.total > 0 ? $0.cell.weight / $0.total : nil
      }.share.main.explained(with: "target_mean")
    }
  }

  /// Returns what the propensities of each place say of themselves and of the logging policy.
  func propensities() -> TableDraft {
    let rows = evaluations.flatMap { evaluation in
      evaluation.logging.places.enumerated().filter { $1.inverses.count > 0 }.map { number, tally in
        let variants = evaluation.logging.variants.filter { Int($0.key.place) == number }
        return (
          experiment: name(evaluation), place: evaluation.places[number], tally: tally,
          distinct: variants.map(\.value.distinct)
        )
      }
    }
    return TableDraft(name: "propensities", title: "Logged propensities", of: rows) { columns in
      columns.key("experiment", "what is decided") { $0.experiment }
      columns.key("point", "where in the app") { $0.place.point }
      columns.key("slot", "which of several decisions at the point") { $0.place.slot }
      columns.measure("decisions", "confirmed decisions with a propensity") {
        $0.tally.inverses.count
      }.main
      columns.explained(
        """
        --table propensities, for each slot: mean of 1/p; mean number K of choices (those with a probability above 0 \
        where \
        they were logged; without logged choices, every variant chosen at the slot), as E[1/p] = K; z = sum(1/p - K) / \
        sqrt(n s^2), two-sided normal p-value; variants chosen, those with more than one propensity, most of one variant
        """, source: "D. G. Horvitz and D. J. Thompson, 1952; L. Li et al., Counterfactual estimation, 2015",
        .measure("inverse_mean", "mean of 1/propensity") { $0.tally.inverses.mean }.estimate
          .main,
        .measure("choices_mean", "mean number of choices, which is expected of inverse_mean") {
          $0.tally.meanChoices
        }.estimate.main,
        .measure("z", "their difference, in standard errors") { $0.tally.statistic }.estimate
          .main,
        .measure("p_value", "how likely such a difference is with right propensities") {
          $0.tally.statistic.map { 2 * StandardNormal.upperTail(abs($0)) }
        }.pValue.main, .measure("variants", "variants that were chosen") { $0.distinct.count },
        .measure("varying", "those of them with more than one propensity") {
          $0.distinct.count { $0 > 1 }
        }.main,
        .measure("propensities", "most distinct propensities of a variant, up to 1000") {
          $0.distinct.max() ?? 0
        })
    }
  }

  /// Returns the distribution of the weights of each policy.
  func weights() -> TableDraft {
    let rows = places.flatMap { place in
      let weights = tally(place).weights
      let groups = WeightGroup.groups(weights.histogram)
      let total = groups.reduce(0) { $0 + $1.sum }
      return groups.map {
        (names: names(place), group: $0, decisions: Double(weights.count), total: total)
      }
    }
    return TableDraft(name: "weights", title: "Importance weights", of: rows) { columns in
      columns.policy { $0.names }
      columns.explained(
        "--table weights: weights in [low, high), powers of two; those of zero have low = high = 0",
        .key("low", "the smallest weight of the group, a power of two, or 0") { $0.group.low },
        .measure("high", "the end of the group, which does not belong to it") { $0.group.high }
          .main)
      columns.measure("decisions", "decisions with such a weight") { $0.group.count }.main
      columns.measure("share", "their share of the decisions") {
        Double($0.group.count) / $0.decisions
      }.share.main.explained(with: "low")
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
