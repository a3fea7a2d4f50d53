public import EventLog
internal import Plots
public import Prediction
public import Replay
internal import Specifications

/// The tables of the report `predictions`, by their names on the command line.
public enum PredictionTable: String, CaseIterable, Sendable {
  /// The quality of each predictor in each study.
  case scores
  /// The hit rate by confidence.
  case calibration
  /// Scores by the length of a unit's history and by time.
  case learningCurve = "learning-curve"
  /// The skill of each predictor against each baseline.
  case skill
  /// The skill by the length of a unit's history.
  case history
  /// The result of acting only above each confidence threshold.
  case thresholds
  /// The recommended predictor of each study.
  case advice
}

/// The report `predictions`: a prequential evaluation of predictors of the next choices of units.
public struct PredictionReport: Report {
  public static let name = "predictions"
  public static let abstract =
    "Backtest of predictors of the next choices of units."

  public static let discussion = """
    Evaluates predictors prequentially: in the order of event time, each option taken is predicted from what came \
    before it, the prediction is scored, and only then is the option learned. The notes under the table name the best \
    predictor of each study, by how much it beats the baselines, with what confidence, and how much history of a unit \
    it needs; --table advice has the same as a table. `bandolier predictors` lists the predictors, and `bandolier \
    explain predictions` has the formulas.
    """

