public import ArgumentParser
import EventLog
import Prediction
import Replay
public import Reports
import Tables

extension PredictionTable: ExpressibleByArgument {}

extension PredictionReport: ReportWithOptions {
  typealias CommandOptions = PredictionOptions
}

/// The options of the report `predictions`.
struct PredictionOptions: ReportOptions {
  static let usage = "bandolier report predictions <log> [<options>]"

  static let discussion = """
    Goes through the log in the order of event time: each option taken is predicted from what came before it, \
    the prediction is scored, and only then is the take learned. Under the table stands which predictor to use, \
    by how much it is better, how sure that is, and how many takes of a unit it needs; --table advice \
    has the same as a table. `bandolier predictors` lists what predicts, and `bandolier explain predictions` has the formulas.
    """

  static let examples = [
    #"""
    bandolier generate studies:units=20 --events 5000 --seed 2 \
      --log taps.log
    """#,
    "bandolier report predictions taps.log --predictor ppm",
    "bandolier report predictions taps.log --table advice",
  ]

  @OptionGroup var predictions: PredictionRuleOptions

  @Option(
    help: ArgumentHelp(
      "scores, calibration, learning-curve, skill, history, thresholds or advice.",
      valueName: "which"))
  var table: PredictionTable = .scores

  @Option(
    help: ArgumentHelp(
      "Draw how often predictions of a confidence were right into a file.", valueName: "file.svg"))
  var plotReliability: String?

  @Option(
    help: ArgumentHelp(
      "Draw how predictions became better into a file.", valueName: "file.svg"))
  var plotLearning: String?

  func report() throws -> PredictionReport {
    try PredictionReport(
      rules: predictions.rules, table: table, reliabilityPlot: plotReliability,
      learningPlot: plotLearning)
  }

  func validate(with verb: ReportVerb<Self>) throws {
    guard predictions.over == .studies else { return }
    if !verb.replay.experiment.isEmpty {
      throw ValidationError("--experiment goes with --over decisions; name studies with --study")
    }
    if !verb.replay.withoutReason.isEmpty {
      throw ValidationError("--without-reason goes with --over decisions; takes have no reasons")
    }
  }
}
