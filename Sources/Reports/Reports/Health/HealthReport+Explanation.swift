extension HealthReport {
  public static let explanation = Explanation(
    question: "can the data be trusted?",
    inputs: """
      decisions (time, unit, experiment, point, slot, variant, status, reason, propensity, choices, probabilities), \
      decisionConfirmed, goals (time, unit, experiment, point, slot, goal, value, status), conversions (time, unit, \
      goal, \
      revenue, negative), the times of data points, sessionExpired and assignmentRemoved; positions without an event
      """,
    of: columns,
    rules: [
      .init(
        "sample_ratio",
        """
        n of N units first exposed to a variant against what was expected; failed at p < 0.001 (--srm-alpha). \
        Expected: --expect; else what is logged; else, where nothing is, equal shares of the choices, among them \
        those that nobody got; the detail says which. Shares s that never change: X2 = sum((n - N s)^2 / (N s)) over \
        variants, chi-squared with (variants - 1) df; exact binomial where fewer than 5 units are expected; what \
        propensities leave of 1 is a variant that nobody got. Propensities that change, as those of an adaptive \
        policy do: z^2 = (n - sum p)^2 / sum p (1 - p), p the probability at each first exposure that it gave the \
        variant, from the logged probabilities of all choices, or with two variants from the propensity of the one \
        chosen; 1 df, times the number of variants if more than two (Bonferroni); Bennett's bound where the variance \
        is below 25. More than two variants and only the propensity p of the chosen one logged: sum 1/p over the \
        variant's units against N, one-sided, standard error sqrt(sum (1 - p)/p^2), variants with 30 units or more, \
        times their number. Not applicable where some propensities are missing, below 1e-6 or above 1. A database \
        keeps no probabilities of all choices, and no choices that change
        """,
        source: """
          K. Pearson, 1900; A. Fabijan et al., Diagnosing sample ratio mismatch in online controlled experiments, \
          2019; B. M. Brown, Martingale central limit theorems, 1971; D. A. Freedman, On tail probabilities for \
          martingales, 1975; D. G. Horvitz and D. J. Thompson, 1952
          """
      ),
      .init(
        "sample_ratio_sequential",
        """
        value = ln of the Bayes factor of Dirichlet-multinomials (mean s; concentrations 10, 100, 1000 and 10000, \
        each with weight 1/4) against s, from the final counts alone; p = min(1, 1 / factor), valid however often one \
        looks; not applicable where propensities change
        """,
        source: "M. Lindon and A. Malek, Anytime-valid inference for multinomial count data, 2022"
      ),
      .init(
        "crossed_units",
        """
        units exposed to a second variant at the same point and slot of an experiment; exposures are counted decisions \
        and repeated ones
        """, source: "definition"),
      .init(
        "pre_exposure_*",
        """
        conversions, revenue and values of goals of each unit in the time --before its first exposure, by the variant \
        of that exposure: Welch's t of two variants that both vary; else X2 = sum(n (m - M)^2) / s^2, with the \
        variance s^2 of all units, and (variants - 1) df; variants with 10 units or more
        """, source: "B. L. Welch, 1947; permutation moments of a one-way layout"),
      .init(
        "orphan_goals, orphan_conversions",
        """
        goals without a counted decision of their unit and experiment (at the point and slot that they name, if any) \
        at or before them; conversions before the first exposure of their unit, or of a unit without one, which says \
        nothing where --experiment leaves out experiments
        """, source: "definition"),
      .init(
        "late_events",
        "events behind a later event of their unit in the log; reports put them where they belong",
        source: "definition"),
      .init(
        "duplicate_*",
        """
        events that equal an earlier one in unit, time, kind, experiment, arm or goal, and number (propensity, value, \
        revenue); ids, metadata and context are not compared
        """, source: "definition"),
      .init(
        "shared_ids",
        """
        events that share kind, id and slot with an earlier one; the same content is stored once, so these differ (or \
        were appended with --allow-duplicates); a row only if there are some; not counted where the report is made of \
        a database or of partials, which do not keep ids: a note on standard error says so if events have ids
        """, source: "definition"),
      .init(
        "propensity_inverse",
        """
        mean of 1/p against the mean number of choices K (those with a probability above 0 where they are logged), \
        since E[1/p] = K; z = mean(1/p - K) / (s / sqrt(n)); a mean that is too small never fails: choices that are \
        rarely taken make it small
        """,
        source:
          "D. G. Horvitz and D. J. Thompson, 1952; L. Li et al., Counterfactual estimation, 2015"),
      .init(
        "propensity_calibration",
        """
        decisions that chose a variant against the sum of its logged probabilities: z = (n - sum(p)) / sqrt(sum(p (1 - \
        p))), p-values adjusted by Holm over the variants of the experiment; right for adaptive policies too
        """, source: "martingale central limit theorem; S. Holm, 1979"),
      .init(
        "busy_units", "units with more than --bot-events events on a day; none is dropped",
        source: "definition"),
      .init(
        "sample_ratio_units",
        "units of each variant beside those expected, with each variant's part of the statistic of sample_ratio",
        source: "K. Pearson, 1900"),
      .init(
        "refused_goals, excluded_decisions, unconfirmed_decisions, repeated_decisions, unknown_decisions, "
          + "left_out_decisions",
        """
        events that do not count, by their status: goals that the deciding system refused; decisions of units that \
        are not in the experiment; provisional decisions without a decisionConfirmed; the same assignment shown \
        again, an exposure but no new decision; a status that this version does not know; decisions left out by \
        --without-reason
        """, source: "definition"),
      .init(
        "erased_events, lost_events",
        "positions of the log without an event: erased on request (bandolier log erase), or lost to damage",
        source: "definition"),
      .init(
        "propensity_missing, propensity_range",
        "decisions without a propensity; with one that is not above 0 and at most 1", source: "definition"),
      .init(
        "propensity_sum, propensity_match, propensity_choice",
        """
        decisions whose logged probabilities do not add up to 1 within 1e-6; whose propensity differs from the \
        probability of the variant that they chose; whose variant is not among their choices
        """, source: "definition"),
    ] + Explanation.words(of: "verdict", \HealthVerdict.meaning))
}
