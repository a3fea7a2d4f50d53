/// The relative lift of a treatment over a control, mean over mean less one, by several methods. The results differ, so
/// reports should name the method.
///
/// All are nil if the control's mean is zero, and the logarithmic ones if either mean is not positive.
public enum RelativeLift {
  /// Estimates the lift by the delta method, with Welch's degrees of freedom: the variance of T/C is
  /// Var(T)/C² + T²·Var(C)/C⁴.
  public static func deltaT(
    treatment: SampleMean, control: SampleMean, alternative: Alternative = .twoSided,
    level: Double = 0.95
  ) -> Difference? {
    let degrees = MeanTest.welchDegrees(treatment, control)
    return delta(treatment, control, degrees, alternative, level)
  }

  /// Estimates the lift by the delta method, with the normal distribution.
  public static func deltaZ(
    treatment: SampleMean, control: SampleMean, alternative: Alternative = .twoSided,
    level: Double = 0.95
  ) -> Difference? {
    delta(treatment, control, nil, alternative, level)
  }

  /// Returns the lift with the interval of the log ratio, with Welch's degrees of freedom for the variances of the
  /// logarithms.
  public static func logT(
    treatment: SampleMean, control: SampleMean, level: Double = 0.95
  ) -> Difference? {
    let (t, c) = (relative(treatment), relative(control))
    return logarithm(treatment, control, MeanTest.welchDegrees(t, c), level)
  }

  /// Returns the lift with the interval of the log ratio, with the normal distribution.
  public static func logZ(
    treatment: SampleMean, control: SampleMean, level: Double = 0.95
  ) -> Difference? {
    logarithm(treatment, control, nil, level)
  }

  /// Returns the lift with the interval of E. C. Fieller ("Some problems in interval estimation", JRSS B 16, 1954),
  /// with the normal distribution: all ratios r for which T − r·C does not differ from zero. The interval is nil if the
  /// control's mean itself does not differ significantly from zero, as the set is then not an interval.
  public static func fieller(
    treatment: SampleMean, control: SampleMean, level: Double = 0.95
  ) -> Difference? {
    guard control.mean != 0 else { return nil }
    let z = -StandardNormal.quantile((1 - level) / 2)
    let (t, c) = (treatment.mean, control.mean)
    let (v, w) = (treatment.squaredError, control.squaredError)
    var result = Difference(estimate: t / c - 1)
    let a = c * c - z * z * w
    let root = (t * c) * (t * c) - a * (t * t - z * z * v)
    if a > 0, root >= 0 {
      let spread = root.squareRoot()
      result.interval = Interval((t * c - spread) / a - 1, (t * c + spread) / a - 1)
    }
    return result
  }

  /// Returns the interval of the log ratio with a critical value; nil unless both means are positive and either
  /// varies.
  package static func logInterval(
    treatment: SampleMean, control: SampleMean, criticalValue: Double
  ) -> Interval? {
    guard let error = logZ(treatment: treatment, control: control)?.standardError, error > 0,
      error.isFinite
    else { return nil }
    let center = Double.log(treatment.mean / control.mean)
    return Interval(
      Double.expMinusOne(center - criticalValue * error),
      Double.expMinusOne(center + criticalValue * error))
  }

  private static func relative(_ mean: SampleMean) -> SampleMean {
    SampleMean(count: mean.count, mean: 1, variance: mean.variance / mean.mean / mean.mean)
  }

  private static func delta(
    _ treatment: SampleMean, _ control: SampleMean, _ degrees: Double?, _ alternative: Alternative,
    _ level: Double
  ) -> Difference? {
    guard control.mean != 0 else { return nil }
    let ratio = treatment.mean / control.mean
    let variance = treatment.squaredError + ratio * ratio * control.squaredError
    return Difference(
      estimate: ratio - 1, standardError: variance.squareRoot() / abs(control.mean),
      degreesOfFreedom: degrees, alternative: alternative, level: level)
  }

  private static func logarithm(
    _ treatment: SampleMean, _ control: SampleMean, _ degrees: Double?, _ level: Double
  ) -> Difference? {
    guard treatment.mean > 0, control.mean > 0 else { return nil }
    let variance = relative(treatment).squaredError + relative(control).squaredError
    var result = Difference(
      estimate: Double.log(treatment.mean / control.mean), standardError: variance.squareRoot(),
      degreesOfFreedom: degrees, alternative: .twoSided, level: level)
    result.estimate = treatment.mean / control.mean - 1
    result.interval = result.interval.map {
      Interval(Double.expMinusOne($0.low), Double.expMinusOne($0.high))
    }
    return result
  }
}
