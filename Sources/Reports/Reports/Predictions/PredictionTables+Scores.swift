internal import Events
internal import Prediction
internal import Replay
internal import Statistics
internal import Tables

extension PredictionTables {
  /// The ranks up to which hits are counted, distinct and ascending.
  private var cutoffs: [Int] { Set(result.plan.cutoffs.filter { $0 > 0 }).sorted() }

  /// Returns one row for each study, requested predictor and value of the dimension.
  func scores() throws(TableError) -> Table {
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
    var table = try Table(
      name: "predictions", title: "How good predictions were", of: rows
    ) { columns in
      columns.predictor { $0.names }
      columns.measure("events", "takes that were predicted") { $0.scores.events }
      columns.measure("hits", "takes of the option that was predicted first") { $0.scores.hits }
      columns.measure("hit_rate", "hits / events") { $0.scores.hitRate() }.share.main
      columns.measure("mrr", "mean of 1 / rank of the option taken, ties counted pessimistically") {
        $0.scores.meanReciprocalRank()
      }.estimate
      columns.measure("log_loss", "mean -ln of the confidence in the option taken, in nats") {
        $0.scores.logLoss
      }.estimate.main
      columns.measure("brier", "mean sum over options of the squared distance to the outcome") {
        $0.scores.brier
      }.estimate
      columns.measure("ece", "expected calibration error of the highest confidence, equal bins") {
        $0.scores.calibrationError
      }.estimate
      columns.measure("units", "units of which takes were predicted") { $0.scores.units }
      columns.measure("novel", "takes of an option that was not there: misses") { $0.scores.novel }
      columns.measure("blind", "takes when nothing was known that tells the options apart") {
        $0.scores.blind
      }
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
      }.estimate
      columns.measure("mrr_average", "mrr by the middle rank among equals") {
        $0.scores.meanReciprocalRank(.average)
      }.estimate
      columns.measure("mrr_declared", "mrr by the declared order among equals") {
        $0.scores.meanReciprocalRank(.declared)
      }.estimate
      columns.measure("log_loss_bits", "log_loss in bits") { $0.scores.logLossBits }.estimate
      columns.measure("ranked_probability", "mean ranked probability score, by declared order") {
        $0.scores.rankedProbability
      }.estimate
      columns.measure("threshold", "the confidence above which one would act, the least of several") {
        $0.acted?.threshold
      }
      columns.measure("coverage", "share of takes before which one would have acted") {
        $0.acted?.coverage
      }.share
      columns.measure("accuracy_above", "share of right ones among those") { $0.acted?.accuracy }
        .share
      columns.interval("accuracy_ci", "its interval (Wilson)") { $0.acted?.accuracyInterval }.share
      columns.measure("adaptive_ece", "ece with bins of as many takes each") {
        $0.scores.adaptiveCalibrationError
      }
      columns.measure("mce", "the greatest calibration error of a bin") {
        $0.scores.greatestCalibrationError
      }
      columns.measure("reliability", "Murphy's partition: distance of confidence and hit rate") {
        $0.murphy?.reliability
      }
      columns.measure("resolution", "Murphy's partition: how far hit rates of bins differ") {
        $0.murphy?.resolution
      }
      columns.measure("uncertainty", "Murphy's partition: hit rate * (1 - hit rate)") {
        $0.murphy?.uncertainty
      }
      columns.measure("normalised_entropy", "log_loss / entropy of the shares of options taken") {
        $0.scores.normalisedEntropy
      }
      columns.measure("kappa", "Cohen's kappa of what was predicted and taken") { $0.scores.kappa }
      columns.measure("macro_f1", "mean over options of the F1 score") { $0.scores.macroF1 }
      columns.measure("unit_hit_rate", "mean over units of their hit rates") { $0.means?.hitRate }
        .share
      columns.measure("unit_mrr", "mean over units of their mrr") { $0.means?.reciprocalRank }
      columns.measure("unit_log_loss", "mean over units of their log losses") { $0.means?.logLoss }
      columns.measure("unit_brier", "mean over units of their Brier scores") { $0.means?.brier }
      columns.measure("baseline", "the baseline with the lowest log loss, itself left out") {
        $0.baseline.map(predictor)
      }
      columns.difference("log_loss_skill", "1 - log_loss / that of the baseline") {
        $0.skill?.logLoss
      }.share.main
      columns.difference("brier_skill", "1 - brier / that of the baseline") { $0.skill?.brier }
        .share
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
    note(&table)
    return table.sorted()
  }
}
