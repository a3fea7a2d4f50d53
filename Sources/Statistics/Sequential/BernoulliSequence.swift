/// A nonasymptotic confidence sequence of a proportion, simultaneously valid at all times: the proportions that the
/// Beta-binomial mixture does not reject (Howard et al. 2021, section 4).
public struct BernoulliSequence: Sendable, Equatable {
  /// The number of trials at which it is tightest, positive.
  public let tightestAt: Double
  /// The probability that the truth is ever outside, between 0 and 1, exclusive.
  public let alpha: Double
  /// The total of the Beta distributions over which likelihoods are mixed; their mean is the proportion that is tested.
  private let concentration: Double

  /// Creates a sequence.
  public init(tightestAt count: Double, alpha: Double = 0.05) {
    (tightestAt, self.alpha) = (count, alpha)
    concentration = max(NormalMixture(tightestAt: count, alpha: alpha).rho - 1, 1e-3)
  }

  /// Returns the interval after the trials of a proportion; nil without trials.
  public func interval(_ proportion: Proportion) -> Interval? {
    guard let share = proportion.value else { return nil }
    let excess = { (p: Double) in evidence(against: p, proportion) + Double.log(alpha) }
    let ends = Self.ends
    let inside = min(max(share, ends.low), ends.high)
    // With few trials, every proportion on one side may be inside.
    let hasLow = share > 0 && excess(ends.low) > 0
    let hasHigh = share < 1 && excess(ends.high) > 0
    let low = hasLow ? RootFinding.zero(between: ends.low, and: inside, excess) : 0
    let high = hasHigh ? RootFinding.zero(between: inside, and: ends.high, excess) : 1
    return Interval(min(low, share), max(high, share))
  }

  /// The proportions nearest to 0 and 1 that are tested.
  private static let ends = Interval(1e-12, 1 - 1e-12)

  /// Returns ln of the mixture's likelihood of the trials over that of a proportion, under which its exponential is a
  /// martingale.
  func evidence(against share: Double, _ proportion: Proportion) -> Double {
    let p = min(max(share, Self.ends.low), Self.ends.high)
    let (a, b) = (concentration * p, concentration * (1 - p))
    let (x, rest) = (Double(proportion.successes), Double(proportion.trials - proportion.successes))
    return SpecialFunctions.logBeta(a + x, b + rest) - SpecialFunctions.logBeta(a, b)
      - x * Double.log(p) - rest * Double.log(onePlus: -p)
  }
}
