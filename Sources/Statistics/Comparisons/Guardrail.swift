/// Tests against a margin: has a guardrail been kept?
public enum Guardrail {
  /// Whether the treatment is worse than the control by no more than a margin: Welch's one-sided t test of treatment −
  /// control > −margin.
  ///
  /// - Parameters:
  ///   - treatment: the treatment.
  ///   - control: the control.
  ///   - margin: what may be lost, not negative, in units of the metric.
  ///   - level: the coverage of the one-sided interval, which leaves −margin out exactly where the test rejects.
  /// - Returns: the difference, its interval, and the p-value of the hypothesis that more was lost.
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
