public import Prediction

extension LogReplay {
  /// Returns the accuracy of predictors of what units do next: each take of an option, or each decision, is predicted
  /// from the events before it, scored, and only then learned (A.P. Dawid, *Present position and potential
  /// developments: the prequential approach*, JRSS A 147(2), 1984, https://doi.org/10.2307/2981683).
  ///
  /// Events are in order of event time, at equal times of the hashes of their units' names, and within a unit of its
  /// history, so late events and units in another order give the same result; a provisional decision counts from its
  /// confirmation on. Studies follow the semantics of the live ones: a take of an unknown study or option creates it, a
  /// definition starts over, and a global configuration applies to every unit. For decisions the options are the
  /// choices if they are logged, in the order of their first appearance, and otherwise the variants chosen before.
  ///
  /// The log is read once. The events of units take 32 bytes each, in memory up to ``memoryLimit`` and beyond it in a
  /// temporary file. Predictors without a pool hold one unit in memory per thread. Each predictor that shares learning
  /// between units holds all of them, in slices of units on every thread if its pool learns from last takes alone
  /// (`OptionPredictor.poolContext`); their steps take 32 bytes each, again in memory up to the limit.
  ///
  /// - Parameters:
  ///   - selection: The part of the log to read. Events before ``UnitSelection/since`` are learned but not scored. The
  ///     dimension is that of the unit at the take; for studies, contexts, policies and reasons are those of its
  ///     latest decision.
  ///   - rules: The predictors, and how they are scored.
  /// - Returns: The scores of every predictor, and of the baselines.
  /// - Throws: `LogError` if a frame cannot be read or a temporary file fails.
  public func predictions(
    _ selection: UnitSelection, _ rules: PredictionRules
  ) throws -> PredictionResult {
    guard let exchange else { return PredictionResult(try scores(selection, rules), rules) }
    let slot = PredictedUnits(rules)
    _ = try exchange.pass([slot]) {
      slot.state = try scores(selection, rules)
      return UnitContext()
    }
    return PredictionResult(slot.state, rules)
  }

  private func scores(
    _ selection: UnitSelection, _ rules: PredictionRules
  ) throws -> PredictionState {
    let predictors = rules.all
    let studies = try studies(selection, rules, for: predictors)
    var plan = rules.plan
    plan.catalog = studies.catalog
    plan.since = selection.since ?? .min
    let walk = PredictionWalk(replay: self, studies: studies, plan: plan, predictors: predictors)
    let outcome = try walk.outcome()
    var state = PredictionState(plan, predictors: predictors.count)
    (state.tallies, state.skills, state.ledger) = (outcome.tallies, outcome.skills, outcome.ledger)
    state.ofEveryone = studies.countsOfEveryone
    return state
  }

  /// Returns the pool that a predictor has learned from the units of a study at the end of the log: the starting point
  /// of its predictions for any of them.
  ///
  /// - Parameters:
  ///   - predictor: The predictor.
  ///   - study: The name of the study.
  ///   - selection: The part of the log to read, all of which is learned.
  ///   - source: The events that count as taking an option.
  /// - Returns: The pool; nil if the predictor does not share learning between units, or there is no such study.
  /// - Throws: `LogError` if a frame cannot be read or a temporary file fails.
  public func pool(
    of predictor: Predictor, study: String, _ selection: UnitSelection = UnitSelection(),
    source: PredictionRules.Source = .studies
  ) throws -> (any OptionPool)? {
    guard predictor.isPooled else { return nil }
    var rules = PredictionRules(predictors: [predictor])
    rules.source = source
    rules.studies = [study]
    let studies = try studies(selection, rules, for: [predictor])
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
