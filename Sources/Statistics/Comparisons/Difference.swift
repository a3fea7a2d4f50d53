/// The result of a comparison of a treatment with a control.
public struct Difference: Sendable, Equatable {
  /// The estimate: treatment less control, or the relative lift.
  public var estimate: Double
  /// The standard error; nil if the method has none.
  public var standardError: Double?
  /// The test statistic; nil if the method has none.
  public var statistic: Double?
  /// The degrees of freedom; nil for a normal statistic.
  public var degreesOfFreedom: Double?
  /// The p-value of no difference; nil if the method has no test.
  public var pValue: Double?
  /// The confidence interval of the estimate, one-sided for a one-sided test; nil if the method has none.
  public var interval: Interval?
  /// The half-width of the interval in standard errors; nil if it is not based on them.
  public var criticalValue: Double?

  /// Creates a result.
  public init(
    estimate: Double, standardError: Double? = nil, statistic: Double? = nil,
    degreesOfFreedom: Double? = nil, pValue: Double? = nil, interval: Interval? = nil
  ) {
    self.estimate = estimate
    self.standardError = standardError
    self.statistic = statistic
    self.degreesOfFreedom = degreesOfFreedom
    self.pValue = pValue
    self.interval = interval
  }

  /// Creates the result of an estimate over its standard error, referred to the t distribution, or to the normal one
  /// without degrees of freedom. If the standard error is zero there is no test, and the interval is the estimate.
  package init(
    estimate: Double, standardError: Double, degreesOfFreedom: Double?, alternative: Alternative,
    level: Double
  ) {
    precondition(level > 0 && level < 1, "a confidence level is between 0 and 1")
    self.init(
      estimate: estimate, standardError: standardError, degreesOfFreedom: degreesOfFreedom)
    guard estimate.isFinite, standardError.isFinite else { return }
    guard standardError > 0 else {
      interval = Interval(estimate, estimate)
      return
    }
    let statistic = estimate / standardError
    let tail = alternative == .twoSided ? (1 - level) / 2 : 1 - level
    let lower: Double
    let upper: Double
    let quantile: Double
    if let degreesOfFreedom {
      let t = StudentT(degreesOfFreedom: degreesOfFreedom)
      (lower, upper) = (t.cdf(statistic), t.upperTail(statistic))
      quantile = -t.quantile(tail)
    } else {
      (lower, upper) = (StandardNormal.cdf(statistic), StandardNormal.upperTail(statistic))
      quantile = -StandardNormal.quantile(tail)
    }
    self.statistic = statistic
    pValue = alternative.pValue(lower: lower, upper: upper)
    criticalValue = quantile
    interval = alternative.interval(
      Interval(estimate - quantile * standardError, estimate + quantile * standardError))
  }
}
