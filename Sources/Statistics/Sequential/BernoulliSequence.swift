/// A nonasymptotic confidence sequence of a proportion, simultaneously valid at all times: the proportions that the
/// Beta-binomial mixture does not reject (Howard et al. 2021, section 4).
public struct BernoulliSequence: Sendable, Equatable {
  /// The number of trials at which it is tightest, positive.
  public let tightestAt: Double
  /// The probability that the truth is ever outside, between 0 and 1, exclusive.
  public let alpha: Double

  /// Creates a sequence.
  public init(tightestAt count: Double, alpha: Double = 0.05) {
    (tightestAt, self.alpha) = (count, alpha)
  }

  /// Returns the interval after the trials of a proportion; nil without trials.
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
    // With few trials, every proportion on one side may be inside.
    let hasLow = share > 0 && excess(ends.low) > 0
    let hasHigh = share < 1 && excess(ends.high) > 0
    let low = hasLow ? RootFinding.zero(between: ends.low, and: inside, excess) : 0
    let high = hasHigh ? RootFinding.zero(between: inside, and: ends.high, excess) : 1
    return Interval(min(low, share), max(high, share))
  }
}
