/// The chi-squared distribution: a sum of squares of standard normal variables.
public struct ChiSquared: Sendable, Equatable {
  /// The degrees of freedom, positive, not necessarily an integer.
  public let degreesOfFreedom: Double

  /// Creates the distribution.
  ///
  /// - Precondition: `degreesOfFreedom` is positive.
  public init(degreesOfFreedom: Double) {
    precondition(degreesOfFreedom > 0, "the degrees of freedom must be positive")
    self.degreesOfFreedom = degreesOfFreedom
  }

  /// Returns the probability of a value of at most `x`; 0 for a negative one.
  ///
  /// - Complexity: O(√ν) steps.
  public func cdf(_ x: Double) -> Double {
    guard x > 0 else { return x.isNaN ? .nan : 0 }
    return SpecialFunctions.incompleteGamma(degreesOfFreedom / 2, x / 2)
  }

  /// Returns the probability of a value above `x`, with full relative accuracy if it is small.
  ///
  /// - Complexity: O(√ν) steps.
  public func upperTail(_ x: Double) -> Double {
    guard x > 0 else { return x.isNaN ? .nan : 1 }
    return SpecialFunctions.incompleteGammaComplement(degreesOfFreedom / 2, x / 2)
  }
}
