internal import Statistics

/// A normal distribution that is cut at two bounds, so that its mean is another one than before.
public struct BoundedNormal: Sendable, Hashable {
  /// What becomes of values beyond the bounds.
  public enum Cut: String, Sendable, CaseIterable {
    /// They do not occur: the distribution given that a value lies within.
    case truncated
    /// They count as the bound.
    case clipped
  }

  /// What becomes of values beyond the bounds.
  public let cut: Cut
  /// The mean of the rewards, with the bounds.
  public let mean: Double
  private let center: Double
  private let deviation: Double
  private let bounds: ClosedRange<Double>
  /// The probabilities of values below the lower bound and above the upper one, before the cut.
  private let below: Double
  private let above: Double

  /// Makes a distribution.
  ///
  /// - Parameters:
  ///   - center: The mean before the cut.
  ///   - deviation: The standard deviation before the cut, above 0.
  ///   - bounds: Where it is cut; nil is returned where next to nothing lies between them.
  ///   - cut: How it is cut.
  public init?(center: Double, deviation: Double, bounds: ClosedRange<Double>, _ cut: Cut) {
    let low = (bounds.lowerBound - center) / deviation
    let high = (bounds.upperBound - center) / deviation
    let (below, above) = (StandardNormal.cdf(low), StandardNormal.upperTail(high))
    // Where both bounds lie on one side, the difference of the tails keeps its digits on that side only.
    let within =
      low > 0
      ? StandardNormal.upperTail(low) - above : StandardNormal.cdf(high) - below
    guard deviation > 0, low < high, within > 1e-280 || cut == .clipped else { return nil }
    let slope = StandardNormal.density(low) - StandardNormal.density(high)
    switch cut {
    case .truncated:
      // N. L. Johnson, S. Kotz and N. Balakrishnan, "Continuous univariate distributions" 1 (1994), section 13.10.
      let mean = center + deviation * slope / within
      self.mean = min(max(mean, bounds.lowerBound), bounds.upperBound)
    case .clipped:
      mean =
        bounds.lowerBound * below + bounds.upperBound * above + center * within + deviation * slope
    }
    self.cut = cut
    (self.center, self.deviation, self.bounds) = (center, deviation, bounds)
    (self.below, self.above) = (below, above)
  }

  /// Draws a value: the truncated one by inversion, in the tail that keeps its digits.
  func draw(_ random: inout some RandomNumberGenerator) -> Double {
    let value: Double
    switch cut {
    case .clipped:
      value = Draw.normal(mean: center, standardDeviation: deviation, using: &random)
    case .truncated:
      let u = Draw.openUnit(using: &random)
      // From the side of the bound that is further in.
      if below > above {
        let tail = StandardNormal.upperTail((bounds.lowerBound - center) / deviation)
        value = center - deviation * StandardNormal.quantile(above + u * (tail - above))
      } else {
        let head = StandardNormal.cdf((bounds.upperBound - center) / deviation)
        value = center + deviation * StandardNormal.quantile(below + u * (head - below))
      }
    }
    return min(max(value, bounds.lowerBound), bounds.upperBound)
  }
}
