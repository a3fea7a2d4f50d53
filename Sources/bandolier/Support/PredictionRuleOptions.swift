public import ArgumentParser
import Prediction
public import Replay
import Reports

extension PredictionRules.Source: ExpressibleByArgument {}

/// The options of predictions and their scoring.
struct PredictionRuleOptions: ParsableArguments {
  /// The maximum cutoff: more columns would not be readable.
  private static let greatestCutoff = 1_000
  /// The maximum number of bins, which are stored for every predictor and study.
  private static let mostBins = 1_000

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
      "A confidence above which one would act; can be given more than once (0.5).",
      valueName: "confidence"))
  var threshold: [Double] = []

  @Option(
    help: ArgumentHelp(
      "How many takes of a study a unit must have before it is predicted.", valueName: "count"))
  var warmUp = 0

  @Option(
    help: ArgumentHelp(
      "How long after a take it is known: 7d, 12h, 30min or 90s (at once).", valueName: "duration"))
  var delay: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "Ranks up to which hits are counted, with commas (default: 1,3,5).", valueName: "ranks"),
    transform: Self.ranks)
  var cutoffs = [1, 3, 5]

  @Option(help: ArgumentHelp("Bins of equal width for calibration.", valueName: "count"))
  var bins = 10

  func validate() throws {
    guard threshold.allSatisfy({ (0...1).contains($0) }) else {
      throw ValidationError("--threshold must be a confidence from 0 to 1, such as 0.5")
    }
    guard warmUp >= 0 else { throw ValidationError("--warm-up must be 0 or more") }
    guard (1...Self.mostBins).contains(bins) else {
      throw ValidationError("--bins must be 1 to \(Self.mostBins)")
    }
  }

  /// The rules.
  var rules: PredictionRules {
    var rules = PredictionRules(
      predictors: predictor.isEmpty ? PredictionReport.standardPredictors : predictor)
    if !baseline.isEmpty { rules.baselines = baseline }
    rules.source = over
    rules.studies = study.isEmpty ? nil : study
    rules.plan.warmUp = warmUp
    rules.plan.delay = delay?.microseconds ?? 0
    rules.plan.cutoffs = cutoffs
    rules.plan.bins = bins
    if !threshold.isEmpty { rules.plan.thresholds = Set(threshold).sorted() }
    return rules
  }

  /// Parses ranks such as 1,3,5, without duplicates and in order.
  private static func ranks(_ text: String) throws -> [Int] {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    let valid = parts.compactMap { $0 }.filter { (1...greatestCutoff).contains($0) }
    guard valid.count == parts.count else {
      throw ValidationError(
        "--cutoffs takes whole numbers from 1 to \(greatestCutoff) separated by commas, such as 1,3,5"
      )
    }
    return Array(Set(valid)).sorted()
  }
}
