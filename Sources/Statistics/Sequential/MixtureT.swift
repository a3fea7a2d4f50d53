/// A confidence sequence of a normal mean whose variance is not known: the means that a mixture of t tests does not reject, at
/// whatever number of values one stops to look.
///
/// The effect, in standard deviations, has a normal prior of variance 1/g, and the standard deviation the prior 1/σ. The likelihood
/// ratio of the mixture to a mean at which Student's statistic is t after n values is
/// √(g/(g + n))·((1 + t²/ν)/(1 + t²·g/((g + n)·ν)))^((ν + 1)/2) with ν = n − 1 (T. L. Lai, "On confidence sequences", Annals of
/// Statistics 4, 1976). With many degrees of freedom it is the normal mixture.
public struct MixtureT: Sendable, Equatable {
  /// g, in values.
  public let priorCount: Double
  /// The probability that the truth is ever outside, between 0 and 1, exclusive.
  public let alpha: Double

  /// The sequence that is tightest, for many degrees of freedom, after about the number of values.
  ///
  /// - Precondition: `count` is positive and `alpha` between 0 and 1, exclusive.
  public init(tightestAt count: Double, alpha: Double = 0.05) {
    precondition(count > 0 && alpha > 0 && alpha < 1, "a count is positive, a level in (0, 1)")
    let log = -2 * Double.log(alpha)
    priorCount = count / (log + Double.log(1 + log))
    self.alpha = alpha
  }

  /// By how many standard errors the interval reaches to either side; infinite where so few values bound nothing.
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
