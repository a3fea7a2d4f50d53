/// The mixture sequential probability ratio test (mSPRT): R. Johari et al., "Peeking at A/B tests" (KDD 2017), after H.
/// Robbins (1970). Valid at every look for an estimate with a normal error.
public struct MixtureTest: Sendable, Equatable {
  /// The variance of the mixing distribution of effects, positive.
  public let priorVariance: Double

  /// Creates a test.
  ///
  /// - Precondition: `priorVariance` is positive.
  public init(priorVariance: Double) {
    precondition(priorVariance > 0, "the variance of the effects is positive")
    self.priorVariance = priorVariance
  }

  /// Returns the likelihood ratio of the mixture to no effect at an estimate with the variance V: √(V/(V +
  /// τ))·exp(τ·d²/(2V(V + τ))).
  public func likelihoodRatio(estimate: Double, variance: Double) -> Double {
    let total = variance + priorVariance
    let exponent = priorVariance * estimate * estimate / (2 * variance * total)
    return (variance / total).squareRoot() * Double.exp(exponent)
  }

  /// Returns the p-value of this look alone, min(1, 1/Λ); the always-valid p-value is the least so far.
  public func pValue(estimate: Double, variance: Double) -> Double {
    min(1, 1 / likelihoodRatio(estimate: estimate, variance: variance))
  }

  /// Returns the interval of effects that the test does not reject at this look.
  public func interval(estimate: Double, variance: Double, alpha: Double = 0.05) -> Interval {
    let total = variance + priorVariance
    let logs = 2 * Double.log(1 / alpha) + Double.log(total / variance)
    let spread = (variance * total / priorVariance * logs).squareRoot()
    return Interval(estimate - spread, estimate + spread)
  }
}
