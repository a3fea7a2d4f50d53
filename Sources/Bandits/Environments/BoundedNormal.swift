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
  /// The probability of values beyond the bound that is farther from the mean, before the cut.
  private let beyond: Double
  /// The probability of values within the bounds, before the cut.
  private let within: Double
  /// 1 where that bound is the lower one, so that `beyond` is a lower tail; otherwise −1.
  private let side: Double

  /// Makes a distribution; nil where a truncated one has next to nothing (1e-280) between the bounds, or where a
  /// deviation is not positive or more than a million times the distance of the bounds.
  ///
  /// - Parameters:
  ///   - center: The mean before the cut.
  ///   - deviation: The standard deviation before the cut, above 0.
  ///   - bounds: Where it is cut.
  ///   - cut: How it is cut.
  public init?(center: Double, deviation: Double, bounds: ClosedRange<Double>, _ cut: Cut) {
    let span = CutSpan(center, deviation, bounds)
    let width = bounds.upperBound - bounds.lowerBound
    guard deviation > 0, deviation <= 1e6 * width, span.low < span.high else { return nil }
    guard span.within > 1e-280 || cut == .clipped else { return nil }
    let mean = cut == .truncated ? span.truncatedMean : span.clippedMean
    self.mean = min(max(mean, bounds.lowerBound), bounds.upperBound)
    self.cut = cut
    (self.center, self.deviation, self.bounds) = (center, deviation, bounds)
    within = span.within
    side = span.low + span.high > 0 ? -1 : 1
    beyond = side > 0 ? StandardNormal.cdf(span.low) : StandardNormal.upperTail(span.high)
  }

  /// Draws a value: the truncated one by inversion, in the tail that keeps its digits.
  func draw(_ random: inout some RandomNumberGenerator) -> Double {
    let value: Double
    switch cut {
    case .clipped:
      value = Draw.normal(mean: center, standardDeviation: deviation, using: &random)
    case .truncated:
      let u = Draw.openUnit(using: &random)
      value = center + side * deviation * StandardNormal.quantile(min(beyond + u * within, 1))
    }
    return min(max(value, bounds.lowerBound), bounds.upperBound)
  }
}

/// The part of a normal distribution between two bounds, in standard deviations from its mean.
private struct CutSpan {
  private static let rule = GaussRule<SIMD16<Double>>()

  let low: Double
  let high: Double
  /// The probability between the bounds.
  let within: Double
  private let center: Double
  private let deviation: Double
  private let bounds: ClosedRange<Double>

  init(_ center: Double, _ deviation: Double, _ bounds: ClosedRange<Double>) {
    (self.center, self.deviation, self.bounds) = (center, deviation, bounds)
    low = (bounds.lowerBound - center) / deviation
    high = (bounds.upperBound - center) / deviation
    // The difference of the tails keeps its digits on one side only.
    within =
      low + high > 0
      ? StandardNormal.upperTail(low) - StandardNormal.upperTail(high)
      : StandardNormal.cdf(high) - StandardNormal.cdf(low)
  }

  /// Where the bounds are so near that differences of values at them lose their digits, and a rule for polynomials is
  /// exact.
  private var isNarrow: Bool { high - low < 0.25 }

  /// The integral of a function over the bounds, as a part of their distance.
  private func average(_ function: (_ z: Double) -> Double) -> Double {
    let middle = 0.5 * (low + high)
    let half = 0.5 * (high - low)
    var sum = 0.0
    for index in 0..<16 {
      sum += Self.rule.weights[index] * function(middle + half * Self.rule.nodes[index])
    }
    return 0.5 * sum
  }

  /// N. L. Johnson, S. Kotz and N. Balakrishnan, "Continuous univariate distributions" 1 (1994), section 13.10.
  var truncatedMean: Double {
    if isNarrow {
      // Weighed by the density over that at the nearest point to the mean, which may be too small for a number.
      let nearest = min(max(0, low), high)
      let weight = { (z: Double) in Double.exp(-0.5 * (z - nearest) * (z + nearest)) }
      let share = average { ($0 - low) * weight($0) } / average(weight)
      return bounds.lowerBound + deviation * share
    }
    return center
      + deviation * (StandardNormal.density(low) - StandardNormal.density(high)) / within
  }

  /// The lower bound and the integral of the upper tail from there on.
  var clippedMean: Double {
    if isNarrow {
      return bounds.lowerBound + deviation * (high - low) * average(StandardNormal.upperTail)
    }
    // A bound that is not reached contributes 0, however far away it is.
    return bounds.lowerBound * StandardNormal.cdf(low)
      + bounds.upperBound * StandardNormal.upperTail(high) + center * within
      + deviation * (StandardNormal.density(low) - StandardNormal.density(high))
  }
}
