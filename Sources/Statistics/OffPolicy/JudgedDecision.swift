/// A logged decision as an estimator sees it that judges another policy, the target, from the log.
public struct JudgedDecision: Sendable, Equatable {
  /// The reward of the variant that was chosen.
  public let reward: Double
  /// The probability with which the log's policy chose it.
  public let propensity: Double
  /// The probability with which the target would have chosen it.
  public let target: Double
  /// The reward that a model expects of it.
  public let modelled: Double
  /// The reward that the model expects of the target: over all variants, its probability times their modelled reward.
  public let expected: Double

  /// Makes a decision; nil for a propensity outside (0, 1], a target outside [0, 1], or a number that is not finite.
  ///
  /// - Parameters:
  ///   - reward: The reward of the chosen variant.
  ///   - propensity: The probability with which it was chosen.
  ///   - target: The probability with which the target would have chosen it.
  ///   - modelled: The model's reward of it; 0 without a model.
  ///   - expected: The model's reward under the target; 0 without a model.
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
