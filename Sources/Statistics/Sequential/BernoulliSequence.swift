/// A confidence sequence of a proportion, exact at all times together: the proportions that the Beta mixture does not
/// reject (Howard et al. 2021, section 4).
public struct BernoulliSequence: Sendable, Equatable {
  /// The number of trials at which it is tightest, positive.
  public let tightestAt: Double
  /// The probability that the truth is ever outside, between 0 and 1, exclusive.
  public let alpha: Double

  /// Makes a sequence.
  public init(tightestAt count: Double, alpha: Double = 0.05) {
    (tightestAt, self.alpha) = (count, alpha)
  }

  /// The interval after so many trials; nil without trials.
  public func interval(_ proportion: Proportion) -> Interval? {
    guard let share = proportion.value else { return nil }
    let (x, n) = (Double(proportion.successes), Double(proportion.trials))
    let excess = { (p: Double) in
      let variance = p * (1 - p)
      let mixture = BetaBinomialMixture(
        tightestAt: tightestAt * variance, alpha: alpha, below: p, above: 1 - p)
      return mixture.logSupermartingale(x - n * p, n * variance) + Double.log(alpha)
    }
    let ends = Interval(1e-12, 1 - 1e-12)
    let inside = min(max(share, ends.low), ends.high)
    // Few trials may leave every proportion of a side in.
    let hasLow = share > 0 && excess(ends.low) > 0
    let hasHigh = share < 1 && excess(ends.high) > 0
    let low = hasLow ? RootFinding.zero(between: ends.low, and: inside, excess) : 0
    let high = hasHigh ? RootFinding.zero(between: inside, and: ends.high, excess) : 1
    return Interval(min(low, share), max(high, share))
  }
}
