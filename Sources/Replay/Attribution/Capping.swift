/// A cap on the values of units, so that a few outliers do not dominate the rest.
public enum Capping: Hashable, Sendable {
  /// At a fixed value.
  case absolute(Double)
  /// At a quantile of the values of all units together, 0 < p < 1, linear in type 7; units without a value may be
  /// excluded from the quantile.
  case percentile(Double, ignoringZeros: Bool)
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
