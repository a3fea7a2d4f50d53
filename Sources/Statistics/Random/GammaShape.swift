/// A Gamma distribution with precomputed constants, for repeated draws.
///
/// The draws are those of ``Draw/gamma(shape:scale:using:)`` with scale 1.
public struct GammaShape: Sendable, Hashable {
  @usableFromInline let d: Double
  @usableFromInline let c: Double
  /// The shape if it is below 1; otherwise 0.
  @usableFromInline let small: Double

  /// Precomputes the constants of a shape.
  ///
  /// - Precondition: `shape` is positive and finite.
  @inlinable
  public init(_ shape: Double) {
    precondition(shape > 0 && shape < .infinity, "the shape of a Gamma distribution is positive")
    small = shape < 1 ? shape : 0
    d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3
    c = 1 / (9 * d).squareRoot()
  }

  /// Returns a draw; its mean is the shape.
  ///
  /// - Complexity: O(1); about 1.05 normal draws at worst.
  @inlinable
  public func draw(using generator: inout some RandomNumberGenerator) -> Double {
    let value = drawFromOne(using: &generator)
    return small > 0 ? boosted(value, using: &generator) : value
  }

  /// For shapes below 1, a draw with the shape one higher is multiplied by u^(1/shape).
  @inlinable
  @inline(never)
  func boosted(_ value: Double, using generator: inout some RandomNumberGenerator) -> Double {
    value * Double.exp(Double.log(Draw.openUnit(using: &generator)) / small)
  }

  /// Marsaglia and Tsang's method for shapes from 1 upwards.
  @inlinable
  func drawFromOne(using generator: inout some RandomNumberGenerator) -> Double {
    while true {
      let x = Draw.standardNormal(using: &generator)
      let root = 1 + c * x
      if root <= 0 { continue }
      let v = root * root * root
      let u = Draw.openUnit(using: &generator)
      if u < 1 - 0.0331 * (x * x) * (x * x) { return d * v }
      if isAccepted(x, v, u) { return d * v }
    }
  }

  /// The exact acceptance test, which 2 % of the draws need.
  @usableFromInline
  @inline(never)
  func isAccepted(_ x: Double, _ v: Double, _ u: Double) -> Bool {
    Double.log(u) < 0.5 * x * x + d * (1 - v + Double.log(v))
  }
}

/// A Beta distribution with precomputed constants, for repeated draws.
///
/// The draws are those of ``Draw/beta(_:_:using:)``.
public struct BetaShape: Sendable, Hashable {
  /// The parameter α of the distribution.
  public let a: Double
  /// The parameter β of the distribution.
  public let b: Double
  @usableFromInline let first: GammaShape
  @usableFromInline let second: GammaShape

  /// Precomputes the constants of the parameters.
  ///
  /// - Precondition: `a` and `b` are positive, and their sum is finite.
  @inlinable
  public init(_ a: Double, _ b: Double) {
    (self.a, self.b) = (a, b)
    first = GammaShape(a)
    second = GammaShape(b)
  }

  /// Returns a draw; its mean is a/(a + b).
  ///
  /// - Complexity: O(1).
  @inlinable
  public func draw(using generator: inout some RandomNumberGenerator) -> Double {
    if a <= 1 && b <= 1 { return Draw.smallBeta(a, b, using: &generator) }
    let x = first.draw(using: &generator)
    return x / (x + second.draw(using: &generator))
  }
}
