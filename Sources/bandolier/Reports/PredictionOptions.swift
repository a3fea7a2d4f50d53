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
  typealias Log = LogOrPartsArgument

  static let usage = "bandolier report predictions <log> [<options>]"

  static let discussion = """
    Evaluates predictors prequentially: in the order of event time, each option taken is predicted from what came before \
    it, the prediction is scored, and only then is the option learned. The notes under the table name the best \
    predictor of each study, by how much it beats the baselines, with what confidence, and how much history of a unit it \
    needs; --table advice has the same as a table. `bandolier predictors` lists the predictors, and \
    `bandolier explain predictions` has the formulas.
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
      "Table to print.",
      valueName: "which"))
  var table: PredictionTable = .scores

  @Option(
    help: ArgumentHelp(
      "Draw reliability diagrams into a file; further pages go into FILE_2.svg and so on.",
      valueName: "file.svg"), completion: .svg)
  var plotReliability: String?

  @Option(
    help: ArgumentHelp(
      "Draw learning curves into a file; further pages go into FILE_2.svg and so on.",
      valueName: "file.svg"), completion: .svg)
  var plotLearning: String?

  func report() throws -> PredictionReport {
    try PredictionReport(
      rules: predictions.rules, table: table, reliabilityPlot: plotReliability,
      learningPlot: plotLearning)
  }

  func validate(with verb: ReportVerb<Self>) throws {
    guard predictions.over == .studies else { return }
    if !verb.replay.experiment.isEmpty {
      throw ValidationError("--experiment requires --over decisions; select studies with --study")
    }
    if !verb.replay.withoutReason.isEmpty {
      throw ValidationError(
        "--without-reason requires --over decisions; options taken in studies have no reasons")
    }
  }
}
