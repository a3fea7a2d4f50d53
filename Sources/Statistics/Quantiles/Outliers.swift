/// A rule for which values are outliers.
public enum OutlierRule: Sendable, Hashable {
  /// Values above the number.
  case above(Double)
  /// Values beyond the quantiles `low` and `high` (type 7) of all values, or of the nonzero ones: if most units have
  /// none of something, its 99 % quantile is that of the few that do.
  case quantiles(low: Double, high: Double, ignoringZeros: Bool = false)
  /// J. W. Tukey's fences, "Exploratory Data Analysis" (1977): beyond the quartiles by more than `factor` times the
  /// interquartile range, 1.5 for outside and 3 for far out.
  case fences(factor: Double = 1.5)
  /// Further from the median than `factor` times 1.4826 times the median absolute deviation (MAD), which for normal
  /// values is their standard deviation: F. R. Hampel, "The influence curve and its role in robust estimation" (JASA
  /// 69, 1974).
  case medianDistance(factor: Double = 3)

  /// Returns the bounds outside of which values are outliers; nil if the values do not determine any, such as without
  /// values.
  ///
  /// For a comparison compute them once, from the values of all groups together, so that all groups have the same
  /// bounds.
  ///
  /// - Parameter values: The values, in any order, none of them NaN.
  /// - Returns: The bounds, of which one may be infinite.
  /// - Complexity: O(n log n).
  public func bounds(of values: [Double]) -> Interval? {
    switch self {
    case .above(let most): return most.isNaN ? nil : Interval(-.infinity, most)
    case .quantiles(let low, let high, let ignoringZeros):
      let sorted = (ignoringZeros ? values.filter { $0 != 0 } : values).sorted()
      return Self.interval(sorted, low, high) { ($0, $1) }
    case .fences(let factor):
      guard factor >= 0 else { return nil }
      return Self.interval(values.sorted(), 0.25, 0.75) {
        ($0 - factor * ($1 - $0), $1 + factor * ($1 - $0))
      }
    case .medianDistance(let factor):
      guard factor >= 0, let median = QuantileType.linear.quantile(0.5, of: values.sorted()),
        let distance = QuantileType.linear.quantile(
          0.5, of: values.map { abs($0 - median) }.sorted())
      else { return nil }
      let reach = factor * 1.482602218505602 * distance
      return reach.isFinite ? Interval(median - reach, median + reach) : nil
    }
  }

  private static func interval(
    _ sorted: [Double], _ low: Double, _ high: Double,
    _ widen: (Double, Double) -> (Double, Double)
  ) -> Interval? {
    guard low <= high, let least = QuantileType.linear.quantile(low, of: sorted),
      let most = QuantileType.linear.quantile(high, of: sorted)
    else { return nil }
    let (first, last) = widen(least, most)
    return first <= last ? Interval(first, last) : nil
  }
}

/// Values after the treatment of outliers, with the number of outliers.
public struct OutlierReport: Sendable, Equatable {
  /// How outliers are treated.
  public enum Action: String, Sendable, CaseIterable {
    /// Outliers are replaced by the bound that they exceed.
    case cap
    /// Outliers are removed.
    case drop
  }

  /// The remaining values, in order.
  public let values: [Double]
  /// The number of values below the bounds.
  public let below: Int
  /// The number of values above the bounds.
  public let above: Int

  /// Applies bounds to values.
  ///
  /// - Parameters:
  ///   - values: The values.
  ///   - bounds: The bounds outside of which values are outliers; nil for none.
  ///   - action: The treatment of outliers.
  public init(_ values: [Double], bounds: Interval?, action: Action) {
    guard let bounds else {
      (self.values, below, above) = (values, 0, 0)
      return
    }
    below = values.count { $0 < bounds.low }
    above = values.count { $0 > bounds.high }
    switch action {
    case .cap: self.values = values.map { min(max($0, bounds.low), bounds.high) }
    case .drop: self.values = values.filter { !($0 < bounds.low) && !($0 > bounds.high) }
    }
  }
}
