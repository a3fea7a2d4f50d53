extension Draw {
  /// Returns a draw from the exponential distribution with the given rate; its mean is 1/rate.
  ///
  /// By inversion of a uniform number: 0 is possible, infinity is not for rates from 3e-307 up.
  ///
  /// - Precondition: `rate` is positive.
  /// - Complexity: O(1), one word and one logarithm.
  @inlinable
  public static func exponential(
    rate: Double = 1, using generator: inout some RandomNumberGenerator
  ) -> Double {
    precondition(rate > 0, "the rate of an exponential distribution is positive")
    return -Double.log(1 - unit(using: &generator)) / rate
  }

  /// Returns a draw from the Gamma distribution with the given shape and scale; its mean is shape·scale.
  ///
  /// For a single draw; ``GammaShape`` is faster for many. G. Marsaglia and W. W. Tsang, "A simple method for
  /// generating gamma variables" (ACM TOMS 26, 2000). For shapes below 1 a draw with the shape one higher is multiplied
  /// by u^(1/shape), which for shapes below about 0.01 may underflow to zero.
  ///
  /// - Precondition: `shape` and `scale` are positive and finite.
  /// - Complexity: O(1); about 1.05 normal draws at worst.
  @inlinable
  public static func gamma(
    shape: Double, scale: Double = 1, using generator: inout some RandomNumberGenerator
  ) -> Double {
    precondition(shape > 0 && shape < .infinity, "the shape of a Gamma distribution is positive")
    precondition(scale > 0, "the scale of a Gamma distribution is positive")
    return scale * GammaShape(shape).draw(using: &generator)
  }

  /// Returns a draw from the Beta distribution; its mean is a/(a + b).
  ///
  /// For a single draw; ``BetaShape`` is faster for many. The draw is x/(x + y) for two Gamma draws; if both parameters
  /// are at most 1, Jöhnk's method (1964) on logarithms, so that tiny parameters never divide zero by zero. The result
  /// may round to 0 or 1.
  ///
  /// - Precondition: `a` and `b` are positive, and their sum is finite.
  /// - Complexity: O(1); Jöhnk's method takes at most two rounds on average.
  @inlinable
  public static func beta(
    _ a: Double, _ b: Double, using generator: inout some RandomNumberGenerator
  ) -> Double {
    precondition(a > 0 && b > 0, "the parameters of a Beta distribution are positive")
    if a <= 1 && b <= 1 { return smallBeta(a, b, using: &generator) }
    let x = gamma(shape: a, using: &generator)
    let y = gamma(shape: b, using: &generator)
    return x / (x + y)
  }

  /// Jöhnk's method: given u^(1/a) + v^(1/b) ≤ 1, the share of the first term is Beta(a, b).
  @inlinable
  static func smallBeta(
    _ a: Double, _ b: Double, using generator: inout some RandomNumberGenerator
  ) -> Double {
    while true {
      let logX = Double.log(openUnit(using: &generator)) / a
      let logY = Double.log(openUnit(using: &generator)) / b
      if Double.exp(logX) + Double.exp(logY) > 1 { continue }
      return 1 / (1 + Double.exp(logY - logX))
    }
  }
}
