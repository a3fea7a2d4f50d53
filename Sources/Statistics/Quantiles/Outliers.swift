/// Which values lie too far out to be believed, or to be let decide a comparison alone.
public enum OutlierRule: Sendable, Hashable {
  /// All that is above the number.
  case above(Double)
  /// All beyond the quantiles `low` and `high` (type 7) of the values, or of those that are not zero: where most units have
  /// none of something, its 99 % quantile is that of the few who have.
  case quantiles(low: Double, high: Double, ignoringZeros: Bool = false)
  /// J. W. Tukey's fences, "Exploratory Data Analysis" (1977): beyond the quartiles by more than `factor` times their distance,
  /// 1.5 for outside and 3 for far out.
  case fences(factor: Double = 1.5)
  /// Further from the median than `factor` times 1.4826 times the median distance from it, which for normal values is their
  /// standard deviation: F. R. Hampel, "The influence curve and its role in robust estimation" (JASA 69, 1974).
  case medianDistance(factor: Double = 3)

  /// The bounds within which values are let stand; nil where the values give none, as when there are none.
  ///
  /// For a comparison find them once, from the values of all groups together, lest the groups be cut differently.
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

/// What a rule for outliers did to some values: what it touched is counted.
public struct OutlierReport: Sendable, Equatable {
  /// What becomes of a value that is out of bounds.
  public enum Action: String, Sendable, CaseIterable {
    /// It is moved to the bound that it is beyond.
    case cap
    /// It is left out.
    case drop
  }

  /// The values that are left, in their order.
  public let values: [Double]
  /// How many values were below the bounds.
  public let below: Int
  /// How many values were above the bounds.
  public let above: Int

  /// Holds values against bounds.
  ///
  /// - Parameters:
  ///   - values: The values.
  ///   - bounds: Within which they are let stand; nil for no bounds.
  ///   - action: What becomes of the others.
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
