public import Bandits
public import Statistics

/// What to estimate from a log: the value of some target policies by some estimators.
public struct OffPolicyPlan: Sendable {
  /// The target policies.
  public var policies: [any TargetPolicy]
  /// The estimators.
  public var estimators: [any OffPolicyEstimator]
  /// The methods of the estimates' intervals.
  public var intervals: [any IntervalMethod]
  /// The reward model of the estimators that use one.
  public var rewardModel: any RewardModel
  /// The number of folds of units, each of which is predicted by a model fitted without it; 1 for a single model.
  public var folds: Int
  /// How goals are credited to decisions.
  public var attribution: Attribution

  /// Creates a plan.
  public init(
    policies: [any TargetPolicy], estimators: [any OffPolicyEstimator],
    intervals: [any IntervalMethod] = [], rewardModel: any RewardModel, folds: Int = 1, attribution: Attribution = Attribution()
  ) {
    self.policies = policies
    self.estimators = estimators
    self.intervals = intervals
    self.rewardModel = rewardModel
    self.folds = folds
    self.attribution = attribution
  }

  /// The attributes of the context that the target policies need, sorted.
  var contextAttributes: [String] {
    Set(policies.flatMap(\.contextAttributes)).sorted()
  }

  /// The events that are needed.
  var needs: UnitNeeds {
    var needs: UnitNeeds = [.decisions, .goals, .propensities, .situations]
    if policies.contains(where: \.needsLoggedProbabilities) { needs.insert(.probabilities) }
    return needs
  }
}
