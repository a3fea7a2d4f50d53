extension Proportion {
  /// Returns the exact interval of C. J. Clopper and E. S. Pearson ("The use of confidence or fiducial limits
  /// illustrated in the case of the binomial", Biometrika 26, 1934), whose coverage is at least the confidence level;
  /// nil without trials.
  public func clopperPearsonInterval(level: Double = 0.95) -> Interval? {
    guard trials > 0 else { return nil }
    let (x, n, tail) = (Double(successes), Double(trials), (1 - level) / 2)
    let low = successes == 0 ? 0 : SpecialFunctions.inverseIncompleteBeta(tail, x, n - x + 1)
    let failures = trials - successes
    let high =
      failures == 0 ? 1 : 1 - SpecialFunctions.inverseIncompleteBeta(tail, n - x, x + 1)
    return Interval(low, max(low, high))
  }

  /// Returns the Jeffreys interval: the equal-tailed credible interval under Jeffreys' prior Beta(½, ½); nil without
  /// trials.
  public func jeffreysInterval(level: Double = 0.95) -> Interval? {
    guard trials > 0 else { return nil }
    let (a, b) = (Double(successes) + 0.5, Double(trials - successes) + 0.5)
    let tail = (1 - level) / 2
    let low = SpecialFunctions.inverseIncompleteBeta(tail, a, b)
    return Interval(low, max(low, 1 - SpecialFunctions.inverseIncompleteBeta(tail, b, a)))
  }

  /// Returns the interval of A. Agresti and B. A. Coull ("Approximate is better than 'exact'", The American
  /// Statistician 52, 1998): Wald's around Wilson's center, clamped to 0 ... 1; nil without trials.
  public func agrestiCoullInterval(level: Double = 0.95) -> Interval? {
    guard trials > 0 else { return nil }
    let z = -StandardNormal.quantile((1 - level) / 2)
    let n = Double(trials) + z * z
    return Self.interval(around: (Double(successes) + z * z / 2) / n, count: n, z: z)
  }

  /// Returns Wald's interval p ± z·√(p·(1 − p)/n), clamped to 0 ... 1; nil without trials. Its coverage for small
  /// samples is below its confidence level; for comparison only.
  public func waldInterval(level: Double = 0.95) -> Interval? {
    guard let value else { return nil }
    let z = -StandardNormal.quantile((1 - level) / 2)
    return Self.interval(around: value, count: Double(trials), z: z)
  }

  private static func interval(around p: Double, count: Double, z: Double) -> Interval {
    let spread = z * (p * (1 - p) / count).squareRoot()
    return Interval(max(0, p - spread), min(1, p + spread))
  }
}
