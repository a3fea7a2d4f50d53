/// How the quantile of a sample is defined between its values: the types of R. J. Hyndman and Y. Fan, "Sample
/// quantiles in statistical packages" (The American Statistician 50, 1996).
public enum QuantileType: Int, Sendable, CaseIterable {
  /// The inverse of the empirical distribution function.
  case inverse = 1
  /// Linear, with half a step at either end (Hazen).
  case hazen = 5
  /// Linear, with (n + 1)·p (Weibull).
  case weibull = 6
  /// Linear, with (n − 1)·p + 1: the usual default.
  case linear = 7
  /// Linear, approximately median-unbiased.
  case medianUnbiased = 8

  /// The quantile of values in ascending order; nil when there is none.
  ///
  /// - Parameters:
  ///   - p: in 0 ... 1.
  ///   - sorted: ascending.
  /// - Returns: the quantile; nil for no values, or a `p` outside its range.
  public func quantile(_ p: Double, of sorted: some RandomAccessCollection<Double>) -> Double? {
    let count = sorted.count
    guard count > 0, p >= 0, p <= 1 else { return nil }
    let n = Double(count)
    let value = { (place: Double) -> Double in
      let index = max(1, min(count, Int(place)))
      return sorted[sorted.index(sorted.startIndex, offsetBy: index - 1)]
    }
    let place: Double
    switch self {
    case .inverse: return value((n * p).rounded(.up))
    case .hazen: place = n * p + 0.5
    case .weibull: place = (n + 1) * p
    case .linear: place = (n - 1) * p + 1
    case .medianUnbiased: place = (n + 1.0 / 3) * p + 1.0 / 3
    }
    let lower = max(1, min(n, place)).rounded(.down)
    let share = max(1, min(n, place)) - lower
    let low = value(lower)
    return share == 0 ? low : low + share * (value(lower + 1) - low)
  }
}

/// Values cut at quantiles: what lies beyond is moved to them.
public enum Winsorizing {
  /// The values with those below the quantile `low` and above the quantile `high` moved to it, in their order.
  public static func winsorized(
    _ values: [Double], low: Double, high: Double, type: QuantileType = .linear
  ) -> [Double] {
    let sorted = values.sorted()
    guard let least = type.quantile(low, of: sorted), let most = type.quantile(high, of: sorted)
    else { return values }
    return values.map { min(max($0, least), most) }
  }
}
