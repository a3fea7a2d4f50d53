public import Specifications

/// The built-in predictors, by name. Each predictor is one file and one entry here.
public enum Predictors {
  /// Returns the predictor that a specification such as `half-life:days=5` describes; see
  /// ``Catalog/named(_:)``.
  ///
  /// - Throws: `SpecificationError` if no predictor has that name or a parameter is invalid.
  public static func named(_ text: String) throws(SpecificationError) -> Predictor {
    try PredictorCatalog.standard.named(text)
  }

  /// The name, summary, parameters and citation of each predictor, sorted by name.
  public static var all: [SpecificationInfo] { PredictorCatalog.standard.all }

  static let catalog = PredictorCatalog(
    of: "predictor",
    [
      PredictorEntry(Beauchamp.self), PredictorEntry(TimeOfWeek.self),
      PredictorEntry(ContextWeighting.self), PredictorEntry(Frequency.self),
      PredictorEntry(HalfLife.self), PredictorEntry(LastTaken.self), PredictorEntry(Logistic.self),
      PredictorEntry(Markov.self), PredictorEntry(Mixture.self), PredictorEntry(Pooled.self),
      PredictorEntry(MostPopular.self), PredictorEntry(PartialMatching.self),
      PredictorEntry(Recency.self), PredictorEntry(ThompsonSampling.self),
      PredictorEntry(Uniform.self),
    ])
}
