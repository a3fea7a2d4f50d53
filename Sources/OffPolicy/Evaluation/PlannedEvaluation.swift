internal import Bandits
internal import EventLog
internal import Replay
internal import Specifications
internal import Statistics

/// The evaluation of one plan, which visits the units together with others of the same units.
///
/// A pass counts decisions, surveys features and counts the choices of logging policies. Passes fit the reward models:
/// the shared one and those of policies that ask none, then those of the policies that ask the shared one. The last
/// pass estimates.
struct PlannedEvaluation {
  let plan: OffPolicyPlan
  private let units: EvaluatedUnits
  private var decisions: EvaluatedDecisions?
  private var features: DecisionFeatures?
  private var shares: ShareTable?
  private var models = FittedModels()

  /// The slots of the first pass.
  private struct Surveys {
    let decisions: UnitSlot<EvaluationSurvey>
    let features: UnitSlot<FeatureSurveyor>?
    let shares: UnitSlot<ShareSurvey>?

    var all: [any DecisionSlotting] {
      let others: [(any DecisionSlotting)?] = [features, shares]
      return [decisions] + others.compactMap { $0 }
    }
  }

  /// Evaluates plans.
  ///
  /// - Returns: The estimates of each plan, without learning policies, and the decisions.
  /// - Throws: Errors as of ``LogReplay/evaluate(_:experiment:_:)``.
  static func evaluations(
    _ plans: [OffPolicyPlan], _ units: EvaluatedUnits
  ) throws -> [(evaluation: Evaluation, decisions: EvaluatedDecisions)] {
    var planned = plans.map { PlannedEvaluation(plan: $0, units: units) }
    try survey(&planned, units)
    try fitShared(&planned)
    try fitAsking(&planned)
    return try estimates(planned, units)
  }

  private init(plan: OffPolicyPlan, units: EvaluatedUnits) {
    (self.plan, self.units) = (plan, units)
  }

  // MARK: Surveys

  private static func survey(
    _ planned: inout [PlannedEvaluation], _ units: EvaluatedUnits
  ) throws {
    let source = EvaluationSource(
      surveying: units.context, units.selection, units.names)
    let surveys = planned.map { $0.surveys(source) }
    let context = try units.fill(surveys.flatMap(\.all))
    for index in planned.indices { try planned[index].finish(surveys[index], context) }
  }

  private func surveys(_ source: EvaluationSource) -> Surveys {
    Surveys(
      decisions: UnitSlot(
        EvaluationSurvey(
          needs: plan.needs, attribution: plan.attribution, ledgers: units.decided?.ledgers,
          singleUnits: units.decided?.summary)),
      features: plan.needsFeatures
        ? UnitSlot(
          FeatureSurveyor(
            source: source, specification: plan.features, needs: plan.needs,
            attribution: plan.attribution)) : nil,
      shares: plan.needsShares
        ? UnitSlot(
          ShareSurvey(
            source: source, needs: plan.needs, attribution: plan.attribution,
            attributes: plan.targetAttributes)) : nil)
  }

  private mutating func finish(_ surveys: Surveys, _ context: UnitContext) throws {
    let decisions = EvaluatedDecisions(
      units, plan.needs, plan.attribution, surveys.decisions.result(context))
    try plan.check(places: decisions.source.places.count)
    try decisions.require(
      plan.policies.flatMap(\.variantFeatures).map { .features($0) } + plan.features.sources)
    features = try surveys.features.map { try decisions.features($0.result(context)) }
    shares = surveys.shares?.result(context)
    self.decisions = decisions
  }

  // MARK: Reward models

  /// Whether the decisions of each policy's model are weighed by it.
  private var fitsPolicies: Bool {
    plan.estimators.contains { $0.rewardModel == .varianceMinimizing }
  }

  /// Fits the models of which none asks another one.
  private static func fitShared(_ planned: inout [PlannedEvaluation]) throws {
    var fits: [RewardModelFit] = []
    for one in planned {
      guard let decisions = one.decisions else { continue }
      if one.plan.needsSharedModel {
        fits.append(try RewardModelFit(one.plan, decisions, one.features))
      }
      for policy in one.plan.policies where one.fitsPolicies && !policy.needsModel {
        fits.append(try RewardModelFit(one.plan, decisions, one.features, policy: policy))
      }
    }
    var models = try RewardModelFit.models(fits)[...]
    for index in planned.indices where planned[index].decisions != nil {
      let plan = planned[index].plan
      if plan.needsSharedModel { planned[index].models.shared = models.popFirst() }
      guard planned[index].fitsPolicies else { continue }
      // The shared model stands in for those that ask it until they are fitted.
      let shared = planned[index].models.shared
      planned[index].models.ofPolicies = plan.policies.compactMap { policy in
        policy.needsModel ? shared : models.popFirst()
      }
    }
  }

  /// Fits the models of the policies that ask the shared model.
  private static func fitAsking(_ planned: inout [PlannedEvaluation]) throws {
    var fits: [RewardModelFit] = []
    var places: [(planned: Int, policy: Int)] = []
    for (index, one) in planned.enumerated() where one.fitsPolicies {
      guard let decisions = one.decisions else { continue }
      for (place, policy) in one.plan.policies.enumerated() where policy.needsModel {
        fits.append(
          try RewardModelFit(
            one.plan, decisions, one.features, policy: policy, shared: one.models.shared))
        places.append((index, place))
      }
    }
    for (place, models) in zip(places, try RewardModelFit.models(fits)) {
      planned[place.planned].models.ofPolicies[place.policy] = models
    }
  }

  // MARK: Estimates

  private static func estimates(
    _ planned: [PlannedEvaluation], _ units: EvaluatedUnits
  ) throws -> [(evaluation: Evaluation, decisions: EvaluatedDecisions)] {
    let known = planned.compactMap { one in one.decisions.map { (one, $0) } }
    let slots = known.map { one, decisions in UnitSlot(one.projector(decisions)) }
    let context = try units.fillEach(slots)
    return zip(known, slots).map { known, slot in
      let decisions = known.1
      var tallies = slot.result(context)
      for (index, policy) in known.0.plan.policies.enumerated() {
        tallies[index].absentVariants = decisions.source.absentVariants(among: policy.namedVariants)
        tallies[index].isAbsent = decisions.source.isAbsent(policy)
      }
      let evaluation = Evaluation(
        experiment: units.selection.experiments?.first ?? 0, policies: tallies,
        learningPolicies: [], ledger: decisions.ledger, rewards: decisions.rewards,
        logging: decisions.logging, places: decisions.source.places,
        variants: decisions.source.names.values.map { $0 }.distinctNames,
        periods: known.0.periods(decisions))
      return (evaluation, decisions)
    }
  }

  private func periods(_ decisions: EvaluatedDecisions) -> EvaluationPeriods? {
    plan.divides
      ? decisions.logging.times.map { EvaluationPeriods($0, in: decisions.source.calendar) } : nil
  }

  private func projector(_ decisions: EvaluatedDecisions) -> EvaluationProjector {
    let weights = DecisionWeights(
      shares ?? ShareTable(attributes: []), plan.groups, decisions.source)
    return EvaluationProjector(
      source: decisions.source, plan: plan, features: features, models: models, weights: weights,
      periods: periods(decisions))
  }
}
