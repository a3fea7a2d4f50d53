/// The probability that a Beta(a, b) variable lies above a fixed point, updated as a parameter grows by 1.
///
/// NIST Digital Library of Mathematical Functions, https://dlmf.nist.gov/8.17.E20 and E21:
/// 1 − I_x(a + 1, b) = 1 − I_x(a, b) + xᵃ yᵇ / (a B(a, b)), and 1 − I_x(a, b + 1) = 1 − I_x(a, b) − xᵃ yᵇ / (b B(a,
/// b)), with y = 1 − x. A step takes two divisions instead of a continued fraction.
package struct BetaUpperTail: Sendable {
  private let point: BetaPoint
  private var a: Double
  private var b: Double
  /// xᵃ yᵇ / B(a, b).
  private var density: Double
  /// The tail, a probability.
  package private(set) var value: Double
  /// The largest tail since it was computed, to which the error of ``value`` is relative.
  private var largest: Double
  private var steps = 0

  /// Computes the tail of Beta(a, b) above the point with ln(x/y) = logit.
  package init(logit: Double, _ a: Double, _ b: Double) {
    point = BetaPoint(logit: logit)
    (self.a, self.b) = (a, b)
    let tails = SpecialFunctions.betaTailsAndDensity(point, a, b)
    value = tails.upper
    density = Double.exp(tails.logDensity)
    largest = value
  }

  /// Whether the relative error of the tail is certainly below 1e-8. It grows with the number of steps, and where the
  /// tail shrinks.
  @inline(__always)
  package var isAccurate: Bool {
    steps <= 4_096 && value > largest * 1e-3 && density > 0x1p-900
  }

  /// Adds 1 to a.
  @inline(__always)
  package mutating func incrementA() {
    let part = density / a
    value += part
    density = part * point.x * (a + b)
    a += 1
    steps &+= 1
    if value > largest { largest = value }
  }

  /// Adds 1 to b.
  @inline(__always)
  package mutating func incrementB() {
    let part = density / b
    value -= part
    density = part * point.y * (a + b)
    b += 1
    steps &+= 1
  }
}
