/// A distribution-free confidence interval of a quantile, between two order statistics of a sample: the number of
/// values below the quantile is binomial, whatever the distribution.
///
/// W. J. Conover, "Practical Nonparametric Statistics" (1999), section 3.2; H. A. David and H. N. Nagaraja, "Order
/// Statistics" (2003), section 7.1. For a distribution with ties the coverage is at least the stated one.
public struct QuantileInterval: Sendable, Equatable {
  /// The rank of the value at the lower end, counted from 1; nil if the sample is too small for one.
  public let low: Int?
  /// The rank of the value at the upper end, counted from 1; nil if the sample is too small for one.
  public let high: Int?
  /// The coverage probability for the quantile of a continuous distribution, at least the confidence level.
  public let coverage: Double

  /// Creates the shortest interval that misses on either side with probability at most (1 − level)/2: from the greatest
  /// rank l with P(B ≤ l − 1) ≤ (1 − level)/2 to the least rank u with P(B ≥ u) ≤ (1 − level)/2, where B is binomial.
  /// Returns nil without values, or if `p` or the level is out of range.
  ///
  /// - Parameters:
  ///   - p: The order of the quantile, between 0 and 1, exclusive.
  ///   - count: The number of independent values.
  ///   - level: The confidence level, between 0 and 1, exclusive.
  /// - Complexity: O(log count) values of the incomplete Beta function.
  public init?(_ p: Double, count: Int, level: Double = 0.95) {
    guard p > 0, p < 1, level > 0, level < 1, count > 0 else { return nil }
    // A probability that equals the tail but for rounding, as 1 - 0.975 does at level 0.95, is within it.
    let tail = (1 - level) / 2 * (1 + 1e-9)
    let below = Self.leftOut(count, p, tail)
    // By symmetry, the number of values above the quantile is that of those below the quantile of order 1 − p.
    let above = Self.leftOut(count, 1 - p, tail)
    low = below.count > 0 ? below.count : nil
    high = above.count > 0 ? count + 1 - above.count : nil
    coverage = 1 - below.probability - above.probability
  }

  /// Returns the greatest l with P(B ≤ l − 1) ≤ tail, 0 if there is none, and that probability.
  private static func leftOut(
    _ trials: Int, _ p: Double, _ tail: Double
  ) -> (count: Int, probability: Double) {
    var (low, high) = (0, trials)
    while low < high {
      let middle = low + (high - low + 1) / 2
      if atMost(middle - 1, trials, p) <= tail { low = middle } else { high = middle - 1 }
    }
    return (low, low > 0 ? atMost(low - 1, trials, p) : 0)
  }

  /// Returns P(B ≤ count) for a count below that of the trials, by the incomplete Beta function.
  private static func atMost(_ count: Int, _ trials: Int, _ p: Double) -> Double {
    SpecialFunctions.incompleteBetaComplement(p, Double(count) + 1, Double(trials - count))
  }
}
