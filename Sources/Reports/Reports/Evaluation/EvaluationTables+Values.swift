internal import OffPolicy
internal import Specifications
internal import Statistics
internal import Tables

extension EvaluationTables {
  struct ValueRow {
    let names: PolicyNames
    let sums: OffPolicySums
    let standardError: Double?
    let interval: Interval?
    let weights: WeightDiagnostics?
    /// The decisions that the policy could have made too.
    let matched: Int
    let method: String?
    let verdict: EvaluationVerdict
    let status: String?
    /// The point and the slot; nil for all of them.
    let slot: (point: String, slot: String)?
  }

  /// Returns the value of each policy by each estimator, with a row for each interval.
  func values() -> TableDraft {
    var rows = places.flatMap { place in
      let tally = tally(place)
      return tally.estimates.enumerated().flatMap { index, estimate in
        self.rows(
          names(place, index), estimate, matched: estimate.sums.matched, tally.weights(of: index),
          verdict(place))
      } + slotRows(place)
    }
    for (evaluation, tally) in learners {
      let names = PolicyNames(
        experiment: name(evaluation), policy: tally.policy.specification.description,
        estimator: "replay")
      rows += self.rows(
        names, tally.estimate, matched: tally.accepted, nil, EvaluationVerdict(tally, evaluation))
    }
    return TableDraft(
      name: "evaluation", title: "Other policies, estimated from the log", of: rows
    ) { columns in
      columns.policy(\.names)
      columns.estimator(\.names)
      columns.explained(
        """
        confirmed decisions with a propensity in (0, 1] and a variant among their choices; their units. For a learning \
        policy the decisions of all runs
        """, .measure("decisions", "confirmed decisions with a propensity", \.sums.count))
      columns.explained(
        """
        the sum credited to a decision by --attribution, --window, --delay and the other rules of `report rewards`; 0 \
        if none
        """, as: "reward (r)")
      columns.explained(
        """
        the estimate (sum m)/n + (sum a)/(sum b), m, a and b as the estimator says; sqrt(sum psi_u^2 / (U (U - 1))), \
        psi_u = (m_u - M n_u)/nbar + (a_u - R b_u)/bbar over U units, with the sums of a unit's decisions, M = (sum \
        m)/n, R = (sum a)/(sum b), bars for means per unit. Empty where it would be none, with the reason in status: a \
        value that rests on a reward model (dm, and others whose rewards correct the model with less than 80 % of the \
        weight, or a mean weight below 0.4) or on cut weights (clipped-ips, sub-gaussian-ips and those chosen by slope \
        and cross-validated where less than 80 % of the weight is left, or |mean of lost weight * r| is above se / 10), \
        replay of unequal propensities, no reward with weight, units that do not differ, a log that cannot answer, an \
        effective sample size below 30. replay has no value of a policy that draws its choices
        """, source: "W. G. Cochran, Sampling techniques, 1977, section 6.4 (delta method for ratios)",
        .measure(
          "value", "the estimated mean reward of a decision of the policy", \.sums.value
        ).estimate.main,
        .measure("se", "the standard error of the value, by unit", \.standardError)
          .estimate.main)
      columns.interval("ci", "the interval of the value", \.interval).estimate.main
      columns.measure(
        "effective_sample_size", "(sum of weights)^2 / sum of squared weights",
        \.weights?.effectiveSampleSize
      ).count.main
      columns.measure(
        "mean_weight", "near 1 if propensities are right and the log has support", \.weights?.mean
      ).estimate
      columns.measure("max_weight", "the greatest weight", \.weights?.greatest).estimate
      columns.explained(
        """
        decisions with w > 0; for a learning policy those accepted. The estimator chosen by one that chooses
        """, .measure("matched", "decisions that the policy could have made too", \.matched))
      columns.measure("units", "distinct units among the decisions", \.sums.units).explained(with: "decisions")
      columns.key("interval", "the method of the interval", \.method)
      columns.measure(
        "choice", "the estimator chosen, where it is one of several", \.sums.choice?.description
      ).explained(with: "matched")
      columns.measure("verdict", "answers, weak or cannot-answer") {
        $0.slot == nil ? $0.verdict.answer.rawValue : nil
      }
      columns.explained(
        """
        why value, se or ci_low and ci_high are empty. A confidence sequence begins with 20 units with weight, 5 of \
        them with and, for rewards of 0 and 1, 5 without a reward
        """, .estimateStatus(\.status))
      if report.plan.dividesSlots {
        columns.key("point", "where in the app; empty for all slots together") {
          $0.slot?.point ?? ""
        }
        columns.key("slot", "which of several decisions at the point; empty for all of them") {
          $0.slot?.slot ?? ""
        }
      }
      columns.explained(
        """
        slate-ips, independent-ips, cascade-ips, cascade-dr, pseudo-inverse and their self-normalized forms: the \
        decisions of a unit at a point with the same time and distinct slots, in the order of the log, are one whole \
        decision, whose reward is the sum of those of its slots. A whole decision of which a slot's decision is not \
        used is left out; those are counted
        """,
        source:
          "J. McInerney et al., Counterfactual evaluation of slate recommendations with sequential reward "
          + "interactions, 2020", as: "decisions of estimators of whole decisions, incomplete_whole_decisions")
      columns.explained(
        """
        balanced-ips: target / share of the variant among the decisions at the same slot with the same choices and the \
        same values of the attributes that the policies read. multi-balanced: target / sum over logging policies l \
        (field policy) of n_l / n * p_l over the n decisions there; p_l is the logged propensity for the decision's own \
        policy, else the mean of the probabilities that l logged for the variant there, else its share of l's decisions \
        there: exact only if l looks at nothing else. mips: the target's probability of the variant's group over the \
        sum of the logged probabilities of its members, else over their shares there; a variant without a group is one \
        of its own. effective_sample_size, mean_weight and max_weight in the table of values are those of the \
        estimator's own weights, for one of whole decisions of the products of its slots' weights; the verdict rests on \
        those of logged propensities. Decisions without a logged propensity are left out here too, so that all \
        estimators are of the same decisions and the verdict holds for them; for a log of one policy without any, \
        import it with propensities estimated outside
        """,
        source: """
          A. Sondhi, D. Arbour and D. Dimmery, 2020; A. Agarwal et al., 2017; Y. Saito and T. Joachims, 2022
          """, as: "weights of balanced-ips, mips, multi-balanced-ips, multi-balanced-dr (--groups)")
      columns.explained(
        "estimates from the decisions of one slot alone; empty for all slots. Not for estimators of whole decisions",
        as: "point, slot (--per-slot)")
      columns.explained(
        """
        q the predicted reward of the chosen variant, v = sum over choices of target * prediction. With --folds K the \
        units are divided into K parts by a hash of their names, and each is predicted by a model of the others
        """,
        source: """
          M. Dudik, J. Langford and L. Li, Doubly robust policy evaluation and learning, 2011; V. Chernozhukov et al., \
          Double/debiased machine learning, 2018
          """, as: "reward_model (q, v), folds")
    }
  }

