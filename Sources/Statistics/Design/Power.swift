/// Sample size and power of a comparison of two groups of equal size.
///
/// `alpha` is the significance level of the two-sided test, unless a function states otherwise.
public enum Power {
  /// Returns the power of the two-sided t test: P(|T| > t) for a noncentral T with 2(n − 1) degrees of freedom and
  /// noncentrality d·√(n/2).
  ///
  /// - Parameters:
  ///   - count: The units per group, at least 2; need not be whole.
  ///   - effect: The difference over the standard deviation.
  ///   - alpha: The significance level, between 0 and 1, exclusive.
  /// - Returns: A probability.
  public static func t(count: Double, effect: Double, alpha: Double = 0.05) -> Double {
    let degrees = 2 * (count - 1)
    let critical = -StudentT(degreesOfFreedom: degrees).quantile(alpha / 2)
    let t = NoncentralT(degreesOfFreedom: degrees, noncentrality: effect * (count / 2).squareRoot())
    return t.bothTails(critical)
  }

  /// Returns the units per group with which the two-sided t test reaches the power; nil for no effect.
  public static func tCount(effect: Double, power: Double = 0.8, alpha: Double = 0.05) -> Double? {
    guard let z = zCount(effect: effect, power: power, alpha: alpha) else { return nil }
    return RootFinding.zero(between: 2.000001, and: 2 * z + 1e4, near: z + 1) { count in
      t(count: count, effect: effect, alpha: alpha) - power
    }
  }

  /// Returns the smallest effect, over the standard deviation, that the two-sided t test detects with the power.
  public static func tEffect(count: Double, power: Double = 0.8, alpha: Double = 0.05) -> Double {
    let guess = zEffect(count: count, power: power, alpha: alpha)
    return RootFinding.zero(between: 0, and: 100, near: guess) { effect in
      t(count: count, effect: effect, alpha: alpha) - power
    }
  }

  /// Returns the power of the two-sided z test, counting both tails.
  ///
  /// - Parameters:
  ///   - count: The units per group, positive; need not be whole.
  ///   - effect: The difference over the standard deviation.
  ///   - alpha: The significance level, between 0 and 1, exclusive.
  /// - Returns: A probability.
  public static func z(count: Double, effect: Double, alpha: Double = 0.05) -> Double {
    let (critical, shift) = (-StandardNormal.quantile(alpha / 2), effect * (count / 2).squareRoot())
    return StandardNormal.upperTail(critical - shift) + StandardNormal.cdf(-critical - shift)
  }

  /// Returns the units per group with which the two-sided z test reaches the power, counting both tails; nil for no
  /// effect.
  public static func exactZCount(
    effect: Double, power: Double = 0.8, alpha: Double = 0.05
  ) -> Double? {
    guard let most = zCount(effect: effect, power: power, alpha: alpha) else { return nil }
    return RootFinding.zero(between: 0, and: most * 1.01) { count in
      z(count: count, effect: effect, alpha: alpha) - power
    }
  }

  /// Returns the smallest effect, over the standard deviation, that the z test detects with the power.
  public static func zEffect(count: Double, power: Double = 0.8, alpha: Double = 0.05) -> Double {
    let z = quantiles(power, alpha)
    return (z.level + z.power) * (2 / count).squareRoot()
  }

  /// Returns the units per group of the z test, 2(z₁₋α⸝₂ + z_power)²/d²; nil for no effect. The opposite tail, whose
  /// probability is tiny, is neglected.
  public static func zCount(effect: Double, power: Double = 0.8, alpha: Double = 0.05) -> Double? {
    guard effect != 0 else { return nil }
    let z = quantiles(power, alpha)
    return 2 * (z.level + z.power) * (z.level + z.power) / (effect * effect)
  }

  /// Returns the units per group to distinguish two proportions with the unpooled standard error; nil if they are
  /// equal.
  public static func unpooledCount(
    _ p: Double, _ q: Double, power: Double = 0.8, alpha: Double = 0.05
  ) -> Double? {
    guard p != q else { return nil }
    let z = quantiles(power, alpha)
    return (z.level + z.power) * (z.level + z.power) * (p * (1 - p) + q * (1 - q))
      / ((p - q) * (p - q))
  }

  /// Returns the units per group to distinguish two proportions with the standard error pooled under the null
  /// hypothesis (J. L. Fleiss, "Statistical methods for rates and proportions"); nil if they are equal.
  public static func pooledCount(
    _ p: Double, _ q: Double, power: Double = 0.8, alpha: Double = 0.05
  ) -> Double? {
    guard p != q else { return nil }
    let z = quantiles(power, alpha)
    let mean = (p + q) / 2
    let sum =
      z.level * (2 * mean * (1 - mean)).squareRoot()
      + z.power * (p * (1 - p) + q * (1 - q)).squareRoot()
    return sum * sum / ((p - q) * (p - q))
  }

  /// Returns the units per group to distinguish two proportions by Cohen's arcsine effect size 2·asin√p − 2·asin√q; nil
  /// if they are equal.
  public static func arcsineCount(
    _ p: Double, _ q: Double, power: Double = 0.8, alpha: Double = 0.05
  ) -> Double? {
    let effect = 2 * Double.asin(p.squareRoot()) - 2 * Double.asin(q.squareRoot())
    return exactZCount(effect: effect, power: power, alpha: alpha)
  }

  private static func quantiles(_ power: Double, _ alpha: Double) -> (level: Double, power: Double) {
    (-StandardNormal.quantile(alpha / 2), StandardNormal.quantile(power))
  }
}
