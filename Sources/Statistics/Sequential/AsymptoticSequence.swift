/// An asymptotic confidence sequence of a mean: intervals that are simultaneously valid at all times, for large
/// samples. I. Waudby-Smith et al., "Time-uniform central limit theory and asymptotic confidence sequences" (Annals of
/// Statistics 2024), equation for the two-sided sequence.
public struct AsymptoticSequence: Sendable, Equatable {
  /// ρ, which determines when the interval is tightest.
  public let rho: Double
  /// The probability that the truth is ever outside, between 0 and 1, exclusive.
  public let alpha: Double

  /// Creates the sequence that is tightest at a number N* of units: ρ² = (−2 ln α + ln(1 − 2 ln α))/N*.
  ///
  /// - Precondition: `count` is positive and `alpha` between 0 and 1, exclusive.
  public init(tightestAt count: Double, alpha: Double = 0.05) {
    precondition(count > 0 && alpha > 0 && alpha < 1, "a count is positive, a level in (0, 1)")
    let log = -2 * Double.log(alpha)
    rho = ((log + Double.log(1 + log)) / count).squareRoot()
    self.alpha = alpha
  }

  /// Returns the interval after a number of units.
  ///
  /// - Parameters:
  ///   - estimate: The estimate.
  ///   - standardError: The standard error of the estimate.
  ///   - count: The number of units so far, positive.
  /// - Returns: The interval, centered at the estimate.
  public func interval(estimate: Double, standardError: Double, count: Double) -> Interval {
    let spread = standardError * multiplier(count)
    return Interval(estimate - spread, estimate + spread)
  }

  /// Returns the half-width of the interval in standard errors.
  public func multiplier(_ count: Double) -> Double {
    let scaled = count * rho * rho
    return (2 * (scaled + 1) / scaled * Double.log((scaled + 1).squareRoot() / alpha)).squareRoot()
  }

  /// Returns the smallest α at which the interval with this ρ excludes zero, at this look.
  public func pValue(estimate: Double, standardError: Double, count: Double) -> Double {
    let scaled = count * rho * rho
    let z = estimate / standardError
    let log = 0.5 * Double.log(scaled + 1) - z * z * scaled / (2 * (scaled + 1))
    return min(1, Double.exp(log))
  }
}
