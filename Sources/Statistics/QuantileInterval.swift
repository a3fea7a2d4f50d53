/// An interval of a quantile between two order statistics of a sample, for any distribution: how many of the values lie
/// below the quantile is binomial, whatever it is that was measured.
///
/// W. J. Conover, "Practical Nonparametric Statistics" (1999), section 3.2; H. A. David and H. N. Nagaraja, "Order
/// Statistics" (2003), section 7.1. For a distribution with ties it covers at least as often as it says.
public struct QuantileInterval: Sendable, Equatable {
  /// The rank of the value at the lower end, counted from 1; nil where the sample is too small for one.
  public let low: Int?
  /// The rank of the value at the upper end, counted from 1; nil where the sample is too small for one.
  public let high: Int?
  /// How probable it is that the interval covers the quantile of a continuous distribution, not below the level asked for.
  public let coverage: Double

  /// The shortest interval of which either side misses with probability (1 − level)/2 at most: from the greatest rank l
  /// with P(B ≤ l − 1) ≤ (1 − level)/2 to the least rank u with P(B ≥ u) ≤ (1 − level)/2, where B is binomial. There is
  /// none for no values, and for a `p` or level out of range.
  ///
  /// - Parameters:
  ///   - p: Which quantile, between 0 and 1, exclusive.
  ///   - count: The number of independent values.
  ///   - level: The coverage, between 0 and 1, exclusive.
  /// - Complexity: O(log count) values of the incomplete Beta function.
  public init?(_ p: Double, count: Int, level: Double = 0.95) {
    guard p > 0, p < 1, level > 0, level < 1, count > 0 else { return nil }
    // What equals the tail but for rounding, as 1 - 0.975 does at level 0.95, is within it.
    let tail = (1 - level) / 2 * (1 + 1e-9)
    let below = Self.leftOut(count, p, tail)
    // Seen from above, the values over the quantile are as many as those below the one of 1 − p.
    let above = Self.leftOut(count, 1 - p, tail)
    low = below.count > 0 ? below.count : nil
    high = above.count > 0 ? count + 1 - above.count : nil
    coverage = 1 - below.probability - above.probability
  }

  /// The greatest l with P(B ≤ l − 1) ≤ tail, 0 where there is none, and that probability.
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

  /// P(B ≤ count) for a count below that of the trials, by the incomplete Beta function.
  private static func atMost(_ count: Int, _ trials: Int, _ p: Double) -> Double {
    SpecialFunctions.incompleteBetaComplement(p, Double(count) + 1, Double(trials - count))
  }
}
