public import Bandits
internal import EventLog
public import Replay
internal import Specifications
internal import Statistics

/// A policy that was learned from a log, with how it and the other candidates did.
public struct Learning: Sendable {
  /// A candidate that was learned.
  public struct Result: Sendable {
    /// The candidate.
    public var candidate: LearningPlan.Candidate
    /// Its value on the training decisions, each judged by the policy learned without the folds of its unit.
    public var value: PolicyTally
  }

  /// The learned candidates, in the order of the plan.
  public var candidates: [Result]
  /// The candidates that could not be learned, with the reason.
  public var refused: [(candidate: LearningPlan.Candidate, reason: String)]
  /// The index of the chosen candidate: the one with the greatest value, the first of equal ones.
  public var chosen: Int
  /// The chosen policy, learned from all training decisions.
  public var policy: LearnedPolicy
  /// The value of the chosen policy on the decisions that were held back.
  public var held: PolicyTally
  /// The value on the decisions that were held back of an agent that serves the chosen policy, and draws its control
  /// share of the decisions with equal weights; nil without a control share.
  public var served: PolicyTally?
  /// The held-back decisions with a value of an attribute, or a variant, that the chosen policy never saw.
  public var unseen = 0
  /// The value of equal probabilities on the decisions that were held back.
  public var uniform: PolicyTally
  /// The mean reward of the decisions that were held back.
  public var logged: PolicyTally
  /// The decisions from which the policy was learned.
  public var training: EvaluationLedger
  /// The decisions that were held back.
  public var heldDecisions: EvaluationLedger
  /// The counts of credited and lost goals of all decisions.
  public var rewards: RewardLedger
  /// The time of the first decision that was held back, in microseconds; nil if there is none.
  public var heldSince: Int64?
}

extension LogReplay {
  /// Learns a policy from the decisions of an experiment of this log.
  ///
  /// The latest decisions are held back. On the others each candidate is judged by cross-validation: the units are
  /// divided into folds, and a policy that was learned without a fold is judged on it. The candidate with the greatest
  /// value is chosen, and its policy of all folds is judged on the decisions that were held back. The units are visited
  /// once for the times, once for each list of features, once for each pass of the reward model, once for each pass of
  /// the slowest learner, as all candidates share them, and twice to judge.
  ///
  /// Memory: the state of each candidate, once more than there are folds, for each thread; and 8 bytes per decision.
  ///
  /// - Parameters:
  ///   - selection: The part of the log; its experiments and attributes are ignored.
  ///   - experiment: The code of the experiment.
  ///   - plan: The candidates, and how they are judged.
  /// - Returns: The policy, identical for any number of threads.
  /// - Throws: `SpecificationError` if the plan is invalid, there are too few decisions, or no candidate can be
  ///   learned; ``NoDecisionsError`` if there is no decision at all; `LogError` if the log cannot be read.
  public func learn(
    _ selection: UnitSelection, experiment: UInt32, _ plan: LearningPlan
  ) throws -> Learning {
    try plan.check()
    let decisions = try EvaluatedDecisions(
      self, plan.selection(selection, experiment: experiment), plan.needs, plan.attribution)
    return try LearningRun(plan, decisions).learning()
  }
}

/// The steps of learning.
private struct LearningRun {
  private let plan: LearningPlan
  private let decisions: EvaluatedDecisions
  private let known: LearningKnowledge

  init(_ plan: LearningPlan, _ decisions: EvaluatedDecisions) throws {
    self.plan = plan
    self.decisions = decisions
    try decisions.require(([plan.modelFeatures] + plan.askedFeatures).flatMap(\.sources))
    let (training, held) = try Self.parts(plan, decisions)
    let features = try plan.features.map { try decisions.features($0, of: training) }
    let modelFeatures =
      try plan.needsModelFeatures ? decisions.features(plan.modelFeatures, of: training) : nil
    let model =
      try plan.needsModel
      ? RewardModelFit.models([
        RewardModelFit(plan.modelPlan, decisions, modelFeatures, training)
      ]) : []
    known = LearningKnowledge(
      source: decisions.source, names: LearnedDecisions.Names(decisions.source),
      features: features,
      areUsed: plan.features.map { features in
        plan.candidates.contains {
          type(of: $0.learner).usesFeatures && $0.features == features
        }
      }, modelFeatures: modelFeatures,
      models: model.first,
      needs: plan.needs, attribution: plan.attribution, training: training, held: held)
  }

