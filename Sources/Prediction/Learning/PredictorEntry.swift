internal import Statistics

/// A predictor in a catalog: its name and parameters, and how it is made from a specification.
struct PredictorEntry: Sendable {
  /// Its name, parameters and source.
  let info: SpecificationInfo
  /// Makes it from a specification, with the predictors that it may be made of.
  let make:
    @Sendable (Specification, PredictorCatalog) throws(SpecificationError) -> PreparedPredictor
  /// Prepares a predictor of this type, with the evaluation that was compiled for it; nil for one of another type.
  let prepare: @Sendable (any OptionPredictor) -> PreparedPredictor?

  /// The entry of a type. It must be inlined: evaluation is compiled for each predictor where the type is known.
  @inline(__always)
  init<P: OptionPredictor>(_ type: P.Type) {
    self.init(type) { (specification, _) throws(SpecificationError) in try P(specification) }
  }

  /// The entry of a type of predictors that are made of others.
  @inline(__always)
  init<P: WrappingPredictor>(_ type: P.Type) {
    self.init(type) { (specification, predictors) throws(SpecificationError) in
      try P(specification, predictors: predictors)
    }
  }

  @inline(__always)
  private init<P: OptionPredictor>(
    _ type: P.Type,
    _ makePredictor:
      @escaping @Sendable (Specification, PredictorCatalog) throws(SpecificationError) -> P
  ) {
    info = P.info
    make = { (specification, predictors) throws(SpecificationError) in
      PreparedPredictor.compiled(for: try makePredictor(specification, predictors))
    }
    prepare = { ($0 as? P).map { PreparedPredictor.compiled(for: $0) } }
  }
}

/// A predictor with what was compiled for its type.
struct PreparedPredictor: Sendable {
  let base: any OptionPredictor
  /// A unit alone before its first event.
  let beginning: any LoneLearning
  /// What is predicted, scored and learned of studies.
  let makeEvaluation: @Sendable (EvaluationPlan) -> PredictorEvaluation

  /// Prepares a predictor; a built-in one has an evaluation that was compiled for its type.
  init(_ predictor: some OptionPredictor) {
    let info = type(of: predictor).info
    let entry = Predictors.entries.first { $0.info.name == info.name }
    self = entry?.prepare(predictor) ?? .compiled(for: predictor)
  }

  /// Prepares a predictor whose type is known to the compiler. It is not inlined, so that evaluation is compiled once
  /// for each type.
  @inline(never)
  static func compiled<P: OptionPredictor>(for predictor: P) -> PreparedPredictor {
    PreparedPredictor(compiledFor: predictor)
  }

  @inline(__always)
  private init<P: OptionPredictor>(compiledFor predictor: P) {
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
