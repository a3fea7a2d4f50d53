/// The mean of a sample with its variance: the summary that comparisons of two means need.
public struct SampleMean: Sendable, Equatable {
  /// The number of units; at least two.
  public var count: Double
  /// The mean.
  public var mean: Double
  /// The variance of one unit.
  public var variance: Double

  /// Creates a sample mean from its parts.
  public init(count: Double, mean: Double, variance: Double) {
    (self.count, self.mean, self.variance) = (count, mean, variance)
  }

  /// Creates the mean of the values behind the moments, with the sample variance (divisor count − 1); returns nil for
  /// fewer than two values. Values that differ only by the rounding of their sums, such as three times 0.1 and 0.3,
  /// have zero variance, and so have those whose squared deviations are below the range of numbers.
  public init?(_ moments: Moments) {
    guard let mean = moments.mean, let variance = moments.variance else { return nil }
    let isRounding =
      variance < .leastNormalMagnitude
      || variance.squareRoot() <= abs(mean) * Self.roundingError
    self.init(count: Double(moments.count), mean: mean, variance: isRounding ? 0 : variance)
  }

  /// A standard deviation that is only rounding error, relative to the mean.
  private static let roundingError = 0x1p-48

  /// Creates the mean of a proportion p, with variance p·(1 − p); returns nil without trials.
  public init?(_ proportion: Proportion) {
    guard let p = proportion.value else { return nil }
    self.init(count: Double(proportion.trials), mean: p, variance: p * (1 - p))
  }

  /// The squared standard error: the variance of the mean.
  public var squaredError: Double { variance / count }

  /// Returns the normal confidence interval of the mean, as for a metric from the delta method; nil if mean or variance
  /// is not finite.
  ///
  /// - Parameter level: The confidence level, between 0 and 1, exclusive.
  /// - Returns: The interval, centered at the mean.
  public func normalInterval(level: Double = 0.95) -> Interval? {
    precondition(level > 0 && level < 1, "a confidence level is between 0 and 1")
    let spread = -StandardNormal.quantile((1 - level) / 2) * squaredError.squareRoot()
    guard mean.isFinite, spread.isFinite else { return nil }
    return Interval(mean - spread, mean + spread)
  }
}
