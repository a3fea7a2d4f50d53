internal import Bandits
internal import Statistics

/// The fitted reward models of an evaluation.
struct FittedModels: Sendable {
  /// The model to which all decisions count the same; nil if none is needed.
  var shared: CrossFittedModels?
  /// For each policy the model whose decisions are weighed by it; empty if none is needed.
  var ofPolicies: [CrossFittedModels] = []
}

/// Fits the reward models that a plan needs.
struct RewardModelFits {
  private let plan: OffPolicyPlan
  private let decisions: EvaluatedDecisions
  private let features: DecisionFeatures?

  init(
    _ plan: OffPolicyPlan, _ decisions: EvaluatedDecisions, _ features: DecisionFeatures?
  ) {
    self.plan = plan
    self.decisions = decisions
    self.features = features
  }

  /// Returns the models: one that all policies share, and one for each of them where decisions are weighed.
  ///
  /// - Throws: `SpecificationError` if the model cannot be fitted; `LogError` if the units cannot be read.
  func models() throws -> FittedModels {
    var models = FittedModels()
    if plan.needsSharedModel { models.shared = try fit(nil, .unweighted, nil) }
    if plan.estimators.contains(where: { $0.rewardModel == .varianceMinimizing }) {
      for policy in plan.policies {
        models.ofPolicies.append(try fit(policy, .varianceMinimizing, models.shared))
      }
    }
    return models
  }

  private func fit(
    _ policy: (any TargetPolicy)?, _ use: RewardModelUse, _ shared: CrossFittedModels?
  ) throws -> CrossFittedModels {
    let problem = RewardProblem(
      slots: decisions.source.places.count, variants: decisions.source.numbers.codes.count,
      columns: features?.map.columnCount ?? 1)
    var fit = try CrossFitting(plan.rewardModel, problem, folds: plan.folds)
    repeat {
      fit = try decisions.show(
        to: RewardModelFitter(
          source: decisions.source, attribution: plan.attribution, needs: plan.needs,
          features: features, fit: fit, policy: policy, use: use, shared: shared))
    } while try fit.finishPass()
    return try fit.models()
  }
}
