public import Statistics

/// The predictors that have names.
public enum Predictors {
  /// The predictor that a text such as `half-life:days=5` names; a parameter left out has its default.
  ///
  /// - Throws: `SpecificationError`: there is none of that name, or it has no such parameter or value.
  public static func named(_ text: String) throws(SpecificationError) -> Predictor {
    try Predictor(Specification(parsing: text))
  }

  /// What there is to say of every predictor, by name.
  public static let all = entries.map(\.guide)

  static let entries: [PredictorEntry] = [
    PredictorEntry(Beauchamp.self),
    PredictorEntry(TimeOfWeek.self),
    PredictorEntry(ContextWeighting.self),
    PredictorEntry(Frequency.self),
    PredictorEntry(HalfLife.self),
    PredictorEntry(LastTaken.self),
    PredictorEntry(Logistic.self),
    PredictorEntry(Markov.self),
    PredictorEntry(Mixture.self),
    PredictorEntry(Pooled.self),
    PredictorEntry(MostPopular.self),
    PredictorEntry(PartialMatching.self),
    PredictorEntry(Recency.self),
    PredictorEntry(ThompsonSampling.self),
    PredictorEntry(Uniform.self),
  ]
}
