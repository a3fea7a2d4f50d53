public import Statistics

/// The replay evaluation of a policy over a log, which counts only the decisions on which the policy agrees.
///
/// L. Li, W. Chu, J. Langford and X. Wang, "Unbiased offline evaluation of contextual-bandit-based news article
/// recommendation algorithms" (WSDM 2011). The mean is unbiased if the logging policy chose uniformly.
///
/// - Complexity: about 1.1 KB; an addition is O(1) without allocation.
public struct ReplayedDecisions: Sendable, Equatable {
  /// The rewards of the decisions that matched.
  public private(set) var rewards = Moments()
  /// The number of decisions, matched or not.
  public private(set) var count = 0

  /// Creates an evaluation without decisions.
  public init() {}

  /// Adds a decision, and whether the policy makes the same choice.
  public mutating func add(_ reward: Double, matches: Bool) {
    count += 1
    if matches { rewards.add(reward) }
  }

  /// Adds all the decisions of another instance.
  public mutating func merge(_ other: ReplayedDecisions) {
    count += other.count
    rewards.merge(other.rewards)
  }

  /// The number of decisions that matched.
  public var matched: Int { rewards.count }

  /// The mean reward of the decisions that matched; nil if none did.
  public var value: Double? { rewards.mean }

  /// The standard error of the mean; nil for fewer than two matches.
  public var standardError: Double? { rewards.standardError }
}
