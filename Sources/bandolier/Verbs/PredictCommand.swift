import ArgumentParser
import DecidingStudies
import EventLog
import Events
import Prediction
import Replay
import Reports
internal import Specifications
import Statistics

struct PredictCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "predict",
    abstract: "Predict which option a unit will take next in a study.",
    usage: "bandolier predict <study> --log <log> --unit <unit> [...]",
    discussion: """
      Predicts from the options that the unit took and encountered before, as `bandolier data` records them. The \
      answer is one JSON object with the likeliest option, its confidence and its reason, and all options by \
      confidence. Nothing is appended unless --options or --act says so.

      Predictors: \(Predictors.all.map(\.name).joined(separator: ", ")); `bandolier predictors` says what they do, and \
      which parameters they have, as in half-life:days=5.
      """)

  @Argument(help: ArgumentHelp("The study: a place where a choice recurs.", valueName: "study"))
  var study: String

  @OptionGroup var live: LiveOptions

  @Option(
    help: ArgumentHelp("The predictor (default: beauchamp).", valueName: "predictor"),
    completion: .predictor,
    transform: { try Predictors.named($0) })
  var predictor = Predictor.beauchamp

  @Option(
    help: ArgumentHelp(
      "Confidence threshold: no prediction at or below it (default: none).", valueName: "number"),
    transform: OptionValue.number)
  var threshold: Double?

  @Option(
    help: ArgumentHelp(
      "Define the study with these options, separated by commas, if the log does not have it.",
      valueName: "options"))
  var options: String?

  @Flag(help: "Append a decision that records acting on the prediction.")
  var act = false

  func run() throws {
    // A log that does not exist has no study to predict in, and is created only to define one.
    if options == nil { _ = try LogReader(live.log) }
    let log = try LiveLog(live)
    let studies = Studies(
      unit: live.unit, surroundings: log.surroundings(), predictor: predictor,
      replaying: try log.eventsOfUnit())
    if let options, studies[study] == nil {
      let names = options.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      try studies.define(Study(description: study, optionDescriptions: names))
    }
    guard studies[study] != nil else {
      throw Failure(
        exitCode: Failure.badData,
        UnknownName.message(
          study, noun: "study", among: studies.all.map(\.description), path: live.log)
          + "; define it with --options A,B")
    }
    // `Studies` sees the events of one unit only; those of all units are in the log.
    if let common = try LogReplay(log.reader).pool(of: predictor, study: study) {
      studies.share(common, in: study)
    }
    let ranked = try studies.rankedPredictions(in: study)
    let best = try studies.mostLikelyPrediction(in: study, above: threshold)
    if act, let best { _ = try studies.act(on: best, in: study) }
    try log.answer(
      .answer([
        ("study", .string(study)), ("unit", .string(live.unit)),
        ("predictor", .string("\(predictor)")),
        ("decision", best.map { .string($0.option.description) } ?? .null),
        ("confidence", best.map { .number($0.confidence) }),
        ("reason", best.map { .string($0.reason.rawValue) }),
        ("options", .array(ranked.map(Self.row))),
      ]))
  }

  private static func row(_ prediction: StudyPrediction) -> JSONValue {
    [
      "option": .string(prediction.option.description),
      "confidence": .number(prediction.confidence),
    ]
  }
}

extension PredictCommand: WorkedExamples {
  static let examples = [
    #"""
    bandolier generate studies:units=20 --events 5000 --seed 2 \
      --log taps.log
    """#,
    "bandolier predict tabs --log taps.log --unit u-1",
    #"""
    bandolier predict tabs --log taps.log --unit u-1 \
      --predictor markov:order=2
    """#,
  ]
}
