public import EventLog
public import Prediction
public import Replay

/// The tables of the report `predictions`, by the names of the command line.
public enum PredictionTable: String, CaseIterable, Sendable {
  /// How good each predictor was in each study.
  case scores
  /// How often predictions of about the same confidence were right.
  case calibration
  /// How scores changed with the history of units and with time.
  case learningCurve = "learning-curve"
  /// How much better each predictor was than each baseline.
  case skill
  /// The same by how long a history units had.
  case history
  /// What came of acting above each threshold.
  case thresholds
  /// Which predictor to use in each study.
  case advice
}

/// The report `predictions`: how often predictors would have been right about what units did next.
public struct PredictionReport: Report {
  /// The name behind `report`.
  public static let name = "predictions"
  /// What the report says, in one line.
  public static let abstract =
    "How good predictions of what units do next would have been."

  /// What is predicted, by what, and how that is scored.
  public let rules: PredictionRules
  /// Which table is made.
  public let table: PredictionTable
  /// The path of a plot of how often predictions of a confidence were right; nil for none.
  public let reliabilityPlot: String?
  /// The path of a plot of how predictions became better; nil for none.
  public let learningPlot: String?

  /// What predicts where nobody says what should: those that are quick, and the baselines.
  public static let standardPredictors: [Predictor] =
    [
      "beauchamp", "frequency", "recency", "half-life:days=5", "last", "calendar", "markov:order=1",
      "markov:order=2", "markov:order=1,smoothing=5", "markov:order=2,smoothing=5",
      "markov:order=3,smoothing=5", "ppm:order=3", "ctw", "pooled",
      "pooled:base=(markov:order=2,smoothing=5),context=2", "popular", "uniform",
    ].compactMap { try? Predictors.named($0) }

  /// A report of predictions.
  ///
  /// - Parameters:
  ///   - rules: What is predicted, by what, and how that is scored.
  ///   - table: Which table is made.
  ///   - reliabilityPlot: The path of a plot of how often predictions of a confidence were right; nil for none.
  ///   - learningPlot: The path of a plot of how predictions became better; nil for none.
  public init(
    rules: PredictionRules = PredictionRules(predictors: standardPredictors),
    table: PredictionTable = .scores, reliabilityPlot: String? = nil, learningPlot: String? = nil
  ) {
    self.rules = rules
    self.table = table
    self.reliabilityPlot = reliabilityPlot
    self.learningPlot = learningPlot
  }

  /// None.
  public var vocabularies: Set<Vocabulary> { [] }

  /// Makes the report.
  ///
  /// - Throws: ``ReportError`` when the log has none of the studies.
  public func result(of source: ReportSource) throws -> ReportResult {
    let result = try source.predictions(rules)
    try requireStudies(of: result.plan.catalog.studies, source)
    let isNoted = note(result, source)
    let tables = PredictionTables(result, source: rules.source, dimension: source.dimension)
    var answer = ReportResult(try tables.table(table))
    if let path = reliabilityPlot { answer.files.append((path, tables.reliabilityPlot)) }
    if let path = learningPlot { answer.files.append((path, tables.learningPlot)) }
    answer.isExplained = isNoted
    return answer
  }

  /// Why there is nothing to predict.
  private var nothing: String {
    switch rules.source {
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
      source.say("note: \(source.path) \(nothing)")
      return true
    }
    guard result.predictors.first?.tallies.groups.isEmpty ?? true else { return false }
    source.say(
      "note: none of the \(takes) takes is scored: they are the first ones of their units in a study, and --warm-up "
        + "\(rules.plan.warmUp) leaves these out")
    return true
  }

  private func requireStudies(of found: [String], _ source: ReportSource) throws {
    guard let studies = rules.studies, !source.lookup.isEmpty else { return }
    let names = try source.log.map { try LogNames($0, [.keys, .experiments]) }
    let known =
      found + (names?.texts(rules.source == .studies ? .keys : .experiments) ?? [])
    let unknown = studies.filter { name in
      // Where nothing is looked at, nobody can say which points and slots an experiment has.
      if found.isEmpty, known.contains(where: { name.utf8.starts(with: ($0 + "/").utf8) }) {
        return false
      }
      return !known.contains { study in
        study.utf8.elementsEqual(name.utf8)
          // Of decisions a study is an experiment, with point and slot if they are not the standard ones.
          || rules.source == .decisions && study.utf8.starts(with: (name + "/").utf8)
      }
    }
    try source.lookup.refuse(unknown, hasKnown: unknown.count < studies.count) { name in
      let noun = rules.source == .studies ? "study" : "experiment"
      return UnknownName.message(name, noun: noun, among: known, path: source.path)
    }
  }
}
