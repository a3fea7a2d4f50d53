/// The sequential test documented by Statsig: a mixture test whose mixing variance is proportional to that of the
/// estimate, with the p-value of the normal test rescaled to its boundary.
public struct ScaledMixtureRule: Sendable, Equatable {
  /// The significance level, between 0 and 1, exclusive.
  public let alpha: Double

  /// Creates a rule.
  ///
  /// - Precondition: `alpha` is between 0 and 1, exclusive.
  public init(alpha: Double = 0.05) {
    precondition(alpha > 0 && alpha < 1, "a level is between 0 and 1")
    self.alpha = alpha
  }

  /// Returns the mixing variance: half the squared normal quantile of the level times the estimate's variance.
  public func mixingVariance(_ variance: Double) -> Double {
    let z = StandardNormal.quantile(alpha / 2)
    return variance * z * z / 2
  }

  /// The boundary in standard errors: √((V + τ)/τ·(−2 ln(α/2) + ln((V + τ)/V))). It does not depend on V, as τ is
  /// proportional to it.
  public var criticalValue: Double {
    let tau = mixingVariance(1)
    let logs = -2 * Double.log(alpha / 2) + Double.log(1 + tau)
    return ((1 + tau) / tau * logs).squareRoot()
  }

  /// Returns the interval of an estimate.
  public func interval(estimate: Double, variance: Double) -> Interval {
    let spread = criticalValue * variance.squareRoot()
    return Interval(estimate - spread, estimate + spread)
  }

  /// Returns the p-value of an estimate, which equals the level if the estimate is on the boundary.
  public func pValue(estimate: Double, variance: Double) -> Double {
    let normal = -StandardNormal.quantile(alpha / 2)
    let z = abs(estimate) / variance.squareRoot() * normal / criticalValue
    return 2 * StandardNormal.upperTail(z)
  }
}
