/// A quantile of a distribution, estimated from a sample, with a confidence interval between two values of the sample.
public struct QuantileEstimate: Sendable, Equatable {
  /// The quantile of the sample (type 7).
  public let value: Double
  /// The interval. An end is infinite if the sample is too small to bound the quantile on that side.
  public let interval: Interval
  /// The confidence level requested.
  public let level: Double
  /// The coverage probability, for any continuous distribution of independent values; nil if the interval is
  /// approximate.
  public let coverage: Double?

  /// The standard error that a normal interval of the same width would have, width/(2z): J. W. McKean and R. M.
  /// Schrader, "A comparison of methods for studentizing the sample median" (Communications in Statistics B 13, 1984).
  /// Nil for an infinite interval.
  public var standardError: Double? {
    let z = -StandardNormal.quantile((1 - (coverage ?? level)) / 2)
    guard interval.width.isFinite, z > 0 else { return nil }
    return interval.width / (2 * z)
  }
}

extension QuantileEstimate {
  /// Creates the quantile of independent values, with the interval between two order statistics that follows from the
  /// binomial distribution alone, see ``QuantileInterval``. Returns nil without values, for a NaN among them, and if
  /// `p` or the level is out of range.
  ///
  /// - Parameters:
  ///   - p: The order of the quantile, between 0 and 1, exclusive.
  ///   - sorted: The values, ascending, none of them NaN.
  ///   - level: The confidence level, between 0 and 1, exclusive.
  /// - Complexity: O(n), with O(log n) binomial probabilities.
  public init?(_ p: Double, of sorted: [Double], level: Double = 0.95) {
    guard !sorted.contains(where: \.isNaN),
      let ranks = QuantileInterval(p, count: sorted.count, level: level),
      let value = QuantileType.linear.quantile(p, of: sorted)
    else { return nil }
    self.value = value
    self.level = level
    interval = Interval(
      ranks.low.map { sorted[$0 - 1] } ?? -.infinity, ranks.high.map { sorted[$0 - 1] } ?? .infinity
    )
    coverage = ranks.coverage
  }

  /// Creates the quantile of values clustered by unit, such as the load times of a user: units are independent, values
  /// of one unit are not.
  ///
  /// The share of values at or below the sample's quantile is a ratio metric over units, whose standard error by the
  /// delta method is converted to ranks: A. Deng, U. Knoblich and J. Lu, "Applying the delta method in metric
  /// analytics" (KDD 2018), section 4. Returns nil for fewer than two units with values, for a NaN among them, and if
  /// `p` or the level is out of range.
  ///
  /// - Parameters:
  ///   - p: The order of the quantile, between 0 and 1, exclusive.
  ///   - units: The values of each unit, none of them NaN.
  ///   - level: The confidence level, between 0 and 1, exclusive.
  /// - Complexity: O(n log n).
  public init?(_ p: Double, ofUnits units: [[Double]], level: Double = 0.95) {
    let sorted = units.flatMap { $0 }.sorted()
    guard p > 0, p < 1, level > 0, level < 1, !sorted.contains(where: \.isNaN),
      let value = QuantileType.linear.quantile(p, of: sorted)
    else { return nil }
    var shares = RatioMoments()
    for unit in units where !unit.isEmpty {
      shares.add(Double(unit.count { $0 <= value }), over: Double(unit.count))
    }
    guard let share = shares.ratio else { return nil }
    let n = Double(sorted.count)
    let spread = -StandardNormal.quantile((1 - level) / 2) * share.squaredError.squareRoot()
    let (low, high) = ((n * (p - spread)).rounded(.down), (n * (p + spread)).rounded(.up))
    self.value = value
    self.level = level
    interval = Interval(
      low >= 1 ? sorted[Int(low) - 1] : -.infinity, high < n ? sorted[Int(high)] : .infinity)
    coverage = nil
  }

  /// Returns the difference of a quantile between two groups, from the standard errors of both; nil if either has none.
  ///
  /// - Parameters:
  ///   - treatment: The quantile of the treatment.
  ///   - control: The same quantile of the control.
  ///   - alternative: The alternative hypothesis to no difference.
  ///   - level: The confidence level of the interval, between 0 and 1, exclusive.
  /// - Returns: Treatment less control, with the normal distribution.
  public static func difference(
    treatment: QuantileEstimate, control: QuantileEstimate, alternative: Alternative = .twoSided,
    level: Double = 0.95
  ) -> Difference? {
    guard let a = treatment.standardError, let b = control.standardError else { return nil }
    return Difference(
      estimate: treatment.value - control.value, standardError: (a * a + b * b).squareRoot(),
      degreesOfFreedom: nil, alternative: alternative, level: level)
  }
}
