public import ArgumentParser
import EventLog
import Prediction
import Replay
public import Reports

extension PredictionTable: ExpressibleByArgument {}

struct ReportPredictionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "predictions",
    abstract: "How good predictions of what units do next would have been.",
    usage: "bandolier report predictions <log> [<options>]",
    discussion: """
      Goes through the log in the order of event time: each option taken is predicted from what came before it, \
      the prediction is scored, and only then is the take learned. Under the table stands which predictor to use, \
      by how much it is better, how sure that is, and how many takes of a unit it needs; --table advice \
      has the same as a table. `bandolier predictors` lists what predicts, and `bandolier explain predictions` has the formulas.
      """)

  @OptionGroup var log: LogArgument

  @OptionGroup var predictions: PredictionOptions

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

  @OptionGroup var replay: ReplayOptions
  @OptionGroup var output: ReportOutputOptions

  func validate() throws {
    guard predictions.over == .studies else { return }
    if !replay.experiment.isEmpty {
      throw ValidationError("--experiment goes with --over decisions; name studies with --study")
    }
    if !replay.withoutReason.isEmpty {
      throw ValidationError("--without-reason goes with --over decisions; takes have no reasons")
    }
  }

  func run() throws {
    try replay.reading(log, names: []) { try report($0) }
  }

  private func report(_ source: ReportSource) throws {
    let rules = predictions.rules
    let result = try source.predictions(rules)
    try requireStudies(of: result.plan.catalog.studies)
    if result.ledger.takes == 0 { Message.print("note: \(log.log) \(nothing)") }
    let report = PredictionReport(result, source: rules.source, dimension: replay.by)
    var table = try report.table(table)
    table.note(lossesOf: source)
    if let path = plotReliability {
      try output.output.write(report.reliabilityPlot, toFile: path)
    }
    if let path = plotLearning { try output.output.write(report.learningPlot, toFile: path) }
    try output.write(table)
  }

  /// Why there is nothing to predict.
  private var nothing: String {
    switch predictions.over {
    case .studies:
      "has no takes of options that are looked at; decisions are predicted with --over decisions"
    case .decisions:
      "has no decisions that are looked at; takes of options are predicted with --over studies"
    }
  }

  private func requireStudies(of names: [String]) throws {
    for name in predictions.study {
      let isThere = names.contains { study in
        study.utf8.elementsEqual(name.utf8)
          // Of decisions a study is an experiment, with point and slot if they are not the standard ones.
          || predictions.over == .decisions && study.utf8.starts(with: (name + "/").utf8)
      }
      guard !isThere else { continue }
      throw Failure(
        exitCode: Failure.badData,
        "\(log.log) has no \(predictions.over == .studies ? "study" : "experiment") \"\(name)\" that is looked at; "
          + "`bandolier report predictions \(log.log)\(predictions.over == .studies ? "" : " --over decisions")` "
          + "lists what it has")
    }
  }
}
