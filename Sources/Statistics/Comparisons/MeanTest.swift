/// Tests of the difference of two means.
///
/// Every result is treatment less control. `level` is the confidence level of the interval, between 0 and 1, exclusive;
/// for a one-sided alternative the interval is one-sided.
public enum MeanTest {
  /// Compares the means by Welch's t test, which does not assume equal variances: B. L. Welch, "The generalization of
  /// 'Student's' problem when several different population variances are involved" (Biometrika 34, 1947).
  public static func welch(
    treatment: SampleMean, control: SampleMean, alternative: Alternative = .twoSided,
    level: Double = 0.95
  ) -> Difference {
    Difference(
      estimate: treatment.mean - control.mean,
      standardError: (treatment.squaredError + control.squaredError).squareRoot(),
      degreesOfFreedom: welchDegrees(treatment, control), alternative: alternative, level: level)
  }

  /// Compares the means by Student's t test, which assumes equal variances.
  public static func pooled(
    treatment: SampleMean, control: SampleMean, alternative: Alternative = .twoSided,
    level: Double = 0.95
  ) -> Difference {
    let variance = pooledVariance(treatment, control)
    return Difference(
      estimate: treatment.mean - control.mean,
      standardError: (variance * (1 / treatment.count + 1 / control.count)).squareRoot(),
      degreesOfFreedom: treatment.count + control.count - 2, alternative: alternative,
      level: level)
  }

  /// Compares the means by the z test: Welch's statistic referred to the normal distribution, for large samples.
  public static func z(
    treatment: SampleMean, control: SampleMean, alternative: Alternative = .twoSided,
    level: Double = 0.95
  ) -> Difference {
    Difference(
      estimate: treatment.mean - control.mean,
      standardError: (treatment.squaredError + control.squaredError).squareRoot(),
      degreesOfFreedom: nil, alternative: alternative, level: level)
  }

  /// Returns Cohen's d: the difference over the pooled standard deviation. NaN or infinite if that is zero.
  public static func cohensD(treatment: SampleMean, control: SampleMean) -> Double {
    (treatment.mean - control.mean) / pooledVariance(treatment, control).squareRoot()
  }

  /// Returns Hedges' g: Cohen's d corrected for its small-sample bias by the factor 1 − 3/(4ν − 1).
  public static func hedgesG(treatment: SampleMean, control: SampleMean) -> Double {
    let degrees = treatment.count + control.count - 2
    return cohensD(treatment: treatment, control: control) * (1 - 3 / (4 * degrees - 1))
  }

  /// Returns the Welch–Satterthwaite degrees of freedom; infinite variances aside, at least the smaller count less one.
  static func welchDegrees(_ a: SampleMean, _ b: SampleMean) -> Double {
    // Only the ratio matters; scaled, squares neither overflow nor underflow.
    let scale = max(a.squaredError, b.squaredError)
    guard scale > 0 else { return a.count + b.count - 2 }
    let (x, y) = (a.squaredError / scale, b.squaredError / scale)
    return (x + y) * (x + y) / (x * x / (a.count - 1) + y * y / (b.count - 1))
  }

  /// Returns both means with the pooled variance of ``pooled(treatment:control:alternative:level:)``.
  package static func pooling(
    _ a: SampleMean, _ b: SampleMean
  ) -> (treatment: SampleMean, control: SampleMean) {
    let variance = pooledVariance(a, b)
    return (
      SampleMean(count: a.count, mean: a.mean, variance: variance),
      SampleMean(count: b.count, mean: b.mean, variance: variance)
    )
  }

  /// Returns the variance of all values together, about the mean of both: that of each group where there is no
  /// difference.
  package static func sharedVariance(_ a: SampleMean, _ b: SampleMean) -> Double {
    let difference = a.mean - b.mean
    let within = (a.count - 1) * a.variance + (b.count - 1) * b.variance
    let between = a.count * b.count / (a.count + b.count) * difference * difference
    return (within + between) / (a.count + b.count - 1)
  }

  private static func pooledVariance(_ a: SampleMean, _ b: SampleMean) -> Double {
    ((a.count - 1) * a.variance + (b.count - 1) * b.variance) / (a.count + b.count - 2)
  }
}
