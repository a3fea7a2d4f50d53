extension SpecialFunctions {
  /// The natural logarithm of the Beta function, ln(Γ(a)·Γ(b)/Γ(a + b)).
  ///
  /// To avoid cancellation for large arguments, Stirling's leading terms are combined analytically, as in A. R.
  /// DiDonato and A. H. Morris, "Algorithm 708" (ACM TOMS 18, 1992), section 2. The error is at most 4e-15 of the
  /// larger of 1 and the result; the result is near 0 when B(a, b) is near 1, and has no relative accuracy there.
  ///
  /// - Precondition: `a` and `b` are positive and finite.
  /// - Complexity: O(1).
  public static func logBeta(_ a: Double, _ b: Double) -> Double {
    precondition(a > 0 && b > 0, "the Beta function needs positive arguments")
    let (p, q) = (min(a, b), max(a, b))
    if q < 10 { return Double.logGamma(p) + Double.logGamma(q) - Double.logGamma(p + q) }
    let logOnePlusRatio = Double.log(onePlus: p / q)
    let errors = stirlingError(q) - stirlingError(p + q)
    if p < 10 {
      return Double.logGamma(p) + errors - (p + q - 0.5) * logOnePlusRatio
        - p * (Double.log(q) - 1)
    }
    // ln(p/(p + q)), whose two parts have the same sign as the rest of the sum.
    let logShare = Double.log(p / q) - logOnePlusRatio
    return halfLogTwoPi - 0.5 * Double.log(q) + stirlingError(p) + errors
      + (p - 0.5) * logShare - q * logOnePlusRatio
  }
}
