public import Prediction

extension Replay {
  /// How often predictors are right about what units do next: each take of an option, or each decision, is predicted from
  /// what came before it, scored, and only then learned (A.P. Dawid, *Present position and potential developments: the
  /// prequential approach*, JRSS A 147(2), 1984, https://doi.org/10.2307/2981683).
  ///
  /// Events count in the order of event time, and at equal times in that of the log, so late events give what sorted ones
  /// give; a provisional decision counts from its confirmation on. Of studies the semantics are those of the live ones: a
  /// take of what is not there creates it, a definition begins anew, and a configuration of everyone holds for every unit.
  /// Of decisions the options are the choices where they are given, in the order in which they came up first, and what was
  /// chosen before else.
  ///
  /// The log is read once. The events of units take 32 bytes each, in memory up to ``memoryLimit`` and beyond it in a
  /// temporary file. Predictors without a pool have a unit in memory for each thread; each one by which units learn from
  /// each other has all of them, and their steps take 40 bytes each, in memory up to the limit again.
  ///
  /// - Parameters:
  ///   - selection: What of the log is looked at. What came before ``UnitSelection/since`` is learned but not scored.
  ///     The dimension is that of the unit at the take; of studies contexts, policies and reasons are those of its latest
  ///     decision.
  ///   - rules: What predicts, and how that is scored.
  /// - Returns: The scores of every predictor, and of the baselines.
  /// - Throws: `LogError` when a frame cannot be read or a temporary file fails.
  public func predictions(
    _ selection: UnitSelection, _ rules: PredictionRules
  ) throws -> PredictionResult {
    let predictors = rules.all
    let studies = try studies(
      selection, rules, wantsFeatures: predictors.contains(where: \.wantsFeatures))
    var plan = rules.plan
    plan.catalog = studies.catalog
    plan.since = selection.since ?? .min
    let walk = PredictionWalk(replay: self, studies: studies, plan: plan, predictors: predictors)
    let outcome = try walk.outcome()
    return PredictionResult(
      plan: plan,
      predictors: zip(predictors, outcome.tallies).map { predictor, tallies in
        PredictionResult.Scored(
          predictor: predictor, isWanted: rules.predictors.contains(predictor),
          isBaseline: rules.baselines.contains(predictor), tallies: tallies)
      }, ledger: outcome.ledger, skills: outcome.skills)
  }

  /// What the units of a study taught a predictor together, at the end of the log: what its predictions for any of them
  /// begin with.
  ///
  /// - Parameters:
  ///   - predictor: What predicts.
  ///   - study: The name of the study.
  ///   - selection: What of the log is looked at; all that is selected is learned.
  ///   - source: What counts as taking an option.
  /// - Returns: What was learned; nil when units do not learn from each other, or there is no such study.
  /// - Throws: `LogError` when a frame cannot be read or a temporary file fails.
  public func pool(
    of predictor: Predictor, study: String, _ selection: UnitSelection = UnitSelection(),
    source: PredictionRules.Source = .studies
  ) throws -> (any OptionPool)? {
    guard predictor.isPooled else { return nil }
    var rules = PredictionRules(predictors: [predictor])
    rules.source = source
    rules.studies = [study]
    let studies = try studies(selection, rules, wantsFeatures: predictor.wantsFeatures)
    guard
      let number = studies.catalog.studies.firstIndex(where: {
        $0.utf8.elementsEqual(study.utf8)
      })
    else { return nil }
    var plan = rules.plan
    plan.catalog = studies.catalog
    plan.warmUp = .max
    let walk = PredictionWalk(replay: self, studies: studies, plan: plan, predictors: [predictor])
    return try walk.pool(predictor, UInt32(truncatingIfNeeded: number))
  }
}
