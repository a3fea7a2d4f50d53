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
    families: [
      "baseline": [
        PredictorEntry(Uniform.self), PredictorEntry(LastTaken.self), PredictorEntry(MostPopular.self),
      ],
      "frequency": [
        PredictorEntry(Frequency.self), PredictorEntry(Beauchamp.self), PredictorEntry(HalfLife.self),
        PredictorEntry(Recency.self), PredictorEntry(TimeOfWeek.self),
        PredictorEntry(ThompsonSampling.self),
      ],
      "sequence": [
        PredictorEntry(Markov.self), PredictorEntry(PartialMatching.self),
        PredictorEntry(ContextWeighting.self),
      ],
      "from all units": [PredictorEntry(Logistic.self), PredictorEntry(Pooled.self)],
      "around others": [PredictorEntry(Mixture.self)],
    ])
}
