/// A metric and its covariate over the same units: what an adjustment by the covariate needs.
public struct CovariateSummary: Sendable, Equatable {
  /// The metric.
  public var metric: SampleMean
  /// The covariate.
  public var covariate: SampleMean
  /// The covariance of both, of one unit.
  public var covariance: Double

  /// Creates a summary.
  public init(metric: SampleMean, covariate: SampleMean, covariance: Double) {
    (self.metric, self.covariate, self.covariance) = (metric, covariate, covariance)
  }

  /// θ = Cov(metric, covariate)/Var(covariate) of these units; nil if the covariate does not vary.
  public var theta: Double? {
    covariate.variance > 0 ? covariance / covariate.variance : nil
  }

  /// Returns metric − θ·(covariate − center) with its variance.
  public func adjusted(theta: Double, center: Double) -> SampleMean {
    let explained = theta * theta * covariate.variance
    let reduced = metric.variance + explained - 2 * theta * covariance
    // If the covariate explains everything, the rest is rounding error.
    let isRounding = reduced <= (metric.variance + explained) * 0x1p-46
    return SampleMean(
      count: metric.count, mean: metric.mean - theta * (covariate.mean - center),
      variance: isRounding ? 0 : reduced)
  }
}

/// The moments of a metric and a covariate of units, which can be added up over groups.
public protocol CovariateMoments {
  /// The metric and its covariate; nil if there are too few units.
  var summary: CovariateSummary? { get }
  /// Adds all the units of another instance.
  mutating func merge(_ other: Self)
}
