internal import Bandits
internal import EventLog
internal import Statistics

/// The estimated values of target policies in one experiment.
public struct Evaluation: Sendable {
  /// The code of the experiment.
  public var experiment: UInt32
  /// The estimates of each policy.
  public var policies: [PolicyTally]
  /// The decisions that were used and left out.
  public var ledger: EvaluationLedger
  /// What was credited.
  public var rewards: RewardLedger
}

extension LogReplay {
  /// Estimates what target policies would have earned in an experiment of this log.
  ///
  /// The log is read once; the units are visited once to count decisions, once for each pass of each reward model, and
  /// once to estimate.
  ///
  /// - Parameters:
  ///   - selection: The part of the log; its experiments are ignored.
  ///   - experiment: The code of the experiment.
  ///   - plan: The policies, estimators and reward model.
  /// - Returns: The estimates, identical for any number of threads.
  /// - Throws: `SpecificationError` if the reward model cannot be fitted; `LogError` if the log cannot be read.
  public func evaluate(
    _ selection: UnitSelection, experiment: UInt32, _ plan: OffPolicyPlan
  ) throws -> Evaluation {
    var selection = selection
    selection.experiments = [experiment]
    selection.contextAttributes = plan.contextAttributes
    let source = LogUnits(self, selection)
    let units = try source.units(plan.needs)
    let survey = try source.show(
      units, to: EvaluationSurvey(needs: plan.needs, attribution: plan.attribution))
    let names = try LogNames(log, [.experiments, .points, .slots, .variants])
    let known = EvaluationSource(
      units.context, selection.contextAttributes, survey.variants, names,
      try source.unitHashes())
    let models = try ModelFits(plan, known).models { try source.show(units, to: $0) }
    let policies = try source.show(
      units, to: EvaluationProjector(source: known, plan: plan, models: models))
    return Evaluation(
      experiment: experiment, policies: policies, ledger: survey.ledger, rewards: survey.rewards)
  }
}

/// The fits of the reward model that a plan needs.
private struct ModelFits {
  let plan: OffPolicyPlan
  let source: EvaluationSource

  init(_ plan: OffPolicyPlan, _ source: EvaluationSource) {
    self.plan = plan
    self.source = source
  }

  /// Returns the models of each policy: one that they share, and one of its own where decisions are weighed.
  func models(
    _ show: (RewardModelFitter) throws -> CrossFitting
  ) throws -> [[RewardModelUse: CrossFittedModels]] {
    let uses = Set(plan.estimators.map(\.rewardModel))
    let shared = uses.contains(.unweighted) ? try fit(nil, .unweighted, show) : nil
    return try plan.policies.map { policy in
      var models: [RewardModelUse: CrossFittedModels] = [:]
      models[.unweighted] = shared
      if uses.contains(.varianceMinimizing) {
        models[.varianceMinimizing] = try fit(policy, .varianceMinimizing, show)
      }
      return models
    }
  }

  private func fit(
    _ policy: (any TargetPolicy)?, _ use: RewardModelUse,
    _ show: (RewardModelFitter) throws -> CrossFitting
  ) throws -> CrossFittedModels {
    let problem = RewardProblem(
      slots: source.places.count, variants: source.numbers.codes.count, columns: 1)
    var fit = try CrossFitting(plan.rewardModel, problem, folds: plan.folds)
    repeat {
      fit = try show(
        RewardModelFitter(
          source: source, attribution: plan.attribution, needs: plan.needs, fit: fit,
          policy: policy, use: use))
    } while try fit.finishPass()
    return try fit.models()
  }
}
