/// A logged decision, as seen by an off-policy estimator of a target policy.
public struct LoggedDecision: Sendable, Hashable {
  /// The reward of the chosen variant, r.
  public let reward: Double
  /// The importance weight w of the chosen variant: the target policy's probability over the propensity, at least 0.
  public let weight: Double
  /// The reward model's prediction for the chosen variant, q; 0 without a model.
  public let modelled: Double
  /// The reward model's prediction for the target policy, v: over all variants, its probability times their predicted
  /// reward; 0 without a model.
  public let expected: Double
  /// Whether it continues the whole decision of its predecessor among the decisions of the unit: another slot of it.
  ///
  /// Only estimators of whole decisions (``OffPolicyEstimator/judgesWholeDecisions``) distinguish it.
  public var isContinuation = false
  /// Whether the target policy has a probability of the chosen variant that is neither 0 nor 1: it draws.
  ///
  /// Only estimators that need a policy that is sure of its choice distinguish it
  /// (``OffPolicyEstimator/countsMatches``).
  public var isDrawn = false
  /// The number of the logging policy that made it, 0 if the log does not say.
  ///
  /// Only estimators for several logging policies distinguish it.
  public var logger: UInt32 = 0
  /// The time of the decision, in microseconds; 0 if it is not known.
  ///
  /// Only intervals that need the order of the decisions distinguish it (``OffPolicySequence``).
  public var time: Int64 = 0

  /// Creates a decision from a weight; returns nil for a negative weight, or a number that is not finite.
  ///
  /// - Parameters:
  ///   - reward: The reward of the chosen variant.
  ///   - weight: The importance weight, from logged propensities or of another ``WeightKind``.
  ///   - modelled: The model's prediction for the chosen variant; 0 without a model.
  ///   - expected: The model's prediction for the target policy; 0 without a model.
  public init?(reward: Double, weight: Double, modelled: Double = 0, expected: Double = 0) {
    guard weight >= 0, weight.isFinite, reward.isFinite, modelled.isFinite, expected.isFinite else {
      return nil
    }
    (self.reward, self.weight) = (reward, weight)
    (self.modelled, self.expected) = (modelled, expected)
  }

  /// Creates a decision from the probabilities of both policies; returns nil for a propensity outside (0, 1], a target
  /// outside [0, 1], or a number that is not finite.
  ///
  /// - Parameters:
  ///   - reward: The reward of the chosen variant.
  ///   - propensity: The probability with which the logging policy chose it.
  ///   - target: The probability with which the target policy would have chosen it.
  ///   - modelled: The model's prediction for it; 0 without a model.
  ///   - expected: The model's prediction for the target policy; 0 without a model.
  public init?(
    reward: Double, propensity: Double, target: Double, modelled: Double = 0, expected: Double = 0
  ) {
    guard propensity > 0, propensity <= 1, target >= 0, target <= 1 else { return nil }
    self.init(
      reward: reward, weight: target / propensity, modelled: modelled, expected: expected)
    isDrawn = target > 0 && target < 1
  }
}

extension LoggedDecision {
  /// Returns the same decision with another reward; nil if it is not finite.
  public func rewarded(_ reward: Double) -> LoggedDecision? {
    guard
      var decision = LoggedDecision(
        reward: reward, weight: weight, modelled: modelled, expected: expected)
    else { return nil }
    (decision.isContinuation, decision.isDrawn) = (isContinuation, isDrawn)
    (decision.logger, decision.time) = (logger, time)
    return decision
  }

  /// Returns the doubly robust term v + w·(r − q) with a weight.
  func doublyRobust(_ weight: Double) -> Double { expected + weight * (reward - modelled) }
}
