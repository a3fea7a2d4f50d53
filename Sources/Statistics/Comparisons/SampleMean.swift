/// The mean of a sample and how sure it is: all that a comparison of two means asks of the data.
public struct SampleMean: Sendable, Equatable {
  /// The number of units; at least two.
  public var count: Double
  /// The mean.
  public var mean: Double
  /// The variance of one unit.
  public var variance: Double

  /// Makes a sample mean from what is known of it.
  public init(count: Double, mean: Double, variance: Double) {
    (self.count, self.mean, self.variance) = (count, mean, variance)
  }

  /// The mean of the values behind the moments, with the sample variance (divisor count − 1); nil for
  /// fewer than two values. Values that differ by no more than the rounding of their sums, such as three times 0.1 and 0.3, have
  /// no variance.
  public init?(_ moments: Moments) {
    guard let mean = moments.mean, let variance = moments.variance else { return nil }
    let isRounding = variance.squareRoot() <= abs(mean) * Self.roundingError
    self.init(count: Double(moments.count), mean: mean, variance: isRounding ? 0 : variance)
  }

  /// A standard deviation that is nothing but rounding, relative to the mean.
  private static let roundingError = 0x1p-48

  /// A proportion p as a mean, with variance p·(1 − p); nil without trials.
  public init?(_ proportion: Proportion) {
    guard let p = proportion.value else { return nil }
    self.init(count: Double(proportion.trials), mean: p, variance: p * (1 - p))
  }

  /// The variance of the mean.
  public var squaredError: Double { variance / count }

  /// The normal confidence interval of the mean, as a metric has it that the delta method made; nil where mean or
  /// variance is not finite.
  ///
  /// - Parameter level: The coverage, between 0 and 1, exclusive.
  /// - Returns: The interval, centred at the mean.
  public func normalInterval(level: Double = 0.95) -> Interval? {
    precondition(level > 0 && level < 1, "a confidence level is between 0 and 1")
    let spread = -StandardNormal.quantile((1 - level) / 2) * squaredError.squareRoot()
    guard mean.isFinite, spread.isFinite else { return nil }
    return Interval(mean - spread, mean + spread)
  }
}
