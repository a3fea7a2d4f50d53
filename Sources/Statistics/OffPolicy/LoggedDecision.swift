/// A logged decision, as seen by an off-policy estimator of a target policy.
public struct LoggedDecision: Sendable, Equatable {
  /// The reward of the chosen variant.
  public let reward: Double
  /// The probability with which the logging policy chose the variant.
  public let propensity: Double
  /// The probability with which the target policy would have chosen the variant.
  public let target: Double
  /// The reward model's prediction for the chosen variant.
  public let modelled: Double
  /// The reward model's prediction for the target policy: over all variants, its probability times their predicted
  /// reward.
  public let expected: Double

  /// Creates a decision; returns nil for a propensity outside (0, 1], a target outside [0, 1], or a number that is not
  /// finite.
  ///
  /// - Parameters:
  ///   - reward: The reward of the chosen variant.
  ///   - propensity: The probability with which it was chosen.
  ///   - target: The probability with which the target policy would have chosen it.
  ///   - modelled: The model's prediction for it; 0 without a model.
  ///   - expected: The model's prediction for the target policy; 0 without a model.
  public init?(
    reward: Double, propensity: Double, target: Double, modelled: Double = 0, expected: Double = 0
  ) {
    guard propensity > 0, propensity <= 1, target >= 0, target <= 1, reward.isFinite,
      modelled.isFinite, expected.isFinite, (target / propensity).isFinite
    else { return nil }
    (self.reward, self.propensity, self.target) = (reward, propensity, target)
    (self.modelled, self.expected) = (modelled, expected)
  }

  /// The importance weight w: target over propensity.
  public var weight: Double { target / propensity }
}
