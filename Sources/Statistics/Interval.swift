/// A closed interval of real numbers, such as a confidence interval.
public struct Interval: Sendable, Equatable {
  /// The lower end.
  public let low: Double

  /// The upper end, not below the lower one.
  public let high: Double

  /// Creates an interval from its ends, which may be equal or infinite.
  ///
  /// - Precondition: `low <= high`, so neither is NaN.
  public init(_ low: Double, _ high: Double) {
    precondition(low <= high, "an interval ends after it starts")
    (self.low, self.high) = (low, high)
  }

  /// The distance between the ends.
  public var width: Double { high - low }

  /// Returns whether a number lies between the ends or on one of them.
  public func contains(_ x: Double) -> Bool { low <= x && x <= high }
}

extension Moments {
  /// Returns the Student t confidence interval of the mean: mean ± t·standard error, with `count` − 1 degrees of
  /// freedom.
  ///
  /// Nil for fewer than two values, if the mean or the variance is not finite, and for values that do not differ, or
  /// too little for their squares to be numbers: values that are all alike say nothing of those that could have been.
  ///
  /// - Parameter level: The confidence level, between 0 and 1, exclusive.
  /// - Returns: The interval, centered at the mean.
  /// - Complexity: one ``StudentT/quantile(_:)``, O(√`count`).
  public func meanInterval(level: Double = 0.95) -> Interval? {
    precondition(level > 0 && level < 1, "a confidence level is between 0 and 1")
    guard let standardError, let sample = SampleMean(self), sample.variance > 0,
      sample.mean.isFinite, standardError.isFinite
    else { return nil }
    let mean = sample.mean
    let t = -StudentT(degreesOfFreedom: Double(count - 1)).quantile((1 - level) / 2)
    return Interval(mean - t * standardError, mean + t * standardError)
  }
}
