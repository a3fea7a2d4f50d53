internal import Events
internal import Prediction
internal import Replay
internal import Statistics
internal import Tables

extension PredictionTables {
  /// The ranks up to which hits are counted, distinct and ascending.
  private var cutoffs: [Int] { Set(result.plan.cutoffs.filter { $0 > 0 }).sorted() }

  /// Returns one row for each study, requested predictor and value of the dimension.
  func scores() -> TableDraft {
    let rows = scored.map { scored in
      let (group, place, scores) = (scored.group, scored.place, scored.scores)
      let baseline = bestBaseline(group, besides: place)
      let skill = baseline.flatMap {
        result.skills(study: group.study, value: group.value)?.skill(of: place, against: $0)
      }
      return (
        names: scored.names, scores: scores, acted: scores.confident.first, murphy: scores.murphy,
        means: scores.unitMeans, baseline: skill == nil ? nil : baseline, skill: skill
      )
    }
    let plan = result.plan
    return TableDraft(
      name: "predictions", title: "How good predictions were", of: rows
    ) { columns in
      columns.explained(
        """
        by event time (ties: decisions before data points, then position in the log), each take is predicted, scored, \
        then learned. The first --warm-up takes of a unit in a study, and takes before --since, are learned and not \
        scored. With --delay a take is learned that long after it happened. Options are those in the study at the time, \
        in declared order; one that is taken and not there is a miss (novel), and joins them at once
        """,
        source: """
          A. P. Dawid, Present position and potential developments: the prequential approach, 1984; the semantics of \
          studies: definition
          """, as: "protocol (--warm-up, --delay)")
      columns.predictor { $0.names }
      columns.explained(
        """
        takes predicted; those of the option with the highest confidence, of several the one declared first; hits / \
        events; units with a take predicted; takes of an option that was not there; takes when the predictor knew \
        nothing that tells options apart
        """, .measure("events", "takes that were predicted") { $0.scores.events },
        .measure("hits", "takes of the option that was predicted first") { $0.scores.hits },
        .measure("hit_rate", "hits / events") { $0.scores.hitRate() }.share.main)
      columns.explained(
        """
        with r the rank of the option taken by confidence: mean of 1/r, of [r <= K], of [r <= K] / log2(r + 1); 0 for a \
        novel one. Among equals r is the last place (mrr, ndcg), the first (optimistic), the middle (average), or by \
        declared order (declared, hit_at_K)
        """,
        source: """
          E. M. Voorhees, The TREC-8 question answering track report, 1999; K. Jarvelin and J. Kekalainen, Cumulated \
          gain-based evaluation of IR techniques, 2002
          """, as: "mrr, mrr_optimistic, mrr_average, mrr_declared, hit_at_K, ndcg_at_K",
        .measure("mrr", "mean of 1 / rank of the option taken, ties counted pessimistically") {
          $0.scores.meanReciprocalRank()
        }.estimate)
      columns.explained(
        """
        mean of -ln max(p, 1e-15), p the confidence in the option taken as it is, 0 for a novel one; / ln 2; / entropy \
        of the shares of the options taken, so that 1 is who knows these shares and no more
        """,
        source: """
          I. J. Good, Rational decisions, 1952; X. He and others, Practical lessons from predicting clicks on ads at \
          Facebook, 2014
          """,
        .measure("log_loss", "mean -ln of the confidence in the option taken, in nats") {
          $0.scores.logLoss
        }.estimate.main)
      columns.explained(
        """
        mean over takes of sum over options (p_i - [i taken])^2, 0 to 2 where confidences add up to 1 at most; for a \
        novel one sum of p_i^2 + 1. The same with cumulative sums in declared order, / (options - 1)
        """,
        source: """
          G. W. Brier, Verification of forecasts expressed in terms of probability, 1950; E. S. Epstein, A scoring \
          system for probability forecasts of ranked categories, 1969
          """,
        .measure("brier", "mean sum over options of the squared distance to the outcome") {
          $0.scores.brier
        }.estimate)
      columns.explained(
        """
        takes by the highest confidence c, in --bins of equal width [low, high), 1 in the last; sum over bins of share \
        of takes * |hit rate - mean c|; the same with as many takes in each bin (from 1024 narrow bins, shared out \
        where an edge falls into one); the greatest |hit rate - mean c|
        """,
        source: """
          M. P. Naeini, G. F. Cooper and M. Hauskrecht, Obtaining well calibrated probabilities using Bayesian binning, \
          2015; K. Nguyen and B. O'Connor, Posterior calibration and exploratory analysis for natural language \
          processing models, 2015
          """,
        .measure("ece", "expected calibration error of the highest confidence, equal bins") {
          $0.scores.calibrationError
        }.estimate)
      columns.measure("units", "units of which takes were predicted") { $0.scores.units }.explained(with: "events")
      columns.measure("novel", "takes of an option that was not there: misses") { $0.scores.novel }.explained(
        with: "events")
      columns.measure("blind", "takes when nothing was known that tells the options apart") {
        $0.scores.blind
      }.explained(with: "events")
      for k in cutoffs {
        columns.measure("hit_at_\(k)", "share of takes whose option had a rank of at most \(k)") {
          $0.scores.hitRate(at: k)
        }
      }
      for k in cutoffs {
        columns.measure("ndcg_at_\(k)", "mean of 1 / log2(rank + 1) up to rank \(k), else 0") {
          $0.scores.discountedGain(at: k)
        }
      }
      columns.measure("mrr_optimistic", "mrr as if the option taken came first among equals") {
        $0.scores.meanReciprocalRank(.optimistic)
      }.estimate.explained(with: "mrr")
      columns.measure("mrr_average", "mrr by the middle rank among equals") {
        $0.scores.meanReciprocalRank(.average)
      }.estimate.explained(with: "mrr")
      columns.measure("mrr_declared", "mrr by the declared order among equals") {
        $0.scores.meanReciprocalRank(.declared)
      }.estimate.explained(with: "mrr")
      columns.measure("log_loss_bits", "log_loss in bits") { $0.scores.logLossBits }.estimate.explained(
        with: "log_loss")
      columns.measure("ranked_probability", "mean ranked probability score, by declared order") {
        $0.scores.rankedProbability
      }.estimate.explained(with: "brier")
      columns.explained(
        """
        acts where the highest confidence is strictly above --threshold: share of takes before which it would have \
        acted, share of hits among these; of several thresholds the least, and --table thresholds has a row for each
        """, source: "Beauchamp, a behaviour prediction library for apps",
        .measure("threshold", "the confidence above which one would act, the least of several") {
          $0.acted?.threshold
        },
        .measure("coverage", "share of takes before which one would have acted") {
          $0.acted?.coverage
        }.share,
        .measure("accuracy_above", "share of right ones among those") { $0.acted?.accuracy }
          .share)
      columns.interval("accuracy_ci", "its interval (Wilson)") { $0.acted?.accuracyInterval }.share
      columns.measure("adaptive_ece", "ece with bins of as many takes each") {
        $0.scores.adaptiveCalibrationError
      }.explained(with: "ece")
      columns.measure("mce", "the greatest calibration error of a bin") {
        $0.scores.greatestCalibrationError
      }.explained(with: "ece")
      columns.explained(
        """
        with the same bins: mean of (hit rate - mean c)^2, mean of (hit rate - hit rate of all)^2, h * (1 - h); \
        reliability - resolution + uncertainty is the Brier score of hit or miss, up to differences within a bin
        """, source: "A. H. Murphy, A new vector partition of the probability score, 1973",
        .measure("reliability", "Murphy's partition: distance of confidence and hit rate") {
          $0.murphy?.reliability
        },
        .measure("resolution", "Murphy's partition: how far hit rates of bins differ") {
          $0.murphy?.resolution
        },
        .measure("uncertainty", "Murphy's partition: hit rate * (1 - hit rate)") {
          $0.murphy?.uncertainty
        })
      columns.measure("normalised_entropy", "log_loss / entropy of the shares of options taken") {
        $0.scores.normalisedEntropy
      }.explained(with: "log_loss")
      columns.explained(
        """
        (a - e) / (1 - e), a = hit_rate, e = sum over options of share predicted * share taken; mean over options that \
        occur of 2 * hits / (times taken + times predicted)
        """, source: "J. Cohen, A coefficient of agreement for nominal scales, 1960",
        .measure("kappa", "Cohen's kappa of what was predicted and taken") { $0.scores.kappa },
        .measure("macro_f1", "mean over options of the F1 score") { $0.scores.macroF1 })
      columns.explained(
        "mean over units of the mean over the unit's takes: a unit counts once, however much it took",
        source: "definition (macro average)",
        .measure("unit_hit_rate", "mean over units of their hit rates") { $0.means?.hitRate }
          .share, .measure("unit_mrr", "mean over units of their mrr") { $0.means?.reciprocalRank },
        .measure("unit_log_loss", "mean over units of their log losses") { $0.means?.logLoss },
        .measure("unit_brier", "mean over units of their Brier scores") { $0.means?.brier })
      columns.explained(
        """
        1 - score / score of the baseline, differences of hit rate and mrr, over the same takes; baselines are uniform, \
        popular, last and beauchamp, or those of --baseline; that of --table scores is the one with the lowest log \
        loss, the predictor itself left out. Interval: ratio of sums over units by the delta method, Student t with \
        units - 1 degrees of freedom, 95 %
        """,
        source: """
          A. H. Murphy, Skill scores based on the mean square error, 1988; A. Deng and others, Applying the delta \
          method in metric analytics, 2018
          """, as: "baseline, log_loss_skill, brier_skill; --table skill",
        .measure("baseline", "the baseline with the lowest log loss, itself left out") {
          $0.baseline.map(predictor)
        },
        .difference("log_loss_skill", "1 - log_loss / that of the baseline") {
          $0.skill?.logLoss
        }.share.main,
        .difference("brier_skill", "1 - brier / that of the baseline") { $0.skill?.brier }
          .share)
      columns.measure("tie_rule", "who comes first among equal confidences") { _ in
        "declared first; mrr and ndcg pessimistic"
      }
      columns.measure("bin_rule", "how confidences are put into bins") { _ in
        "\(plan.bins) equal [low, high), 1 in the last"
      }
      columns.measure("log_base", "the base of the logarithm in log_loss") { _ in "e" }
      columns.measure("clip", "the least probability that log_loss takes") { _ in plan.clip }
      columns.measure("warm_up", "takes of a unit that are learned and not predicted") { _ in
        plan.warmUp
      }
      columns.measure("delay_seconds", "how long until a take is known") { _ in
        Double(plan.delay) / 1e6
      }.duration
      columns.breakdown(dimension) { $0.names.value }
    }
  }
}
