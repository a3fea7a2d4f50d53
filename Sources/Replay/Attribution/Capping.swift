internal import Statistics

/// A cap on the values of units, so that a few outliers do not dominate the rest.
public enum Capping: Hashable, Sendable {
  /// At a fixed value.
  case absolute(Double)
  /// At a quantile of the values of all units together, 0 < p < 1; units without a value may be excluded from the
  /// quantile.
  case percentile(Double, ignoringZeros: Bool)

  /// Returns the cap for the given values; nil if there are no values to take a quantile of.
  ///
  /// - Complexity: O(n log n) for a quantile, linear in type 7.
  public func limit(of values: some Sequence<Double>) -> Double? {
    switch self {
    case .absolute(let value): return value
    case .percentile(let p, let ignoringZeros):
      let sorted = values.filter { !ignoringZeros || $0 != 0 }.sorted()
      return QuantileType.linear.quantile(p, of: sorted)
    }
  }

  /// Returns the values, in order, with those above the cap replaced by it.
  public func capped(_ values: [Double]) -> [Double] {
    guard let limit = limit(of: values) else { return values }
    return values.map { min($0, limit) }
  }
}

extension Capping: CustomStringConvertible {
  /// The capping in words, such as `at 100.0` or `at quantile 0.99 of units with a value`.
  public var description: String {
    switch self {
    case .absolute(let value): "at \(value)"
    case .percentile(let p, ignoringZeros: false): "at quantile \(p) of units"
    case .percentile(let p, ignoringZeros: true): "at quantile \(p) of units with a value"
    }
  }
}
