internal import Statistics

/// The posterior of the mean reward of one choice, as a log-concave density on a real axis that increases with the
/// mean.
///
/// Being log-concave, it has one peak and thin tails.
protocol PosteriorCurve {
  /// The parameters; curves with equal parameters are computed once, in ascending order.
  associatedtype Source: Hashable & Comparable

  /// Creates the curve of parameters.
  init(_ source: Source)

  /// The position of the peak.
  var center: Double { get }

  /// The width of the peak: one over the root of the curvature of the log density at the center.
  var width: Double { get }

  /// Returns the longest piece around a place that one polynomial can approximate, however wide the peak is.
  func longestPiece(at place: Double) -> Double

  /// Returns the density at a distance from the center.
  func density(_ offset: Double) -> Double

  /// Returns the logarithm of an upper bound of the tail that begins at a distance from the center and leads away from
  /// it.
  func logTail(_ offset: Double) -> Double
}

extension PosteriorCurve {
  /// Returns the interval outside of which each tail has less than the given probability.
  func span(logTail limit: Double) -> (low: Double, high: Double) {
    (center - reach(-1, limit), center + reach(1, limit))
  }

  /// Returns the distance from the center, on one side, at which the tail falls below the limit, at most one eighth too
  /// far.
  ///
  /// Starts where a normal distribution has 1e-14 beyond. The steps grow, so even a tail of a Beta distribution with
  /// parameter 0.001 is found within 60 steps.
  private func reach(_ side: Double, _ limit: Double) -> Double {
    var offset = 7.8 * width
    while logTail(side * offset) > limit { offset *= 1.125 }
    while offset > width, logTail(side * offset / 1.125) <= limit { offset /= 1.125 }
    return offset
  }
}

/// A Beta(a, b) distribution of x, on the axis u = ln(x/(1 − x)).
///
/// There the density, x^a (1 − x)^b / B(a, b), is log-concave and has no singular ends for any a, b > 0.
struct LogitBeta: PosteriorCurve {
  struct Source: Hashable, Comparable {
    var a: Double
    var b: Double

    static func < (one: Source, other: Source) -> Bool { (one.a, one.b) < (other.a, other.b) }
  }

  let center: Double
  let width: Double
  private let a: Double
  private let b: Double
  private let share: Double
  private let logPeak: Double
  private let cumulants: (third: Double, fourth: Double, fifth: Double)

  init(_ source: Source) {
    (a, b) = (source.a, source.b)
    let n = a + b
    let squeeze = a / n * b
    let (p, q) = (a / n, b / n)
    center = Double.log(a / b)
    width = 1 / squeeze.squareRoot()
    share = min(p, q)
    // Loader's form (2000) of 1/B(a, b), which avoids cancellation for large parameters.
    logPeak =
      SpecialFunctions.stirlingError(n) - SpecialFunctions.stirlingError(a)
      - SpecialFunctions.stirlingError(b) + 0.5 * Double.log(squeeze / (2 * .pi))
    cumulants = (squeeze * (q - p), squeeze * (1 - 6 * p * q), squeeze * (q - p) * (1 - 12 * p * q))
  }

  /// ln(1 + eᵘ) has branch points at ±πi, so pieces are short near the origin.
  func longestPiece(at place: Double) -> Double { 2 + abs(place) / 2 }

  func density(_ offset: Double) -> Double { Double.exp(logPeak + logRelative(offset)) }

  /// By log-concavity the tail is at most the density divided by the slope of its logarithm, a − (a + b)·x.
  func logTail(_ offset: Double) -> Double {
    let (x, y) = (
      1 / (1 + Double.exp(-center - offset)), 1 / (1 + Double.exp(center + offset))
    )
    return logPeak + logRelative(offset) - Double.log(abs(a * y - b * x))
  }

  /// The logarithm of the density relative to the center: a·t − (a + b)·ln(1 + p·(eᵗ − 1)) with p = a/(a + b).
  ///
  /// Evaluated from the side on which p is at most one half, so the logarithm is never of a number near 0; near the
  /// center, to avoid cancellation for large parameters, by the cumulant series of a Bernoulli variable, truncated
  /// below 1e-14.
  private func logRelative(_ offset: Double) -> Double {
    if abs(offset) < 3e-4 {
      let (third, fourth, fifth) = cumulants
      let z = offset / width
      let rest = third / 6 + offset * (fourth / 24 + offset * fifth / 120)
      return -0.5 * z * z - offset * offset * offset * rest
    }
    let (small, large, t) = a <= b ? (a, b, offset) : (b, a, -offset)
    if t > 600 { return -large * t - (a + b) * Double.log(share) }
    return small * t - (a + b) * Double.log(onePlus: share * Double.expMinusOne(t))
  }
}

/// A normal distribution.
struct NormalCurve: PosteriorCurve {
  struct Source: Hashable, Comparable {
    var mean: Double
    var deviation: Double

    static func < (one: Source, other: Source) -> Bool {
      (one.mean, one.deviation) < (other.mean, other.deviation)
    }
  }

  let center: Double
  let width: Double

  init(_ source: Source) { (center, width) = (source.mean, source.deviation) }

  func longestPiece(at place: Double) -> Double { .infinity }

  func density(_ offset: Double) -> Double { StandardNormal.density(offset / width) / width }

  /// Mills' bound: the tail beyond z is at most φ(z)/z.
  func logTail(_ offset: Double) -> Double {
    let z = abs(offset) / width
    return -0.5 * z * z - Double.log(z) - 0.5 * Double.log(2 * .pi)
  }
}
