/// Tests of guardrail metrics against a margin.
public enum Guardrail {
  /// Tests whether the treatment is worse than the control by no more than a margin: Welch's one-sided t test of
  /// treatment − control > −margin, or < margin where less is better.
  ///
  /// - Parameters:
  ///   - treatment: The treatment.
  ///   - control: The control.
  ///   - margin: The non-inferiority margin, not negative, in units of the metric.
  ///   - isLessBetter: Whether smaller values are better.
  ///   - level: The confidence level of the one-sided interval, which excludes the margin when the test rejects, and
  ///     only then.
  /// - Returns: The difference, its interval, and the p-value of the hypothesis that more was lost.
  public static func nonInferiority(
    treatment: SampleMean, control: SampleMean, margin: Double, isLessBetter: Bool = false,
    level: Double = 0.95
  ) -> Difference {
    let alternative: Alternative = isLessBetter ? .less : .greater
    var result = MeanTest.welch(
      treatment: treatment, control: control, alternative: alternative, level: level)
    var shifted = treatment
    shifted.mean += isLessBetter ? -margin : margin
    let test = MeanTest.welch(treatment: shifted, control: control, alternative: alternative)
    (result.statistic, result.pValue) = (test.statistic, test.pValue)
    return result
  }
}
