public import Specifications

/// A predictor in a ``PredictorCatalog``.
public struct PredictorEntry: CatalogEntry {
  public let info: SpecificationInfo
  public let type: ObjectIdentifier
  /// Creates the predictor from a specification, with the predictors that it can wrap.
  let make: @Sendable (Specification, PredictorCatalog) throws(SpecificationError) -> PreparedPredictor
  /// Returns a predictor of this type with its specialized evaluation; nil for a predictor of another type.
  let prepare: @Sendable (any OptionPredictor) -> PreparedPredictor?

  /// Creates the entry of a type. It must be inlined: evaluation is specialized for each predictor where the type is
  /// known.
  @inline(__always)
  init<P: OptionPredictor>(_ type: P.Type) {
    info = P.listing
    self.type = ObjectIdentifier(type)
    make = { (specification, predictors) throws(SpecificationError) in
      PreparedPredictor.compiled(for: try P(specification, predictors))
    }
    prepare = { ($0 as? P).map { PreparedPredictor.compiled(for: $0) } }
  }
}

/// A predictor with the code that was specialized for its type: one object that the learning states of all units refer
/// to.
final class PreparedPredictor: Sendable {
  let base: any OptionPredictor
  /// The learning state of a single unit before its first event.
  let beginning: any SoloLearning
  /// Creates an evaluation: a run over studies that predicts, scores and learns.
  let makeEvaluation: @Sendable (EvaluationPlan, RunSlice) -> PredictorEvaluation

  /// Prepares a predictor; a built-in one has an evaluation that was specialized for its type.
  static func prepared(_ predictor: some OptionPredictor) -> PreparedPredictor {
    let info = type(of: predictor).info
    let entry = Predictors.catalog.entries.first { $0.info.name == info.name }
    return entry?.prepare(predictor) ?? .compiled(for: predictor)
  }

  /// Prepares a predictor whose type is statically known. It is not inlined, so that evaluation is specialized once
  /// for each type.
  @inline(never)
  static func compiled<P: OptionPredictor>(for predictor: P) -> PreparedPredictor {
    PreparedPredictor(compiledFor: predictor)
  }

  @inline(__always)
  private init<P: OptionPredictor>(compiledFor predictor: P) {
    base = predictor
    beginning = SoloUnit(learning: predictor.beginning, pool: predictor.emptyPool)
    makeEvaluation = { plan, slice in
      // One captured variable for all closures, so that it is accessed once for many steps.
      var runs = PredictorRuns(predictor, plan, slice)
      return PredictorEvaluation(
        apply: { runs.apply($0, $1) }, close: { runs.close($0) },
        pool: { runs.shared.pool($0) }, readTallies: { runs.shared.tallies })
    }
  }
}
