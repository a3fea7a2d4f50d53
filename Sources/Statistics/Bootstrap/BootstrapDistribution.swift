/// An estimate with its bootstrap replicates.
public struct BootstrapDistribution: Sendable, Equatable {
  /// The estimate from the data.
  public let estimate: Double
  /// The estimates of the replicates, ascending, without missing ones.
  public let replicates: [Double]
  /// The number of replicates without an estimate, such as those that contain no unit.
  public let missing: Int

  /// Creates a distribution from the replicates; returns nil without an estimate.
  package init?(estimate: Double?, replicates: [Double?]) {
    guard let estimate, estimate.isFinite else { return nil }
    self.estimate = estimate
    self.replicates = replicates.compactMap { $0 }.filter(\.isFinite).sorted()
    missing = replicates.count - self.replicates.count
  }

  /// The bootstrap standard error, the standard deviation of the replicates; nil for fewer than two.
  public var standardError: Double? { Moments(replicates).standardDeviation }

  /// The bootstrap estimate of the bias, the mean of the replicates less the estimate; nil without replicates.
  public var bias: Double? { Moments(replicates).mean.map { $0 - estimate } }

  /// Returns the percentile interval: the quantiles (1 ∓ level)/2 of the replicates (type 7); nil without replicates.
  ///
  /// - Parameter level: The confidence level, between 0 and 1, exclusive.
  /// - Returns: The interval.
  public func percentileInterval(level: Double = 0.95) -> Interval? {
    precondition(level > 0 && level < 1, "a confidence level is between 0 and 1")
    guard let low = QuantileType.linear.quantile((1 - level) / 2, of: replicates),
      let high = QuantileType.linear.quantile(1 - (1 - level) / 2, of: replicates)
    else { return nil }
    return Interval(low, max(low, high))
  }

  /// Returns the percentile interval rounded outward to the next replicates, so that whether it contains 0 is the same
  /// for every statistic with the same sign in each replicate, such as a difference and a lift; nil without replicates.
  ///
  /// - Parameter level: The confidence level, between 0 and 1, exclusive.
  /// - Returns: The interval.
  public func outerPercentileInterval(level: Double = 0.95) -> Interval? {
    precondition(level > 0 && level < 1, "a confidence level is between 0 and 1")
    guard !replicates.isEmpty else { return nil }
    let beyond = Int((Double(replicates.count - 1) * (1 - level) / 2).rounded(.down))
    let (low, high) = (replicates[beyond], replicates[replicates.count - 1 - beyond])
    return Interval(low, max(low, high))
  }

  /// Returns the basic interval: the percentile interval mirrored at the estimate; nil without replicates.
  ///
  /// - Parameter level: The confidence level, between 0 and 1, exclusive.
  /// - Returns: The interval.
  public func basicInterval(level: Double = 0.95) -> Interval? {
    percentileInterval(level: level).map {
      Interval(2 * estimate - $0.high, 2 * estimate - $0.low)
    }
  }

  /// Returns the normal interval estimate ± z·standard error; nil for fewer than two replicates.
  ///
  /// - Parameter level: The confidence level, between 0 and 1, exclusive.
  /// - Returns: The interval.
  public func normalInterval(level: Double = 0.95) -> Interval? {
    standardError.flatMap {
      Difference(
        estimate: estimate, standardError: $0, degreesOfFreedom: nil, alternative: .twoSided,
        level: level
      ).interval
    }
  }
}
