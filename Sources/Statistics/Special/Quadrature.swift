/// Integration by the Gauss–Legendre rule.
enum Quadrature {
  /// Nodes in (−1, 1) and their weights.
  struct Rule: Sendable {
    let nodes: [Double]
    let weights: [Double]

    /// Creates the rule of `count` points, by Newton's method on the Legendre polynomial.
    init(_ count: Int) {
      var nodes = [Double](repeating: 0, count: count)
      var weights = nodes
      let n = Double(count)
      for index in 0..<count {
        var x = Double.cos(.pi * (Double(index) + 0.75) / (n + 0.5))
        var slope = 1.0
        for _ in 0..<100 {
          var (p, q) = (1.0, 0.0)
          for degree in 0..<count {
            let k = Double(degree)
            (p, q) = (((2 * k + 1) * x * p - k * q) / (k + 1), p)
          }
          slope = n * (x * p - q) / (x * x - 1)
          let step = p / slope
          x -= step
          if abs(step) <= 1e-16 { break }
        }
        nodes[count - 1 - index] = x
        weights[count - 1 - index] = 2 / ((1 - x * x) * slope * slope)
      }
      (self.nodes, self.weights) = (nodes, weights)
    }

    /// Returns the integrals of functions between the ends.
    func integrals(from low: Double, to high: Double, _ functions: (Double) -> SIMD4<Double>)
      -> SIMD4<Double>
    {
      let (center, radius) = ((low + high) / 2, (high - low) / 2)
      var sum = SIMD4<Double>.zero
      for (node, weight) in zip(nodes, weights) { sum += weight * functions(center + radius * node) }
      return sum * radius
    }
  }

  /// A rule of 32 points.
  static let rule32 = Rule(32)

  /// Returns the integral of a smooth function, in panels of equal width with 32 points each.
  static func integral(
    from low: Double, to high: Double, panels: Int, _ function: (Double) -> Double
  ) -> Double {
    integrals(from: low, to: high, panels: panels) { SIMD4(function($0), 0, 0, 0) }.x
  }

  /// Returns the integrals of smooth functions that are computed together, each as if it were alone.
  static func integrals(
    from low: Double, to high: Double, panels: Int, _ functions: (Double) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    let width = (high - low) / Double(panels)
    var sum = SIMD4<Double>.zero
    for panel in 0..<panels {
      let start = low + Double(panel) * width
      sum += rule32.integrals(from: start, to: start + width, functions)
    }
    return sum
  }
}
