internal import Bandits
internal import Statistics

extension OffPolicyPlan {
  /// Creates a plan with the standard reward model, which is the mean of each slot and variant.
  ///
  /// - Parameters:
  ///   - policies: The target policies.
  ///   - estimators: The estimators.
  ///   - intervals: The methods of the estimates' intervals.
  ///   - seed: The seed of random numbers.
  /// - Returns: The plan.
  /// - Throws: `SpecificationError` only if the parameters of the reward model are invalid.
  public static func tabular(
    policies: [any TargetPolicy], estimators: [any OffPolicyEstimator],
    intervals: [any IntervalMethod], seed: UInt64 = 1
  ) throws -> OffPolicyPlan {
    OffPolicyPlan(
      policies: policies, seed: seed, estimators: estimators, intervals: intervals,
      rewardModel: TabularRewards())
  }
}
