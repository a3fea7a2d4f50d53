internal import Bandits
internal import EventLog
internal import Replay
internal import Specifications

/// The fits of all candidates: for each of them one without each fold of units, and one of all units.
///
/// The fit without a fold sees that fold's reward model, which has not seen the fold either. The fit of all units sees
/// for each unit the model without the unit's fold.
struct CandidateFits: Sendable {
  /// A candidate's fits.
  private struct Candidate: Sendable {
    /// The index of its features.
    let features: Int
    let needsModel: Bool
    /// By fold; the last is that of all units.
    var fits: [any PolicyFit]
    var isDone: [Bool]
  }

  let folds: Int
  private var candidates: [Candidate] = []
  /// By group, whether the predictions are finite.
  private var finite: [LearningGroup: Bool] = [:]
  /// The greatest reward that is too large to learn from, in absolute value; 0 if there is none.
  private var excess = 0.0

  init(folds: Int) { self.folds = folds }

  /// Adds a candidate.
  ///
  /// - Throws: `SpecificationError` if the class cannot use the features.
  mutating func append(
    _ learner: any PolicyLearner, _ problem: PolicyProblem, features: Int
  ) throws(SpecificationError) {
    let fit = try learner.makeFit(problem)
    candidates.append(
      Candidate(
        features: features, needsModel: learner.objective.needsModel,
        fits: Array(repeating: fit, count: folds + 1),
        isDone: Array(repeating: false, count: folds + 1)))
  }

  /// Whether some candidate learns the predictions of reward models.
  var needsModel: Bool { candidates.contains(where: \.needsModel) }

  /// Adds a decision of a unit of a fold.
  mutating func add(
    _ decisions: LearnedDecisions, _ predictions: FoldPredictions, _ row: CreditedDecision, fold: Int
  ) {
    var decision = decisions.decision
    guard !decision.isTooLarge else { return excess = max(excess, abs(decision.reward)) }
    for index in candidates.indices {
      decision.features = decisions.vectors[candidates[index].features]
      for place in 0...folds where place != fold && !candidates[index].isDone[place] {
        if candidates[index].needsModel {
          let model = place == folds ? fold : place
          decision.modelled = predictions.without(model)
          join(predictions, row, model, &decision)
        } else {
          decision.group?.model = 0
        }
        candidates[index].fits[place].add(decision)
      }
    }
  }

  /// Sets the group of a decision with a long list of choices to those of the same predictions.
  private mutating func join(
    _ predictions: FoldPredictions, _ row: CreditedDecision, _ model: Int,
    _ decision: inout LearningDecision
  ) {
    guard var group = decision.group else { return decision.hasFinitePredictions = nil }
    let situation = predictions.dependOnSituation ? UInt64(row.situation) : 0
    group.model = situation << 8 | UInt64(model + 1)
    decision.group = group
    let isFinite = finite[group] ?? decision.arePredictionsFinite
    if finite.count < 1 << 16 { finite[group] = isFinite }
    decision.hasFinitePredictions = isFinite
  }

  /// The fits at the beginning of the current pass, for other decisions.
  var emptyPart: CandidateFits {
    var part = self
    part.excess = 0
    for index in candidates.indices {
      for place in 0...folds {
        part.candidates[index].fits[place] = candidates[index].fits[place].emptyPart
      }
    }
    return part
  }

  /// Adds the decisions of a part of the same pass.
  mutating func merge(_ part: CandidateFits) {
    excess = max(excess, part.excess)
    for index in candidates.indices {
      for place in 0...folds where !candidates[index].isDone[place] {
        candidates[index].fits[place].merge(any: part.candidates[index].fits[place])
      }
    }
  }

  /// Ends a pass; returns whether another is needed.
  ///
  /// - Throws: `SpecificationError` if no policy can be learned from the decisions.
  mutating func finishPass() throws(SpecificationError) -> Bool {
    guard excess == 0 else {
      throw SpecificationError(
        "a policy cannot be learned from a reward of \(excess), beyond 1e100 or over its propensity not finite; cap "
          + "the rewards"
      )
    }
    for index in candidates.indices {
      for place in 0...folds where !candidates[index].isDone[place] {
        candidates[index].isDone[place] = try !candidates[index].fits[place].finishPass()
      }
    }
    return candidates.contains { $0.isDone.contains(false) }
  }

  /// Returns the policies of a candidate: for each fold the one that was learned without it, and the one of all units.
  func policies(of candidate: Int) -> (withoutFold: [LearnedPolicy], whole: LearnedPolicy) {
    let policies = candidates[candidate].fits.map { $0.fitted() }
    return (Array(policies.dropLast()), policies[folds])
  }
}

/// Shows decisions to the fits of all candidates: one pass over the units for each pass of the slowest one.
struct CandidateLearner: UngroupedProjector {
  struct State: Sendable {
    var rows: EvaluationRows
    var decisions: LearnedDecisions
    var predictions: FoldPredictions
    var fits: CandidateFits
  }

  let known: LearningKnowledge
  /// The fits at the beginning of the pass.
  let fits: CandidateFits

  var needs: UnitNeeds { known.needs }

  func makeState(_ context: UnitContext) -> State {
    State(
      rows: EvaluationRows(context, known.attribution, known.training),
      decisions: known.decisions, predictions: known.predictions, fits: fits.emptyPart)
  }

  func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.rows.take(history, known.source.context.situations)
    guard !state.rows.rows.isEmpty else { return }
    let fold = CrossFitting.fold(of: known.source.hashes[history[0].unit], among: fits.folds)
    for row in state.rows.rows where state.decisions.take(row) {
      if fits.needsModel { state.predictions.take(state.decisions.variants, row) }
      state.fits.add(state.decisions, state.predictions, row, fold: fold)
    }
  }

  func merge(_ other: State, into state: inout State) { state.fits.merge(other.fits) }

  func result(of state: State, _ context: UnitContext) -> CandidateFits {
    var fits = fits
    fits.merge(state.fits)
    return fits
  }
}

/// The knowledge about a log before the first pass of the learners.
struct LearningKnowledge: Sendable {
  let source: EvaluationSource
  let names: LearnedDecisions.Names
  /// The features of the candidates, each once.
  let features: [DecisionFeatures]
  /// For each of them, whether a candidate sees them.
  let areUsed: [Bool]
  /// The features of the reward model; nil if it uses none.
  let modelFeatures: DecisionFeatures?
  /// The reward model without each fold; nil if none is needed.
  let models: CrossFittedModels?
  let needs: UnitNeeds
  let attribution: Attribution
  /// The decisions from which policies are learned.
  let training: DecisionPart
  /// The decisions on which the chosen policy is judged.
  let held: DecisionPart

  /// A reader of decisions for one thread.
  var decisions: LearnedDecisions { LearnedDecisions(source, names, features, areUsed: areUsed) }

  /// The predictions of the reward models, for one thread.
  var predictions: FoldPredictions { FoldPredictions(source, modelFeatures, models) }
}
