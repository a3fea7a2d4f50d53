/// Tests of guardrail metrics against a margin.
public enum Guardrail {
  /// Tests whether the treatment is worse than the control by no more than a margin: Welch's one-sided t test of
  /// treatment − control > −margin.
  ///
  /// - Parameters:
  ///   - treatment: The treatment.
  ///   - control: The control.
  ///   - margin: The non-inferiority margin, not negative, in units of the metric.
  ///   - level: The confidence level of the one-sided interval, which excludes −margin exactly when the test rejects.
  /// - Returns: The difference, its interval, and the p-value of the hypothesis that more was lost.
  public static func nonInferiority(
    treatment: SampleMean, control: SampleMean, margin: Double, level: Double = 0.95
  ) -> Difference {
    var result = MeanTest.welch(
      treatment: treatment, control: control, alternative: .greater, level: level)
    var shifted = treatment
    shifted.mean += margin
    let test = MeanTest.welch(treatment: shifted, control: control, alternative: .greater)
    (result.statistic, result.pValue) = (test.statistic, test.pValue)
    return result
  }
}
