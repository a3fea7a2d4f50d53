/// The sequential rule that Statsig documents: a mixture test whose mixing variance follows the estimate's own, and a
/// p-value read off the normal test stretched to its boundary.
public struct ScaledMixtureRule: Sendable, Equatable {
  /// The level, between 0 and 1, exclusive.
  public let alpha: Double

  /// Makes a rule.
  ///
  /// - Precondition: `alpha` is between 0 and 1, exclusive.
  public init(alpha: Double = 0.05) {
    precondition(alpha > 0 && alpha < 1, "a level is between 0 and 1")
    self.alpha = alpha
  }

  /// The mixing variance: half the squared normal quantile of the level times the estimate's variance.
  public func mixingVariance(_ variance: Double) -> Double {
    let z = StandardNormal.quantile(alpha / 2)
    return variance * z * z / 2
  }

  /// By how many standard errors an estimate must differ from zero: √((V + τ)/τ·(−2 ln(α/2) + ln((V + τ)/V))). It
  /// does not depend on V, because τ follows it.
  public var criticalValue: Double {
    let tau = mixingVariance(1)
    let logs = -2 * Double.log(alpha / 2) + Double.log(1 + tau)
    return ((1 + tau) / tau * logs).squareRoot()
  }

  /// The interval of an estimate.
  public func interval(estimate: Double, variance: Double) -> Interval {
    let spread = criticalValue * variance.squareRoot()
    return Interval(estimate - spread, estimate + spread)
  }

  /// The p-value of an estimate: it is the level where the estimate is on the boundary.
  public func pValue(estimate: Double, variance: Double) -> Double {
    let normal = -StandardNormal.quantile(alpha / 2)
    let z = abs(estimate) / variance.squareRoot() * normal / criticalValue
    return 2 * StandardNormal.upperTail(z)
  }
}