  /// The learning policies of each experiment, by its name.
  var learners: [(evaluation: Evaluation, tally: LearningPolicyTally)] {
    experiments.flatMap { place in
      evaluations[place].learningPolicies.map { (evaluations[place], $0) }
    }
  }

  /// Returns a row for each interval of an estimate; one without an interval if there are none.
  ///
  /// - Parameters:
  ///   - names: The experiment, the policy and the estimator.
  ///   - estimate: The estimate.
  ///   - matched: The decisions that the policy could have made too.
  ///   - weights: The weights; nil if there are none.
  ///   - verdict: The verdict on the policy.
  ///   - slot: The point and the slot; nil for all of them.
  /// - Returns: The rows.
  func rows(
    _ names: PolicyNames, _ estimate: OffPolicyEstimate, matched: Int,
    _ weights: WeightDiagnostics?, _ verdict: EvaluationVerdict,
    slot: (point: String, slot: String)? = nil
  ) -> [ValueRow] {
    let intervals = estimate.intervals(level: report.level)
    let methods = report.plan.intervals.map(\.specification.description)
    let withheld =
      verdict.withheld
      ?? weights.flatMap { EvaluationChecks.shortage($0.effectiveSampleSize, of: $0.count) }
    return (0..<max(1, methods.count)).map { index in
      let isKnown = index < methods.count
      let interval = isKnown && withheld == nil ? intervals[index] : nil
      return ValueRow(
        names: names, sums: estimate.sums, standardError: withheld == nil ? estimate.sums.standardError : nil,
        interval: interval, weights: weights, matched: matched, method: isKnown ? methods[index] : nil,
        verdict: verdict,
        status: verdict.absence.map { "no value: \($0)" }
          ?? EstimateStatus.text(estimate, withheld: withheld, interval: index, interval),
        slot: slot)
    }
  }
}
