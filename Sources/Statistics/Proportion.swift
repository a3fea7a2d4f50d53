/// A number of successes among a number of trials.
public struct Proportion: Sendable, Hashable {
  /// The successes, from 0 to ``trials``.
  public let successes: Int

  /// The trials.
  public let trials: Int

  /// Creates a proportion.
  ///
  /// - Precondition: `0 <= successes <= trials`.
  public init(successes: Int, trials: Int) {
    precondition(successes >= 0, "successes cannot be negative")
    precondition(successes <= trials, "there cannot be more successes than trials")
    (self.successes, self.trials) = (successes, trials)
  }

  /// The share of successes; nil without trials.
  public var value: Double? { trials > 0 ? Double(successes) / Double(trials) : nil }

  /// Returns the score interval of E. B. Wilson, "Probable inference, the law of succession, and statistical inference"
  /// (JASA 22, 1927), without continuity correction; nil without trials.
  ///
  /// It starts at exactly 0 without successes and ends at exactly 1 without failures.
  ///
  /// - Parameter level: The confidence level, between 0 and 1, exclusive.
  /// - Returns: The interval, within 0 ... 1.
  public func wilsonInterval(level: Double = 0.95) -> Interval? {
    precondition(level > 0 && level < 1, "a confidence level is between 0 and 1")
    guard trials > 0 else { return nil }
    let z = -StandardNormal.quantile((1 - level) / 2)
    let low = lowerWilsonBound(successes, z: z)
    let high = 1 - lowerWilsonBound(trials - successes, z: z)
    // At a level near zero both ends coincide, and rounding could swap them.
    return Interval(low, max(low, high))
  }

  /// Returns the smaller root of (1 + z²/n)·π² − (2p + z²/n)·π + p² = 0, computed from the larger one to avoid
  /// cancellation; the upper bound is that of the failures, mirrored.
  private func lowerWilsonBound(_ count: Int, z: Double) -> Double {
    guard count > 0 else { return 0 }
    let n = Double(trials)
    let p = Double(count) / n
    let q = Double(trials - count) / n
    let spread = z * (p * q / n + z * z / (4 * n * n)).squareRoot()
    return p * p / (p + z * z / (2 * n) + spread)
  }
}
