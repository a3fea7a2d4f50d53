extension Draw {
  /// Returns a draw from the Poisson distribution.
  ///
  /// Below a mean of 10 by inversion: the probabilities are accumulated until they exceed a uniform number. From there
  /// on by the transformed rejection method PTRS of W. Hörmann, "The transformed rejection method for generating
  /// Poisson random variables" (Insurance: Mathematics and Economics 12, 1993), with the probability in Loader's form,
  /// which retains precision for large means.
  ///
  /// - Precondition: `mean` is in 0 ... 1e15.
  /// - Complexity: O(mean) below 10, O(1) above.
  @inlinable
  public static func poisson(
    mean: Double, using generator: inout some RandomNumberGenerator
  ) -> Int {
    precondition(mean >= 0 && mean <= 1e15, "the mean of a Poisson distribution is in 0 ... 1e15")
    return mean < 10
      ? smallPoisson(mean, using: &generator) : largePoisson(mean, using: &generator)
  }

  /// Inversion. The probability of a count over 100 is below 1e-68, so the end is never reached.
  @inlinable
  static func smallPoisson(
    _ mean: Double, using generator: inout some RandomNumberGenerator
  ) -> Int {
    var rest = unit(using: &generator)
    var probability = Double.exp(-mean)
    for count in 0..<100 {
      if rest < probability { return count }
      rest -= probability
      probability *= mean / Double(count + 1)
    }
    return 100
  }

  @inlinable
  static func largePoisson(
    _ mean: Double, using generator: inout some RandomNumberGenerator
  ) -> Int {
    let b = 0.931 + 2.53 * mean.squareRoot()
    let a = -0.059 + 0.02483 * b
    let inverseAlpha = 1.1239 + 1.1328 / (b - 3.4)
    while true {
      let u = unit(using: &generator) - 0.5
      let v = openUnit(using: &generator)
      let us = 0.5 - abs(u)
      let count = ((2 * a / us + b) * u + mean + 0.43).rounded(.down)
      if us >= 0.07 && v <= 0.9277 - 3.6224 / (b - 2) { return Int(count) }
      if count < 0 || (us < 0.013 && v > us) { continue }
      let bound = Double.log(v * inverseAlpha / (a / (us * us) + b))
      if bound <= logPoissonProbability(count, mean) { return Int(count) }
    }
  }

  /// ln(meanᵏ·e^(−mean)/k!), from Stirling's error and the deviance of k from the mean.
  @usableFromInline
  static func logPoissonProbability(_ k: Double, _ mean: Double) -> Double {
    if k == 0 { return -mean }
    let z = (mean - k) / k
    let deviance =
      abs(z) < 0.5 ? SpecialFunctions.logOnePlusMinus(z) : Double.log(mean / k) - z
    return k * deviance - SpecialFunctions.stirlingError(k) - 0.5 * Double.log(k)
      - SpecialFunctions.halfLogTwoPi
  }
}
