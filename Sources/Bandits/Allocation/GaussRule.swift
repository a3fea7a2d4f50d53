internal import Statistics

/// A Gauss–Legendre rule with one node per vector lane, including integrals up to each node.
///
/// Nodes and weights: Abramowitz and Stegun 25.4.29; the integrals up to a node are those of the polynomial through the
/// values at all nodes.
struct GaussRule<Vector: SIMD & Sendable>: Sendable where Vector.Scalar == Double {
  /// The nodes in −1 ... 1, in descending order.
  private(set) var nodes = Vector()
  /// The weight of each node in the integral over −1 ... 1.
  private(set) var weights = Vector()
  /// For each node, the contribution of its value to the integrals from every node up to 1.
  private var contributions: [Vector] = []

  init() {
    let count = Vector.scalarCount
    for index in 0..<count {
      // Newton's method on the Legendre polynomial, from Tricomi's approximation.
      var x = Double.cos(.pi * (Double(index) + 0.75) / (Double(count) + 0.5))
      for _ in 0..<20 {
        let (value, slope) = Self.legendre(count, x)
        x -= value / slope
      }
      let slope = Self.legendre(count, x).slope
      nodes[index] = x
      weights[index] = 2 / ((1 - x * x) * slope * slope)
    }
    contributions = (0..<count).map { source in
      var column = Vector()
      for target in 0..<count { column[target] = contribution(from: source, to: nodes[target]) }
      return column
    }
  }

  /// Returns the integrals from every node up to 1 of the polynomial with the given values at the nodes.
  func integralsAbove(_ values: Vector) -> Vector {
    var sums = Vector()
    for index in 0..<Vector.scalarCount {
      // No fused multiply-add, which the baseline processor would call a function for in every lane.
      sums += values[index] * contributions[index]
    }
    return sums
  }

  /// Returns the integral over −1 ... 1.
  func integral(_ values: Vector) -> Double { (values * weights).sum() }

  /// Returns the integral from a place up to 1 of the polynomial that is 1 at one node and 0 at the others.
  ///
  /// That polynomial is w·Σ (n + ½)·Pₙ(node)·Pₙ(x) for n below the number of nodes, and the integral of Pₙ from x to 1
  /// is (Pₙ₋₁(x) − Pₙ₊₁(x))/(2n + 1).
  private func contribution(from source: Int, to place: Double) -> Double {
    var sum = (1 - place) / 2
    for n in 1..<Vector.scalarCount {
      let integral = Self.legendre(n - 1, place).value - Self.legendre(n + 1, place).value
      sum += 0.5 * Self.legendre(n, nodes[source]).value * integral
    }
    return weights[source] * sum
  }

  /// Returns the Legendre polynomial of a degree and its derivative, inside −1 ... 1.
  private static func legendre(_ degree: Int, _ x: Double) -> (value: Double, slope: Double) {
    var (previous, value) = (0.0, 1.0)
    for n in 0..<degree {
      let next = (Double(2 * n + 1) * x * value - Double(n) * previous) / Double(n + 1)
      (previous, value) = (value, next)
    }
    return (value, Double(degree) * (x * value - previous) / (x * x - 1))
  }
}

/// The two rules whose results are compared.
enum GaussRules {
  static let fine = GaussRule<SIMD16<Double>>()
  static let coarse = GaussRule<SIMD8<Double>>()
}

extension SIMD where Scalar == Double {
  /// Returns each lane raised to a nonnegative power, by repeated squaring.
  func raised(to power: Int) -> Self {
    var (result, square, rest) = (Self(repeating: 1), self, power)
    while rest > 0 {
      if rest & 1 == 1 { result *= square }
      square *= square
      rest >>= 1
    }
    return result
  }
}
