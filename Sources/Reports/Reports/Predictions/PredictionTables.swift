internal import Prediction
public import Replay
internal import Statistics
public import Tables

/// The tables and plots of how often predictors would have been right about what units did next.
public struct PredictionTables: Sendable {
  let result: PredictionResult
  let source: PredictionRules.Source
  let dimension: Dimension?

  /// The tables of some predictions.
  ///
  /// - Parameters:
  ///   - result: How good they were.
  ///   - source: What was predicted.
  ///   - dimension: What they are broken down by.
  public init(
    _ result: PredictionResult, source: PredictionRules.Source = .studies,
    dimension: Dimension? = nil
  ) {
    self.result = result
    self.source = source
    self.dimension = dimension
  }

  /// One of the tables, its rows sorted by the bytes of their keys.
  ///
  /// - Throws: `TableError` never, as long as the columns are what they are.
  public func table(_ table: PredictionTable) throws(TableError) -> Table {
    switch table {
    case .scores: try scores()
    case .calibration: try calibration()
    case .learningCurve: try learningCurve()
    case .skill: try skill()
    case .history: try history()
    case .thresholds: try thresholds()
    case .advice: try advice()
    }
  }

  // MARK: Groups

  /// A study, and a value of the dimension.
  struct Group {
    let study: UInt32
    let value: UInt32
  }

  /// The studies and values of which anything was predicted.
  var groups: [Group] {
    (result.predictors.first?.tallies.groups ?? []).map { Group(study: $0.study, value: $0.value) }
  }

  /// The name of a study.
  func name(_ study: UInt32) -> String {
    let studies = result.plan.catalog.studies
    return Int(study) < studies.count ? studies[Int(study)] : ""
  }

  /// The name of a value of the dimension; nil where it is not known.
  func value(_ group: Group) -> String? {
    let values = result.plan.catalog.values
    return Int(group.value) < values.count ? values[Int(group.value)] : nil
  }

  /// The places of the predictors that have rows: those that were asked for.
  var wanted: [Int] { result.predictors.indices.filter { result.predictors[$0].isWanted } }

  /// How a predictor is written.
  func predictor(_ place: Int) -> String { result.predictors[place].predictor.description }

  /// Its scores.
  func scores(_ place: Int, _ group: Group) -> PredictionScores? {
    result.predictors[place].tallies.scores(study: group.study, value: group.value)
  }

  /// The baselines among the predictors.
  var baselines: [Int] {
    result.predictors.indices.filter { result.predictors[$0].isBaseline }
  }

  /// The baseline of the lowest log loss, among equals the first; a predictor is not its own baseline.
  func bestBaseline(_ group: Group, besides place: Int) -> Int? {
    let losses = baselines.filter { $0 != place }.compactMap { baseline in
      scores(baseline, group)?.logLoss.map { (place: baseline, loss: $0) }
    }
    return losses.min { ($0.loss, $0.place) < ($1.loss, $1.place) }?.place
  }

  // MARK: Cells

  static let keys: [TableColumn] = [
    .key("study", .text, "where a choice recurs"),
    .key("predictor", .text, "what predicts, with its parameters"),
  ]

  /// The cells of these columns.
  func keys(_ group: Group, _ place: Int) -> [TableCell] {
    [.text(name(group.study)), .text(predictor(place))]
  }

  /// What rows are broken down by, if they are.
  func breakdown(_ group: Group) -> [TableCell] {
    dimension.map { [.text($0.description), TableCell(value(group))] } ?? []
  }
}

extension TableCell {
  /// An estimate and the ends of its interval: three cells.
  static func estimate(_ difference: Difference?) -> [TableCell] {
    [
      TableCell(difference?.estimate), TableCell(difference?.interval?.low),
      TableCell(difference?.interval?.high),
    ]
  }

  /// The ends of an interval.
  static func ends(_ interval: Interval?) -> [TableCell] {
    [TableCell(interval?.low), TableCell(interval?.high)]
  }
}
