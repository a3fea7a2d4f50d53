public import Prediction

/// What is predicted from a log, by what, and how that is scored.
public struct PredictionRules: Sendable {
  /// What counts as taking an option.
  public enum Source: String, CaseIterable, Sendable {
    /// Data points of kind `optionTaken`, as studies log them: the key is the study and the value the option.
    case studies
    /// Decisions that count: the variant is the option, and the experiment is the study, with its point and slot where
    /// they are not the standard ones.
    case decisions
  }

  /// What predicts.
  public var predictors: [Predictor]
  /// What counts as taking an option.
  public var source = Source.studies
  /// The names of the studies; of decisions those of experiments will do. Nil for all.
  public var studies: [String]?
  /// How predictions are made and scored. Its catalog is found in the log, and so is
  /// `EvaluationPlan.since`, by the selection.
  public var plan = EvaluationPlan(catalog: StudyCatalog(studies: [], options: []))

  /// What every predictor is compared with: `uniform`, `popular`, `last` and `beauchamp` unless others are given.
  public var baselines = Self.standardBaselines

  /// Rules for some predictors, beside which the baselines are scored.
  public init(predictors: [Predictor]) { self.predictors = predictors }

  private static let standardBaselines = ["uniform", "popular", "last", "beauchamp"]
    .compactMap { try? Predictors.named($0) }

  /// The predictors asked for, each once, and the baselines that are not among them.
  var all: [Predictor] {
    var all: [Predictor] = []
    for predictor in predictors + baselines where !all.contains(predictor) {
      all.append(predictor)
    }
    return all
  }
}
