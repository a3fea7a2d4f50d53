/// The score test that is inverted.
public enum ScoreVariant: Sendable {
  /// The z test with the pooled proportion, which is Pearson's chi-squared (R.-D. Mee, "Confidence bounds for the
  /// difference between two probabilities", Biometrics 40, 1984; P. A. R. Koopman, "Confidence intervals for the ratio
  /// of two binomial proportions", Biometrics 40, 1984).
  case pearson
  /// The same with F. Yates's continuity correction.
  case yates
  /// The same with the factor N/(N − 1) on the variance (O. Miettinen and M. Nurminen, 1985).
  case miettinenNurminen
}

/// Confidence intervals of the difference and the ratio of two proportions by inverting a score test: they exclude 0,
/// or 1, exactly when that test rejects.
public struct ScoreIntervals: Sendable {
  private let treatment: Proportion
  private let control: Proportion
  private let variant: ScoreVariant
  private let pair: ScorePair

  /// Creates the intervals of a treatment and a control with at least one trial each; returns nil otherwise.
  public init?(treatment: Proportion, control: Proportion, _ variant: ScoreVariant) {
    guard treatment.trials > 0, control.trials > 0 else { return nil }
    (self.treatment, self.control, self.variant) = (treatment, control, variant)
    pair = ScorePair(treatment, control, isCorrected: variant == .miettinenNurminen)
  }

  /// Returns the continuity correction: half the step by which the difference can change, in favor of no difference; 0
  /// without a correction.
  private func step(_ ratio: Double) -> Double {
    variant == .yates ? (1 / Double(treatment.trials) + ratio / Double(control.trials)) / 2 : 0
  }

  /// The signed statistic of no difference; nil if it is 0/0, because no unit or every unit converted.
  public var statistic: Double? {
    let successes = treatment.successes + control.successes
    guard successes > 0, successes < treatment.trials + control.trials else { return nil }
    let (p, q) = (Self.share(treatment), Self.share(control))
    let excess = max(0, abs(p - q) - step(1))
    let score = pair.score(excess, pair.pooledVariance)
    return p < q ? -score : score
  }

  /// Returns the p-value of no difference; nil if there is no statistic.
  public func pValue(_ alternative: Alternative) -> Double? {
    statistic.map {
      alternative.pValue(lower: StandardNormal.cdf($0), upper: StandardNormal.upperTail($0))
    }
  }

  /// Returns the interval of the difference.
  ///
  /// - Parameter z: The critical value of the statistic, a normal quantile.
  /// - Returns: The interval, within −1 ... 1.
  public func difference(criticalValue z: Double) -> Interval {
    let (p, q) = (Self.share(treatment), Self.share(control))
    let step = step(1)
    let low = RootFinding.zero(between: -1, and: p - q) {
      pair.differenceScore($0, shift: -step) - z
    }
    let high = RootFinding.zero(between: p - q, and: 1) {
      pair.differenceScore($0, shift: step) + z
    }
    return Interval(min(low, p - q), max(high, p - q))
  }

  /// Returns the interval of the ratio; it extends to infinity if the control has no success, and is nil if neither has
  /// one.
  ///
  /// - Parameter z: The critical value of the statistic, a normal quantile.
  /// - Returns: The interval of treatment over control.
  public func ratio(criticalValue z: Double) -> Interval? {
    let (p, q) = (Self.share(treatment), Self.share(control))
    guard p > 0 || q > 0 else { return nil }
    let score = { (log: Double, sign: Double) in
      let ratio = Double.exp(log)
      return pair.ratioScore(ratio, shift: sign * step(ratio))
    }
    // The logarithm of a ratio beyond what so many trials can distinguish.
    let far = Double.log(Double(treatment.trials)) + Double.log(Double(control.trials)) + 12
    let center = p > 0 && q > 0 ? Double.log(p / q) : 0
    let low =
      p > 0
      ? Double.exp(
        RootFinding.zero(between: -far, and: q > 0 ? center : far) { score($0, -1) - z }) : 0
    let high =
      q > 0
      ? Double.exp(
        RootFinding.zero(between: p > 0 ? center : -far, and: far) { score($0, 1) + z })
      : .infinity
    return Interval(low, max(low, high))
  }

  private static func share(_ proportion: Proportion) -> Double {
    Double(proportion.successes) / Double(proportion.trials)
  }
}

extension ProportionRatio {
  /// Returns the interval of the ratio that corresponds to Newcombe's difference: the method of variance estimates
  /// recovery (MOVER) for ratios, from the two Wilson intervals (A. Donner and G. Y. Zou, "Closed-form confidence
  /// intervals for functions of the normal mean and standard deviation", Statistical Methods in Medical Research 21,
  /// 2012). It excludes 1 exactly when the interval of the difference excludes 0, and extends to infinity if the
  /// control has no success.
  public static func recovered(
    treatment: Proportion, control: Proportion, level: Double = 0.95
  ) -> Interval? {
    guard let p = treatment.value, let q = control.value,
      let wilsonP = treatment.wilsonInterval(level: level),
      let wilsonQ = control.wilsonInterval(level: level)
    else { return nil }
    let low = bound(p, q, wilsonP.low, wilsonQ.high, -1)
    let high = wilsonQ.low > 0 ? bound(p, q, wilsonP.high, wilsonQ.low, 1) : .infinity
    guard low.isFinite, low <= high else { return nil }
    return Interval(max(0, low), max(0, high))
  }

  /// Returns the root of (p − rq)² = (p − l)² + r²(u − q)² on one side.
  private static func bound(_ p: Double, _ q: Double, _ l: Double, _ u: Double, _ sign: Double)
    -> Double
  {
    let (c, a) = (l * (2 * p - l), u * (2 * q - u))
    let root = max(0, p * q * p * q - c * a).squareRoot()
    if sign < 0 { return p * q + root == 0 ? 0 : c / (p * q + root) }
    return a > 0 ? (p * q + root) / a : .infinity
  }
}
