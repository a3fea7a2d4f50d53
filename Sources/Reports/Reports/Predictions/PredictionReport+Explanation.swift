extension PredictionReport {
  public static let explanation = Explanation(
    question: "how good would predictions of what units do next have been?",
    inputs: """
      --over studies: dataPoint of the kinds optionTaken and optionEncountered (time, unit, key = study, value = \
      option), configurationApplied of the system studies; for predictors that look at a unit, its other data points. \
      --over decisions: decisions (time, unit, experiment, point, slot, variant, choices, status, reason, context), \
      decisionConfirmed
      """,
    entries: scoring + calibrating + comparing)

  private static let scoring: [Explanation.Entry] = [
    .init(
      "protocol (--warm-up, --delay)",
      """
      by event time (ties: decisions before data points, then position in the log), each take is predicted, scored, \
      then learned. The first --warm-up takes of a unit in a study, and takes before --since, are learned and not \
      scored. With --delay a take is learned that long after it happened. Options are those in the study at the time, \
      in declared order; one that is taken and not there is a miss (novel), and joins them at once
      """,
      source: """
        A. P. Dawid, Present position and potential developments: the prequential approach, 1984; the semantics of \
        studies: definition
        """),
    .init(
      "events, hits, hit_rate, units, novel, blind",
      """
      takes predicted; those of the option with the highest confidence, of several the one declared first; hits / \
      events; units with a take predicted; takes of an option that was not there; takes when the predictor knew \
      nothing that tells options apart
      """, source: "definition"),
    .init(
      "mrr, mrr_optimistic, mrr_average, mrr_declared, hit_at_K, ndcg_at_K",
      """
      with r the rank of the option taken by confidence: mean of 1/r, of [r <= K], of [r <= K] / log2(r + 1); 0 for a \
      novel one. Among equals r is the last place (mrr, ndcg), the first (optimistic), the middle (average), or by \
      declared order (declared, hit_at_K)
      """,
      source: """
        E. M. Voorhees, The TREC-8 question answering track report, 1999; K. Jarvelin and J. Kekalainen, Cumulated \
        gain-based evaluation of IR techniques, 2002
        """),
    .init(
      "log_loss, log_loss_bits, normalised_entropy",
      """
      mean of -ln max(p, 1e-15), p the confidence in the option taken as it is, 0 for a novel one; / ln 2; / entropy \
      of the shares of the options taken, so that 1 is who knows these shares and no more
      """,
      source: """
        I. J. Good, Rational decisions, 1952; X. He and others, Practical lessons from predicting clicks on ads at \
        Facebook, 2014
        """),
    .init(
      "brier, ranked_probability",
      """
      mean over takes of sum over options (p_i - [i taken])^2, 0 to 2 where confidences add up to 1 at most; for a \
      novel one sum of p_i^2 + 1. The same with cumulative sums in declared order, / (options - 1)
      """,
      source: """
        G. W. Brier, Verification of forecasts expressed in terms of probability, 1950; E. S. Epstein, A scoring \
        system for probability forecasts of ranked categories, 1969
        """),
    .init(
      "kappa, macro_f1",
      """
      (a - e) / (1 - e), a = hit_rate, e = sum over options of share predicted * share taken; mean over options that \
      occur of 2 * hits / (times taken + times predicted)
      """, source: "J. Cohen, A coefficient of agreement for nominal scales, 1960"),
    .init(
      "unit_hit_rate, unit_mrr, unit_log_loss, unit_brier",
      "mean over units of the mean over the unit's takes: a unit counts once, however much it took",
      source: "definition (macro average)"),
  ]

  private static let calibrating: [Explanation.Entry] = [
    .init(
      "ece, adaptive_ece, mce",
      """
      takes by the highest confidence c, in --bins of equal width [low, high), 1 in the last; sum over bins of share \
      of takes * |hit rate - mean c|; the same with as many takes in each bin (from 1024 narrow bins, shared out \
      where an edge falls into one); the greatest |hit rate - mean c|
      """,
      source: """
        M. P. Naeini, G. F. Cooper and M. Hauskrecht, Obtaining well calibrated probabilities using Bayesian binning, \
        2015; K. Nguyen and B. O'Connor, Posterior calibration and exploratory analysis for natural language \
        processing models, 2015
        """),
    .init(
      "reliability, resolution, uncertainty",
      """
      with the same bins: mean of (hit rate - mean c)^2, mean of (hit rate - hit rate of all)^2, h * (1 - h); \
      reliability - resolution + uncertainty is the Brier score of hit or miss, up to differences within a bin
      """, source: "A. H. Murphy, A new vector partition of the probability score, 1973"),
    .init(
      "--table calibration",
      """
      the bins of ece, and tenths of the takes from the lowest confidence up; interval of the hit rate by Wilson, \
      which takes predictions for independent
      """,
      source: "E. B. Wilson, Probable inference, 1927"),
    .init(
      "threshold, coverage, accuracy_above",
      """
      acts where the highest confidence is strictly above --threshold: share of takes before which it would have \
      acted, share of hits among these; of several thresholds the least, and --table thresholds has a row for each
      """, source: "Beauchamp, a behaviour prediction library for apps"),
    .init(
      "--table learning-curve",
      """
      scores by how many takes the unit had before (one row each below 8, then four to each doubling), and by day; \
      where that were more than 512 days, by 2, 4, 8, ... days. Cumulative: all rows up to it; rolling: the row and \
      the 6 before
      """, source: "definition"),
  ]

  private static let comparing: [Explanation.Entry] = [
    .init(
      "baseline, log_loss_skill, brier_skill; --table skill",
      """
      1 - score / score of the baseline, differences of hit rate and mrr, over the same takes; baselines are uniform, \
      popular, last and beauchamp, or those of --baseline; that of --table scores is the one with the lowest log \
      loss, the predictor itself left out. Interval: ratio of sums over units by the delta method, Student t with \
      units - 1 degrees of freedom, 95 %
      """,
      source: """
        A. H. Murphy, Skill scores based on the mean square error, 1988; A. Deng and others, Applying the delta \
        method in metric analytics, 2018
        """),
    .init(
      "gain; --table history",
      """
      mean log loss of the baseline less that of the predictor, in nats, over takes of which the unit had 0, 1, 2-3, \
      4-7, ... before; interval as above
      """, source: "definition"),
    .init(
      "advice; --table advice",
      """
      the predictor with the lowest log loss, its skill against the best baseline and the runner-up. takes_needed: \
      the least history from which on it is better than the best baseline; later stages in which it is worse only \
      count when their interval leaves out 0
      """, source: "definition"),
  ]
}
