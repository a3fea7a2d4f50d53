internal import Prediction
public import Replay
internal import Statistics
public import Tables

/// The tables and plots of a prequential evaluation of predictors.
public struct PredictionTables: Sendable {
  let result: PredictionResult
  let source: PredictionRules.Source
  let dimension: Dimension?

  /// Creates the tables of predictions.
  ///
  /// - Parameters:
  ///   - result: The evaluation.
  ///   - source: What was predicted.
  ///   - dimension: The dimension by which results are broken down; nil for none.
  public init(
    _ result: PredictionResult, source: PredictionRules.Source = .studies,
    dimension: Dimension? = nil
  ) {
    self.result = result
    self.source = source
    self.dimension = dimension
  }

  /// Returns one of the tables, its rows sorted by the bytes of their keys.
  ///
  /// - Throws: `TableError` only if the column declarations are invalid.
  public func table(_ table: PredictionTable) throws(TableError) -> Table {
    var result = try draft(table).table()
    note(&result)
    if table == .learningCurve {
      result.note("rolling", "\(Self.window) rows, or as many as there are")
    }
    return result.sorted()
  }

  /// Returns the columns of one of the tables, with what makes it.
  func draft(_ table: PredictionTable) -> TableDraft {
    switch table {
    case .scores: scores()
    case .calibration: calibration()
    case .learningCurve: learningCurve()
    case .skill: skill()
    case .history: history()
    case .thresholds: thresholds()
    case .advice: advice()
    }
  }

  // MARK: Groups

  /// A study and a value of the dimension.
  struct Group {
    let study: UInt32
    let value: UInt32
  }

  /// The studies and values with predictions.
  var groups: [Group] {
    (result.predictors.first?.tallies.groups ?? []).map { Group(study: $0.study, value: $0.value) }
  }

  /// Returns the name of a study.
  func name(_ study: UInt32) -> String {
    let studies = result.plan.catalog.studies
    return Int(study) < studies.count ? studies[Int(study)] : ""
  }

  /// Returns the name of a value of the dimension; nil if unknown.
  func value(_ group: Group) -> String? {
    let values = result.plan.catalog.values
    return Int(group.value) < values.count ? values[Int(group.value)] : nil
  }

  /// The indices of the predictors that have rows: the requested ones.
  var wanted: [Int] { result.predictors.indices.filter { result.predictors[$0].isWanted } }

  /// Returns the specification of a predictor.
  func predictor(_ place: Int) -> String { result.predictors[place].predictor.description }

  /// Returns the scores of a predictor.
  func scores(_ place: Int, _ group: Group) -> PredictionScores? {
    result.predictors[place].tallies.scores(study: group.study, value: group.value)
  }

  /// The indices of the baselines among the predictors.
  var baselines: [Int] {
    result.predictors.indices.filter { result.predictors[$0].isBaseline }
  }

  /// Returns the baseline with the lowest log loss, the first of equals; a predictor is not its own baseline.
  func bestBaseline(_ group: Group, besides place: Int) -> Int? {
    let losses = baselines.filter { $0 != place }.compactMap { baseline in
      scores(baseline, group)?.logLoss.map { (place: baseline, loss: $0) }
    }
    return losses.min { ($0.loss, $0.place) < ($1.loss, $1.place) }?.place
  }

  /// The key of a row.
  struct Names {
    var study: String
    var predictor: String
    var value: DimensionValue
  }

  /// Returns the names of a group and a predictor.
  func names(_ group: Group, _ place: Int) -> Names {
    Names(
      study: name(group.study), predictor: predictor(place),
      value: value(group).map(DimensionValue.text) ?? .unknown)
  }

  /// A requested predictor in a group, with its scores.
  struct Scored {
    let names: Names
    let group: Group
    let place: Int
    let scores: PredictionScores
  }

  /// The scores of the requested predictors.
  var scored: [Scored] {
    groups.flatMap { group in
      wanted.compactMap { place in
        scores(place, group).map {
          Scored(names: names(group, place), group: group, place: place, scores: $0)
        }
      }
    }
  }
}

extension ReportColumns {
  /// The key columns of study and predictor.
  static func predictor(_ names: @escaping (Row) -> PredictionTables.Names) -> Self {
    key("study", "where a choice recurs") { names($0).study }
      + key("predictor", "what predicts, with its parameters") { names($0).predictor }
  }

  /// The columns of an estimate and its interval.
  static func difference(
    _ name: String, _ what: String, _ difference: @escaping (Row) -> Difference?
  ) -> Self {
    measure(name, what) { difference($0)?.estimate }
      + interval("\(name)_ci", "its interval (paired, over units)") { difference($0)?.interval }
  }
}
