internal import Statistics

/// A Gamma distribution of x with a shape and a rate, on the axis u = ln x.
///
/// There the density, (b x)^a e^(−b x)/Γ(a), is log-concave and has no singular end for any a > 0.
struct LogGamma: PosteriorCurve {
  struct Source: Hashable, Comparable {
    var shape: Double
    var rate: Double

    static func < (one: Source, other: Source) -> Bool { (one.shape, one.rate) < (other.shape, other.rate) }
  }

  let center: Double
  let width: Double
  private let shape: Double
  private let logShape: Double
  private let logPeak: Double

  init(_ source: Source) {
    shape = source.shape
    logShape = Double.log(source.shape)
    center = logShape - Double.log(source.rate)
    width = 1 / source.shape.squareRoot()
    // Stirling's series for 1/Γ(a), which avoids cancellation for a large shape.
    logPeak =
      0.5 * Double.log(source.shape / (2 * .pi)) - SpecialFunctions.stirlingError(source.shape)
  }

  /// exp(−b eᵘ) falls off within a few units of u near −ln b, however wide the peak, and is nearly constant below.
  func longestPiece(at place: Double) -> Double {
    2 + 0.5 * max(0, center - logShape - place)
  }

  func density(_ offset: Double) -> Double { Double.exp(logPeak + logRelative(offset)) }

  /// By log-concavity the tail is at most the density divided by the slope of its logarithm, a (1 − eᵗ).
  func logTail(_ offset: Double) -> Double {
    logPeak + logRelative(offset) - Double.log(shape * abs(Double.expMinusOne(offset)))
  }

  /// The logarithm of the density relative to the center, −a (eᵗ − 1 − t); near the center by its series, to avoid
  /// cancellation for a large shape.
  private func logRelative(_ t: Double) -> Double {
    if abs(t) < 0.02 {
      let rest = 1.0 / 120 + t * (1.0 / 720 + t / 5040)
      return -shape * t * t * (0.5 + t * (1.0 / 6 + t * (1.0 / 24 + t * rest)))
    }
    return -shape * (Double.expMinusOne(t) - t)
  }
}
