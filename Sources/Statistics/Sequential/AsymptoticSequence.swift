/// Asymptotic confidence sequences: intervals of a mean that hold at all times together, for large samples. I.
/// Waudby-Smith et al., "Time-uniform central limit theory and asymptotic confidence sequences" (Annals of Statistics
/// 2024), equation for the two-sided sequence.
public struct AsymptoticSequence: Sendable, Equatable {
  /// ρ, which sets when the interval is tightest.
  public let rho: Double
  /// The probability that the truth is ever outside, between 0 and 1, exclusive.
  public let alpha: Double

  /// The sequence that is tightest after the number of units: ρ² = (−2 ln α + ln(1 − 2 ln α))/N*.
  ///
  /// - Precondition: `count` is positive and `alpha` between 0 and 1, exclusive.
  public init(tightestAt count: Double, alpha: Double = 0.05) {
    precondition(count > 0 && alpha > 0 && alpha < 1, "a count is positive, a level in (0, 1)")
    let log = -2 * Double.log(alpha)
    rho = ((log + Double.log(1 + log)) / count).squareRoot()
    self.alpha = alpha
  }

  /// The interval after so many units.
  ///
  /// - Parameters:
  ///   - estimate: the estimate.
  ///   - standardError: its standard error.
  ///   - count: the units so far, positive.
  /// - Returns: the interval, centred at the estimate.
  public func interval(estimate: Double, standardError: Double, count: Double) -> Interval {
    let spread = standardError * multiplier(count)
    return Interval(estimate - spread, estimate + spread)
  }

  /// By how many standard errors the interval reaches to either side.
  public func multiplier(_ count: Double) -> Double {
    let scaled = count * rho * rho
    return (2 * (scaled + 1) / scaled * Double.log((scaled + 1).squareRoot() / alpha)).squareRoot()
  }

  /// The least level at which the interval of this ρ leaves zero out, at this look.
  public func pValue(estimate: Double, standardError: Double, count: Double) -> Double {
    let scaled = count * rho * rho
    let z = estimate / standardError
    let log = 0.5 * Double.log(scaled + 1) - z * z * scaled / (2 * (scaled + 1))
    return min(1, Double.exp(log))
  }
}
