public import ArgumentParser
import Prediction
public import Replay
import Reports

extension PredictionRules.Source: ExpressibleByArgument {}

/// The options of predictions and their scoring.
struct PredictionRuleOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What is predicted: studies (options taken) or decisions (variants chosen).",
      valueName: "what"))
  var over: PredictionRules.Source = .studies

  @Option(
    help: ArgumentHelp(
      "Only this study, or experiment of decisions; can be given more than once.",
      valueName: "name"))
  var study: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "What predicts, as `bandolier predictors` lists it; can be given more than once (those that are quick).",
      valueName: "predictor"),
    transform: PredictorArgument.parse)
  var predictor: [Predictor] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "What predictors are compared with; can be given more than once (uniform, popular, last and beauchamp).",
      valueName: "predictor"),
    transform: PredictorArgument.parse)
  var baseline: [Predictor] = []

  @Option(
    help: ArgumentHelp(
      "Confidences above which one would act, separated by commas (default: 0.5).",
      valueName: "confidences"), transform: OptionValue.list(of: OptionValue.number))
  var threshold: [[Double]] = []

  @Option(
    help: ArgumentHelp(
      "How many takes of a study a unit must have before it is predicted.", valueName: "count"),
    transform: OptionValue.integer)
  var warmUp = 0

  @Option(
    help: ArgumentHelp(
      "How long after a take it is known, such as 7d, 12h, 30m or 90s (default: at once).",
      valueName: "duration"), transform: OptionValue.duration)
  var delay: Int64?

  @Option(
    help: ArgumentHelp(
      "Ranks up to which hits are counted, with commas (default: 1,3,5).", valueName: "ranks"),
    transform: OptionValue.list(of: OptionValue.integer))
  var cutoffs = [1, 3, 5]

  @Option(
    help: ArgumentHelp("Bins of equal width for calibration.", valueName: "count"),
    transform: OptionValue.integer)
  var bins = 10

  /// The rules.
  var rules: PredictionRules {
    var rules = PredictionRules(
      predictors: predictor.isEmpty ? PredictionReport.standardPredictors : predictor)
    if !baseline.isEmpty { rules.baselines = baseline }
    rules.source = over
    rules.studies = study.isEmpty ? nil : study
    rules.plan.warmUp = warmUp
    rules.plan.delay = delay ?? 0
    rules.plan.cutoffs = cutoffs
    rules.plan.bins = bins
    if !threshold.isEmpty { rules.plan.thresholds = threshold.flatMap { $0 } }
    return rules
  }
}