  public static let examples = [
    #"""
    bandolier generate studies:units=20 --events 5000 --seed 2 \
      --log taps.log
    """#,
    "bandolier report predictions taps.log --predictor ppm",
    "bandolier report predictions taps.log --table advice",
  ]

  /// The studies, the predictors and the scoring.
  public var rules = PredictionRules(predictors: standardPredictors)
  /// The table of the report.
  public var table = PredictionTable.scores
  /// The path of a plot of reliability diagrams; nil for none.
  public var reliabilityPlot: String?
  /// The path of a plot of learning curves; nil for none.
  public var learningPlot: String?

  /// The default predictors: the fast ones and the baselines.
  public static let standardPredictors: [Predictor] =
    [
      "beauchamp", "frequency", "recency", "half-life:days=5", "last", "calendar", "markov:order=1",
      "markov:order=2", "markov:order=1,smoothing=5", "markov:order=2,smoothing=5",
      "markov:order=3,smoothing=5", "ppm:order=3", "ctw", "pooled",
      "pooled:base=(markov:order=2,smoothing=5),context=2", "popular", "uniform",
    ].compactMap { try? Predictors.named($0) }

  /// Creates the report with its standard parameters.
  public init() {}

  @OptionsBuilder<Self>
  public static var options: [ReportOption<Self>] {
    Option.choice(
      "over", \.rules.source, "what",
      "What is predicted: studies (options taken) or decisions (variants chosen)."
    ).grouped(.input)
    Option.repeated(
      "study", \.studies, "name",
      "Only this study, or experiment of decisions; can be given more than once."
    ) { $0 }.grouped(.input)
    Option.predictors(
      "predictor", \.rules.predictors,
      "A predictor, as `bandolier predictors` lists it; can be given more than once (default: the fast ones)."
    )
    Option.predictors(
      "baseline", \.rules.baselines,
      "A baseline that predictors are compared with; can be given more than once (default: uniform, popular, last and "
        + "beauchamp)."
    ).grouped(.statistics)
    Option.list(
      "threshold", \.rules.plan.thresholds, "confidences",
      "Confidence thresholds for acting on a prediction, separated by commas (default: 0.5).",
      OptionValue.number
    ).grouped(.statistics)
    Option.integer(
      "warm-up", \.rules.plan.warmUp, "count",
      "Burn-in: the number of options a unit must have taken in a study before its predictions are scored (default: 0)."
    )
    Option.duration(
      "delay", \.rules.plan.delay, "duration",
      "Label delay: how long after an option is taken it becomes known, such as 7d, 12h, 30m or 90s; 7 is 7 days "
        + "(default: at once)."
    ).grouped(.attribution)
    Option.list(
      "cutoffs", \.rules.plan.cutoffs, "ranks",
      "Top-k cutoffs: ranks up to which hits are counted, separated by commas (default: 1,3,5).",
      { try OptionValue.integer($0) as Int })
    Option.integer(
      "bins", \.rules.plan.bins, "count",
      "Number of calibration bins of equal width (default: 10)."
    ).grouped(.statistics)
    Option.choice("table", \.table, "which", "Table to print.").grouped(.output)
    Option.plot(
      "plot-reliability", \.reliabilityPlot,
      "Draw reliability diagrams into a file; further pages go into FILE_2.svg and so on.")
    Option.plot(
      "plot-learning", \.learningPlot,
      "Draw learning curves into a file; further pages go into FILE_2.svg and so on.")
  }

  public static let needsLog = true

  /// The names of the studies; empty for all.
  private var studies: [String] {
    get { rules.studies ?? [] }
    set { rules.studies = newValue.isEmpty ? nil : newValue }
  }

  public var refusedSelections: [(option: SelectionOption, reason: String)] {
    guard rules.source == .studies else { return [] }
    return [
      (.experiment, "requires --over decisions; select studies with --study"),
      (
        .withoutReason,
        "requires --over decisions; options taken in studies have no reasons"
      ),
    ]
  }

  public mutating func validate() throws(ReportError) {
    try Self.check(rules.plan)
    rules.plan.cutoffs = Set(rules.plan.cutoffs).sorted()
    rules.plan.thresholds = Set(rules.plan.thresholds).sorted()
  }

  /// Throws an error for a parameter of the scoring that is out of range. More cutoffs would not be readable, and bins
  /// are stored for every predictor and study.
  private static func check(_ plan: EvaluationPlan) throws(ReportError) {
    try ReportError.require(
      plan.thresholds.allSatisfy { (0...1).contains($0) }, "threshold",
      "must be a confidence from 0 to 1, such as 0.5")
    try ReportError.require(plan.warmUp >= 0, "warm-up", "must be 0 or more")
    try ReportError.require(plan.delay >= 0, "delay", "must not be negative")
    try ReportError.require(
      plan.cutoffs.allSatisfy { (1...1_000).contains($0) }, "cutoffs",
      "must be whole numbers from 1 to 1000, such as 1,3,5")
    try ReportError.require((1...1_000).contains(plan.bins), "bins", "must be from 1 to 1000")
  }

  /// It can if no predictor or baseline learns from several units.
  public var partials: PartialSupport {
    let pooled = (rules.predictors + rules.baselines).filter(\.isPooled).map(\.description)
    guard !pooled.isEmpty else { return .byUnits }
    let names = pooled.distinctNames.joined(separator: ", ")
    return .none(
      instead:
        "\(names) \(pooled.count == 1 ? "learns" : "learn") from the takes of all units in their order; name "
        + "predictors with --predictor and baselines with --baseline that do not, such as last and ppm:order=3, or "
        + "make the report of the whole log"
    )
  }

  public var vocabularies: Set<Vocabulary> { [] }

  /// Computes the report.
  ///
  /// - Throws: ``ReportError`` if the log has none of the studies.
  public func result(of source: ReportSource) throws -> ReportResult {
    let result = try source.predictions(rules)
    try requireStudies(of: result.plan.catalog.studies, source)
    let isNoted = note(result, source)
    let tables = PredictionTables(result, source: rules.source, dimension: source.dimension)
    var answer = ReportResult(try tables.table(table))
    if let path = reliabilityPlot {
      answer.files += Figure.files(Self.figures(of: try tables.table(.calibration)), path: path)
    }
    if let path = learningPlot {
      answer.files += Figure.files(Self.figures(of: try tables.table(.learningCurve)), path: path)
    }
    answer.isExplained = isNoted
    return answer
  }

  /// The reason why there is nothing to predict.
  private var nothing: String {
    switch rules.source {
    case .studies:
      "has no options taken in the selected studies and times; use --over decisions to predict decisions"
    case .decisions:
      "has no decisions of the selected experiments and times; use --over studies to predict options taken"
    }
  }

  /// Notes why there is nothing to score, unless a message has said that the selected times are outside the log.
  ///
  /// - Returns: Whether there is nothing to score.
  private func note(_ result: PredictionResult, _ source: ReportSource) -> Bool {
    guard !source.isExplained else { return false }
    let takes = result.ledger.takes
    if takes == 0 {
      source.say("note: \(source.path) \(nothing)")
      return true
    }
    guard result.predictors.first?.tallies.groups.isEmpty ?? true else { return false }
    source.say(
      "note: none of the \(takes) options taken is scored: no unit took more in a study than the burn-in of --warm-up "
        + "\(rules.plan.warmUp)")
    return true
  }

  private func requireStudies(of found: [String], _ source: ReportSource) throws {
    guard let studies = rules.studies, !source.lookup.isEmpty else { return }
    let names = try source.log.map { try LogNames($0, [.keys, .experiments]) } ?? source.names
    let known = found + names.texts(rules.source == .studies ? .keys : .experiments)
    let unknown = studies.filter { name in
      // If nothing was selected, the points and slots of an experiment are unknown.
      if found.isEmpty, known.contains(where: { name.utf8.starts(with: ($0 + "/").utf8) }) {
        return false
      }
      return !known.contains { study in
        study.utf8.elementsEqual(name.utf8)
          // For decisions, a study is an experiment, with point and slot if they are not the default ones.
          || rules.source == .decisions && study.utf8.starts(with: (name + "/").utf8)
      }
    }
    try source.lookup.refuse(unknown, hasKnown: unknown.count < studies.count) { name in
      let noun = rules.source == .studies ? "study" : "experiment"
      return UnknownName.message(name, noun: noun, among: known, path: source.path)
    }
  }
}
