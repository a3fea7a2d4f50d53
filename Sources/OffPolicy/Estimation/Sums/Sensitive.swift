/// A number with its derivatives with respect to six others, for standard errors by the delta method (forward-mode
/// automatic differentiation).
struct Sensitive: Sendable {
  /// The number.
  var value: Double
  /// The derivatives.
  var slopes: InlineArray<6, Double>

  /// Creates a constant.
  init(_ value: Double) { (self.value, slopes) = (value, InlineArray(repeating: 0)) }

  /// Creates one of the six numbers themselves.
  init(_ value: Double, variable index: Int) {
    self.init(value)
    slopes[index] = 1
  }

  private init(
    _ value: Double, _ a: Sensitive, _ slopeOfA: Double, _ b: Sensitive, _ slopeOfB: Double
  ) {
    self.init(value)
    for index in slopes.indices {
      slopes[index] = slopeOfA * a.slopes[index] + slopeOfB * b.slopes[index]
    }
  }

  static func + (a: Sensitive, b: Sensitive) -> Sensitive {
    Sensitive(a.value + b.value, a, 1, b, 1)
  }

  static func - (a: Sensitive, b: Sensitive) -> Sensitive {
    Sensitive(a.value - b.value, a, 1, b, -1)
  }

  static func * (a: Sensitive, b: Sensitive) -> Sensitive {
    Sensitive(a.value * b.value, a, b.value, b, a.value)
  }

  static func / (a: Sensitive, b: Sensitive) -> Sensitive {
    let quotient = a.value / b.value
    return Sensitive(quotient, a, 1 / b.value, b, -quotient / b.value)
  }
}
