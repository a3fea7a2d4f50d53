public import Prediction

/// The predictions to make from a log: what is predicted, by which predictors, and how they are scored.
public struct PredictionRules: Sendable {
  /// The events that count as taking an option.
  public enum Source: String, CaseIterable, Sendable {
    /// Data points of kind `optionTaken`, as logged by studies: the key is the study and the value the option.
    case studies
    /// Decisions that count: the variant is the option, and the experiment is the study, with its point and slot if
    /// they are not the standard ones.
    case decisions
  }

  /// The predictors to score.
  public var predictors: [Predictor]
  /// The events that count as taking an option.
  public var source = Source.studies
  /// The names of the studies to include, or of experiments if the source is decisions. Nil for all.
  public var studies: [String]?
  /// How predictions are made and scored. Its catalog is found in the log, and its `EvaluationPlan.since` is set by
  /// the selection.
  public var plan = EvaluationPlan(catalog: StudyCatalog(studies: [], options: []))

  /// The baselines of the comparison: `uniform`, `popular`, `last` and `beauchamp` by default.
  public var baselines = Self.standardBaselines

  /// Creates rules for some predictors, with the default baselines.
  public init(predictors: [Predictor]) { self.predictors = predictors }

  private static let standardBaselines = ["uniform", "popular", "last", "beauchamp"]
    .compactMap { try? Predictors.named($0) }

  /// The distinct requested predictors, followed by the baselines that are not among them.
  var all: [Predictor] {
    var all: [Predictor] = []
    for predictor in predictors + baselines where !all.contains(predictor) {
      all.append(predictor)
    }
    return all
  }
}
