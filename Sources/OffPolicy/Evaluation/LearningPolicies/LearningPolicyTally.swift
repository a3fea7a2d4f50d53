internal import Statistics

/// The estimated value of a learning policy that was replayed over a log, with an account of its decisions.
///
/// Over all runs, the value is the mean reward of the accepted decisions. A unit is one observation with its decisions
/// of all runs, so that runs, which share the log, are not taken for independent ones.
public struct LearningPolicyTally: Sendable {
  /// The policy.
  public let policy: ReplayedPolicy
  /// The number of runs.
  public let runs: Int
  /// The estimate. Its decisions are those of all runs.
  public internal(set) var estimate: OffPolicyEstimate
  /// The decisions on which the policy agreed with the log, of all runs.
  public internal(set) var agreed = 0
  /// The decisions that were accepted, of all runs.
  public internal(set) var accepted = 0
  /// The propensity below which decisions were accepted whenever the policy agreed.
  public let floor: Double
  /// The decisions of the log whose propensity is below the ``floor``: if there are any, the estimate is biased.
  public let belowFloor: Int

  /// A caution about the scale of the rewards; nil for none.
  public internal(set) var scaleNote: String?

  init(
    _ policy: ReplayedPolicy, runs: Int, intervals: [any IntervalMethod], floor: Double,
    belowFloor: Int
  ) {
    (self.policy, self.runs, self.floor, self.belowFloor) = (policy, runs, floor, belowFloor)
    estimate = OffPolicyEstimate(DeterministicReplay(), intervals: intervals)
  }
}
