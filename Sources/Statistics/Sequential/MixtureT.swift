/// A confidence sequence of a normal mean with unknown variance: the means that a mixture of t tests does not reject,
/// valid at any stopping time.
///
/// The effect, in standard deviations, has a normal prior of variance 1/g, and the standard deviation the prior 1/σ.
/// The likelihood ratio of the mixture to a mean at which Student's statistic is t after n values is √(g/(g + n))·((1 +
/// t²/ν)/(1 + t²·g/((g + n)·ν)))^((ν + 1)/2) with ν = n − 1 (T. L. Lai, "On confidence sequences", Annals of Statistics
/// 4, 1976). With many degrees of freedom it is the normal mixture.
public struct MixtureT: Sendable, Equatable {
  /// The prior precision g, in numbers of values.
  public let priorCount: Double
  /// The probability that the truth is ever outside, between 0 and 1, exclusive.
  public let alpha: Double

  /// Creates the sequence that is tightest, for many degrees of freedom, after about the given number of values.
  ///
  /// - Precondition: `count` is positive and `alpha` between 0 and 1, exclusive.
  public init(tightestAt count: Double, alpha: Double = 0.05) {
    precondition(count > 0 && alpha > 0 && alpha < 1, "a count is positive, a level in (0, 1)")
    let log = -2 * Double.log(alpha)
    priorCount = count / (log + Double.log(1 + log))
    self.alpha = alpha
  }

  /// Returns the half-width of the interval in standard errors; infinite if there are too few values for a bound.
  public func multiplier(count: Double, degreesOfFreedom degrees: Double) -> Double {
    guard degrees > 0, count > 0 else { return .infinity }
    let share = priorCount / (priorCount + count)
    let log = -Double.log(alpha) - 0.5 * Double.log(share)
    let growth = Double.expMinusOne(2 * log / (degrees + 1))
    // (1 + t²/ν) = (1 + growth)·(1 + share·t²/ν), solved for t².
    let rest = 1 - share * (1 + growth)
    return rest > 0 ? (degrees * growth / rest).squareRoot() : .infinity
  }
}