  /// Returns the decisions to learn from, and those that are held back.
  private static func parts(
    _ plan: LearningPlan, _ decisions: EvaluatedDecisions
  ) throws -> (training: DecisionPart, held: DecisionPart) {
    let times = try decisions.show(
      to: DecisionTimes(needs: plan.needs, attribution: plan.attribution))
    guard let first = times.first, let last = times.last else {
      throw NoDecisionsError()
    }
    let since: Int64
    switch plan.held {
    case .since(let time): since = time
    case .share(let share):
      let count = Int((share * Double(times.count)).rounded())
      since = count == 0 ? .max : times[times.count - count]
    }
    guard since > first else {
      throw SpecificationError(
        "all decisions would be held back; hold back fewer (--test-share), or from a later time (--test-since)"
      )
    }
    guard since <= last else { return (.all, DecisionPart(start: .max, end: .max)) }
    return (DecisionPart(end: since), DecisionPart(start: since))
  }

  func learning() throws -> Learning {
    var fits = CandidateFits(folds: plan.folds)
    let (learned, refused) = try append(to: &fits)
    repeat {
      fits = try decisions.show(to: CandidateLearner(known: known, fits: fits))
    } while try fits.finishPass()
    let policies = learned.indices.map { fits.policies(of: $0) }
    let places = learned.map { plan.features.firstIndex(of: $0.features) ?? 0 }
    let judged = try judge(
      zip(policies, places).map { .learned($0.withoutFold, features: $1) }, on: known.training)
    guard let chosen = Self.best(judged.tallies) else {
      throw SpecificationError(
        "the decisions do not determine the value of any candidate; name another estimator, or hold back fewer"
      )
    }
    let policy = policies[chosen].whole
    let share = plan.controlShare
    let held = try judge(
      [.learned([policy], features: places[chosen]), .uniform, .logged]
        + (share > 0
          ? [.served(policy, features: places[chosen], controlShare: share)] : []),
      on: known.held)
    let hasHeld = held.ledger.decisions > 0
    return Learning(
      candidates: zip(learned, judged.tallies).map { Learning.Result(candidate: $0, value: $1) },
      refused: refused, chosen: chosen, policy: policy, held: held.tallies[0],
      served: held.tallies.count > 3 ? held.tallies[3] : nil, unseen: held.tallies[0].unseen,
      uniform: held.tallies[1], logged: held.tallies[2], training: judged.ledger,
      heldDecisions: held.ledger, rewards: decisions.rewards, heldSince: hasHeld ? known.held.start : nil)
  }

  /// Starts the fits of the candidates that can use their features; returns these and the others.
  private func append(
    to fits: inout CandidateFits
  ) throws -> (
    learned: [LearningPlan.Candidate],
    refused: [(candidate: LearningPlan.Candidate, reason: String)]
  ) {
    var learned: [LearningPlan.Candidate] = []
    var refused: [(candidate: LearningPlan.Candidate, reason: String)] = []
    for candidate in plan.candidates {
      let place = plan.features.firstIndex(of: candidate.features) ?? 0
      let problem = PolicyProblem(
        slots: known.names.slots, variants: known.names.variants, map: known.features[place].map)
      do throws(SpecificationError) {
        try fits.append(candidate.learner, problem, features: place)
        learned.append(candidate)
      } catch {
        refused.append((candidate, error.description))
      }
    }
    if learned.isEmpty, let first = refused.first { throw SpecificationError(first.reason) }
    return (learned, refused)
  }

  private func judge(_ policies: [JudgedPolicy], on part: DecisionPart) throws -> Judgement {
    try decisions.show(
      to: LearnedPolicyJudge(
        known: known, policies: policies, part: part, folds: plan.folds,
        estimator: plan.estimator, interval: plan.interval))
  }

  /// Returns the index of the greatest value, the first of equal ones.
  private static func best(_ tallies: [PolicyTally]) -> Int? {
    let values = tallies.map { $0.estimates[0].sums.value ?? -.infinity }
    guard let greatest = values.max(), greatest > -.infinity else { return nil }
    return values.firstIndex(of: greatest)
  }
}
