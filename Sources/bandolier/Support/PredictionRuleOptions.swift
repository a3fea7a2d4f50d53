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
      "A predictor, as `bandolier predictors` lists it; can be given more than once (default: the fast ones).",
      valueName: "predictor"), completion: .predictor,
    transform: PredictorArgument.parse)
  var predictor: [Predictor] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "A baseline that predictors are compared with; can be given more than once (default: uniform, popular, last and beauchamp).",
      valueName: "predictor"), completion: .predictor,
    transform: PredictorArgument.parse)
  var baseline: [Predictor] = []

  @Option(
    help: ArgumentHelp(
      "Confidence thresholds for acting on a prediction, separated by commas (default: 0.5).",
      valueName: "confidences"), transform: OptionValue.list(of: OptionValue.number))
  var threshold: [[Double]] = []

  @Option(
    help: ArgumentHelp(
      "Burn-in: the number of options a unit must have taken in a study before its predictions are scored (default: 0).",
      valueName: "count"),
    transform: OptionValue.integer)
  var warmUp = 0

  @Option(
    help: ArgumentHelp(
      "Label delay: how long after an option is taken it becomes known, such as 7d, 12h, 30m or 90s; 7 is 7 days (default: at once).",
      valueName: "duration"), transform: OptionValue.duration)
  var delay: Int64?

  @Option(
    help: ArgumentHelp(
      "Top-k cutoffs: ranks up to which hits are counted, separated by commas (default: 1,3,5).",
      valueName: "ranks"),
    transform: OptionValue.list(of: OptionValue.integer))
  var cutoffs = [1, 3, 5]

  @Option(
    help: ArgumentHelp(
      "Number of calibration bins of equal width (default: 10).", valueName: "count"),
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
