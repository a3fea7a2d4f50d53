public import Statistics

/// A predictor in the catalog: what there is to say about it, and how it is made from what was written.
public struct PredictorEntry: Sendable {
  /// Its name, parameters and source.
  public let guide: Guide
  /// What makes it.
  let make: @Sendable (Specification) throws(SpecificationError) -> PreparedPredictor

  /// The entry of a type. It must be inlined: evaluation is compiled for each predictor where the type is known.
  @inline(__always)
  init<P: OptionPredictor>(_ type: P.Type) {
    guide = P.guide
    make = { (specification) throws(SpecificationError) in
      PreparedPredictor(try P(specification))
    }
  }
}

/// A predictor with what was compiled for its type.
struct PreparedPredictor: Sendable {
  let base: any OptionPredictor
  /// A unit alone before its first event.
  let beginning: any LoneLearning
  /// What is predicted, scored and learned of studies.
  let makeEvaluation: @Sendable (EvaluationPlan) -> PredictorEvaluation

  @inline(__always)
  init<P: OptionPredictor>(_ predictor: P) {
    base = predictor
    beginning = Lone(learning: predictor.beginning, pool: predictor.emptyPool)
    makeEvaluation = { plan in
      // One variable of all closures, so that it is looked up once for many steps.
      var runs = PredictorRuns(predictor, plan)
      return PredictorEvaluation(
        apply: { runs.apply($0, $1) }, close: { runs.close($0) }, tallies: { runs.desk.tallies },
        pool: { runs.desk.pools[$0].map { $0 } })
    }
  }
}
