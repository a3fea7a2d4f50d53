/// The definition of sample quantiles between values: the types of R. J. Hyndman and Y. Fan, "Sample quantiles in
/// statistical packages" (The American Statistician 50, 1996).
public enum QuantileType: Int, Sendable, CaseIterable {
  /// The inverse of the empirical distribution function.
  case inverse = 1
  /// The inverse of the empirical distribution function, averaged at discontinuities.
  case averagedInverse = 2
  /// The value of the nearest rank, the even one of two (SAS 2).
  case nearestEven = 3
  /// Linear in the empirical distribution function, with n·p.
  case interpolatedInverse = 4
  /// Linear, with half a step at either end (Hazen).
  case hazen = 5
  /// Linear, with (n + 1)·p (Weibull).
  case weibull = 6
  /// Linear, with (n − 1)·p + 1: the usual default.
  case linear = 7
  /// Linear, approximately median-unbiased.
  case medianUnbiased = 8
  /// Linear, approximately unbiased for normal values (Blom).
  case normalUnbiased = 9

  /// Returns the quantile of values in ascending order; nil if there are none.
  ///
  /// - Parameters:
  ///   - p: The order of the quantile, in 0 ... 1.
  ///   - sorted: The values, ascending.
  /// - Returns: The quantile; nil for no values, or a `p` outside its range.
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
    case .inverse: return value(Self.whole(n * p).rounded(.up))
    case .averagedInverse:
      let rank = Self.whole(n * p)
      guard rank == rank.rounded(.down) else { return value(rank.rounded(.up)) }
      let (low, high) = (value(rank), value(rank + 1))
      return low + (high - low) / 2
    case .nearestEven: return value((Self.whole(2 * n * p) / 2).rounded(.toNearestOrEven))
    case .interpolatedInverse: place = n * p
    case .hazen: place = n * p + 0.5
    case .weibull: place = (n + 1) * p
    case .linear: place = (n - 1) * p + 1
    case .medianUnbiased: place = (n + 1.0 / 3) * p + 1.0 / 3
    case .normalUnbiased: place = (n + 0.25) * p + 0.375
    }
    let lower = max(1, min(n, place)).rounded(.down)
    let share = max(1, min(n, place)) - lower
    let low = value(lower)
    return share == 0 ? low : low + share * (value(lower + 1) - low)
  }

  /// Returns a rank, or the integer that it would be if `p` had no rounding error, as 0.14 · 50 would be 7: types that
  /// jump between ranks would jump too far.
  private static func whole(_ rank: Double) -> Double {
    let nearest = rank.rounded()
    return abs(rank - nearest) <= 4 * Double.ulpOfOne * max(1, rank) ? nearest : rank
  }
}
