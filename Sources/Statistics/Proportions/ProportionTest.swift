/// Tests of the difference of two proportions. Every result is treatment less control; nil if either has no trials.
public enum ProportionTest {
  /// Compares the proportions by the z test with the standard error pooled under the null hypothesis. Its square is
  /// Pearson's chi-squared. The interval is Wald's, from the unpooled standard error.
  public static func pooledZ(
    treatment: Proportion, control: Proportion, alternative: Alternative = .twoSided,
    level: Double = 0.95
  ) -> Difference? {
    guard
      var result = unpooledZ(
        treatment: treatment, control: control, alternative: alternative, level: level)
    else { return nil }
    let (n1, n2) = (Double(treatment.trials), Double(control.trials))
    let p = Double(treatment.successes + control.successes) / (n1 + n2)
    let error = (p * (1 - p) * (1 / n1 + 1 / n2)).squareRoot()
    result.standardError = error
    guard error > 0 else {
      (result.statistic, result.pValue) = (nil, nil)
      return result
    }
    let z = result.estimate / error
    result.statistic = z
    result.pValue = alternative.pValue(
      lower: StandardNormal.cdf(z), upper: StandardNormal.upperTail(z))
    return result
  }

  /// Compares the proportions by the z test with the standard error √(p₁q₁/n₁ + p₂q₂/n₂).
  public static func unpooledZ(
    treatment: Proportion, control: Proportion, alternative: Alternative = .twoSided,
    level: Double = 0.95
  ) -> Difference? {
    guard let a = SampleMean(treatment), let b = SampleMean(control) else { return nil }
    return MeanTest.z(treatment: a, control: b, alternative: alternative, level: level)
  }

  /// Tests the 2 × 2 table by Pearson's chi-squared test, optionally with F. Yates's continuity correction.
  ///
  /// - Returns: The statistic and p-value; nil if a row or a column of the table is empty.
  public static func chiSquared(
    treatment: Proportion, control: Proportion, yates: Bool = false
  ) -> (statistic: Double, pValue: Double)? {
    let (a, b) = (Double(treatment.successes), Double(treatment.trials - treatment.successes))
    let (c, d) = (Double(control.successes), Double(control.trials - control.successes))
    let margins = (a + b) * (c + d) * (a + c) * (b + d)
    guard margins > 0 else { return nil }
    let n = a + b + c + d
    let excess = max(0, abs(a * d - b * c) - (yates ? n / 2 : 0))
    let statistic = n * excess * excess / margins
    return (statistic, ChiSquared(degreesOfFreedom: 1).upperTail(statistic))
  }

  /// Returns the p-value of Fisher's exact test of the 2 × 2 table with fixed margins. The two-sided p-value adds the
  /// probabilities of all tables that are no more likely than the observed one (to within 1e-7, so that rounding does
  /// not separate equally likely tables).
  ///
  /// - Complexity: O(smallest margin).
  public static func fisher(
    treatment: Proportion, control: Proportion, alternative: Alternative = .twoSided
  ) -> Double {
    let (weights, place) = tables(treatment, control)
    let seen = weights[place] * (1 + 1e-7)
    var (total, chosen) = (0.0, 0.0)
    for (index, weight) in weights.enumerated() {
      total += weight
      let isAsExtreme =
        switch alternative {
        case .twoSided: weight <= seen
        case .greater: index >= place
        case .less: index <= place
        }
      if isAsExtreme { chosen += weight }
    }
    return min(1, chosen / total)
  }

  /// Tests the 2 × 2 table with fixed margins by the mid-p version of Fisher's exact test, of which the observed table
  /// counts half: H. O. Lancaster, "Significance tests in discrete distributions" (JASA 56, 1961). The two-sided
  /// p-value is twice that of the smaller tail.
  ///
  /// - Returns: The difference, and as its statistic the normal quantile with the same tails, within 38 of zero.
  /// - Complexity: O(smallest margin).
  public static func midP(
    treatment: Proportion, control: Proportion, alternative: Alternative = .twoSided
  ) -> Difference? {
    guard let p = treatment.value, let q = control.value else { return nil }
    let (weights, place) = tables(treatment, control)
    let seen = weights[place] / 2
    let below = weights[..<place].reduce(seen, +)
    let above = weights[(place + 1)...].reduce(seen, +)
    let (lower, upper) = (below / (below + above), above / (below + above))
    let z = -StandardNormal.quantile(max(1e-300, min(lower, upper)))
    return Difference(
      estimate: p - q, statistic: lower < upper ? -z : z,
      pValue: alternative.pValue(lower: lower, upper: upper))
  }

  /// Returns the likelihoods, up to a factor, of the tables with the same margins, from the fewest successes of the
  /// treatment on, and the place of the observed one.
  private static func tables(
    _ treatment: Proportion, _ control: Proportion
  ) -> (weights: [Double], place: Int) {
    let successes = treatment.successes + control.successes
    let low = max(0, successes - control.trials)
    let high = min(successes, treatment.trials)
    let logs = (low...high).map { x in
      logChoose(treatment.trials, x) + logChoose(control.trials, successes - x)
    }
    let greatest = logs.max() ?? 0
    return (logs.map { Double.exp($0 - greatest) }, treatment.successes - low)
  }

  private static func logChoose(_ n: Int, _ k: Int) -> Double {
    -Double.log(Double(n + 1)) - SpecialFunctions.logBeta(Double(n - k + 1), Double(k + 1))
  }
}
