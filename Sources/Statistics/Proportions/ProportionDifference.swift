/// Confidence intervals of the difference of two proportions, treatment less control; nil if either has no trials.
public enum ProportionDifference {
  /// Returns the hybrid score interval of R. G. Newcombe ("Interval estimation for the difference between independent
  /// proportions", Statistics in Medicine 17, 1998, method 10), from the two intervals of Wilson.
  public static func newcombe(
    treatment: Proportion, control: Proportion, level: Double = 0.95
  ) -> Interval? {
    guard let p = treatment.value, let q = control.value,
      let wilsonP = treatment.wilsonInterval(level: level),
      let wilsonQ = control.wilsonInterval(level: level)
    else { return nil }
    let down = length(p - wilsonP.low, wilsonQ.high - q)
    let up = length(wilsonP.high - p, q - wilsonQ.low)
    return Interval(p - q - down, p - q + up)
  }

  /// Returns the interval of A. Agresti and B. Caffo ("Simple and effective confidence intervals for proportions and
  /// differences of proportions", The American Statistician 54, 2000): Wald's with an additional success and failure in
  /// each group, clamped to −1 ... 1.
  public static func agrestiCaffo(
    treatment: Proportion, control: Proportion, level: Double = 0.95
  ) -> Interval? {
    guard treatment.trials > 0, control.trials > 0 else { return nil }
    let (n, m) = (Double(treatment.trials + 2), Double(control.trials + 2))
    let (p, q) = (Double(treatment.successes + 1) / n, Double(control.successes + 1) / m)
    let z = -StandardNormal.quantile((1 - level) / 2)
    let spread = z * (p * (1 - p) / n + q * (1 - q) / m).squareRoot()
    return Interval(max(-1, p - q - spread), min(1, p - q + spread))
  }

  /// Returns the score interval of O. Miettinen and M. Nurminen ("Comparative analysis of two rates", Statistics in
  /// Medicine 4, 1985): all differences that the score test does not reject, with the factor N/(N − 1) on the variance.
  public static func miettinenNurminen(
    treatment: Proportion, control: Proportion, level: Double = 0.95
  ) -> Interval? {
    guard let p = treatment.value, let q = control.value else { return nil }
    let z = -StandardNormal.quantile((1 - level) / 2)
    let pair = ScorePair(treatment, control)
    let low = RootFinding.zero(between: -1, and: p - q) { pair.differenceScore($0) - z }
    let high = RootFinding.zero(between: p - q, and: 1) { pair.differenceScore($0) + z }
    return Interval(min(low, p - q), max(high, p - q))
  }

  private static func length(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
}
