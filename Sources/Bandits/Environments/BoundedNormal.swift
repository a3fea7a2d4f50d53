internal import Statistics

/// A normal distribution truncated or clipped at two bounds, which changes its mean.
public struct BoundedNormal: Sendable, Hashable {
  /// How values beyond the bounds are handled.
  public enum Cut: String, Sendable, CaseIterable {
    /// The distribution conditional on a value within the bounds.
    case truncated
    /// Values beyond a bound are replaced by the bound.
    case clipped
  }

  /// How values beyond the bounds are handled.
  public let cut: Cut
  /// The exact mean after truncation or clipping.
  public let mean: Double
  private let center: Double
  private let deviation: Double
  private let bounds: ClosedRange<Double>
  /// The probability, before the cut, of values beyond the bound that is farther from the mean.
  private let beyond: Double
  /// The probability, before the cut, of values within the bounds.
  private let within: Double
  /// 1 if `beyond` is a lower tail; otherwise −1.
  private let side: Double

  /// Creates a distribution; returns nil if a truncated one has a probability of at most 1e-280 between the bounds, or
  /// if the deviation is not positive or exceeds a million times the distance of the bounds.
  ///
  /// - Parameters:
  ///   - center: The mean before the cut.
  ///   - deviation: The standard deviation before the cut, above 0.
  ///   - bounds: The bounds.
  ///   - cut: How values beyond the bounds are handled.
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

  /// Draws a value: the truncated one by inversion, in the tail that retains precision.
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
    // The difference of the tails retains precision on one side only.
    within =
      low + high > 0
      ? StandardNormal.upperTail(low) - StandardNormal.upperTail(high)
      : StandardNormal.cdf(high) - StandardNormal.cdf(low)
  }

  /// Whether the bounds are so close that differences of values at them lose precision, while Gaussian quadrature is
  /// exact.
  private var isNarrow: Bool { high - low < 0.25 }

  /// Returns the mean of a function over the bounds.
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
      // Weights relative to the density at the point nearest the mean, as the density itself may underflow.
      let nearest = min(max(0, low), high)
      let weight = { (z: Double) in Double.exp(-0.5 * (z - nearest) * (z + nearest)) }
      let share = average { ($0 - low) * weight($0) } / average(weight)
      return bounds.lowerBound + deviation * share
    }
    return center
      + deviation * (StandardNormal.density(low) - StandardNormal.density(high)) / within
  }

  /// The lower bound plus the integral of the upper tail from there on.
  var clippedMean: Double {
    if isNarrow {
      return bounds.lowerBound + deviation * (high - low) * average(StandardNormal.upperTail)
    }
    // A bound that is never reached contributes 0, however far away it is.
    return bounds.lowerBound * StandardNormal.cdf(low)
      + bounds.upperBound * StandardNormal.upperTail(high) + center * within
      + deviation * (StandardNormal.density(low) - StandardNormal.density(high))
  }
}
