public import ArgumentParser
import EventLog
import Prediction
import Replay
public import Reports
import Tables

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
    try requireStudies(of: result.plan.catalog.studies, source)
    let isNoted = note(result, source)
    let report = PredictionReport(result, source: rules.source, dimension: replay.by)
    var table = try report.table(table)
    table.note(lossesOf: source)
    if let path = plotReliability {
      try output.output.write(report.reliabilityPlot, toFile: path)
    }
    if let path = plotLearning { try output.output.write(report.learningPlot, toFile: path) }
    if isNoted { return try output.write(table) }
    try output.write(table, of: source, by: replay.by)
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

  /// Notes why there is nothing to score, where times outside of the log are not the reason.
  ///
  /// - Returns: Whether there is nothing.
  private func note(_ result: PredictionResult, _ source: ReportSource) -> Bool {
    guard !source.isExplained else { return false }
    let takes = result.ledger.takes
    if takes == 0 {
      Message.print("note: \(log.log) \(nothing)")
      return true
    }
    guard result.predictors.first?.tallies.groups.isEmpty ?? true else { return false }
    Message.print(
      "note: none of the \(takes) takes is scored: they are the first ones of their units in a study, and --warm-up "
        + "\(predictions.warmUp) leaves these out")
    return true
  }

  private func requireStudies(of found: [String], _ source: ReportSource) throws {
    guard !predictions.study.isEmpty, !source.lookup.isEmpty else { return }
    let names = try source.log.map { try LogNames($0, [.keys, .experiments]) }
    let known =
      found + (names?.texts(predictions.over == .studies ? .keys : .experiments) ?? [])
    let unknown = predictions.study.filter { name in
      // Where nothing is looked at, nobody can say which points and slots an experiment has.
      if found.isEmpty, known.contains(where: { name.utf8.starts(with: ($0 + "/").utf8) }) {
        return false
      }
      return !known.contains { study in
        study.utf8.elementsEqual(name.utf8)
          // Of decisions a study is an experiment, with point and slot if they are not the standard ones.
          || predictions.over == .decisions && study.utf8.starts(with: (name + "/").utf8)
      }
    }
    try NameLookup.refuse(unknown, hasKnown: unknown.count < predictions.study.count) { name in
      let noun = predictions.over == .studies ? "study" : "experiment"
      return UnknownName.message(name, noun: noun, among: known, path: log.log)
    }
  }
}

extension ReportPredictionsCommand: WorkedExamples {
  static let examples = [
    #"""
    bandolier generate studies:units=20 --events 5000 --seed 2 \
      --log taps.log
    """#,
    "bandolier report predictions taps.log --predictor ppm",
    "bandolier report predictions taps.log --table advice",
  ]
}
