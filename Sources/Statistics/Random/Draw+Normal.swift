extension Draw {
  /// Returns a draw from the normal distribution with the given mean and standard deviation.
  ///
  /// The ziggurat method of G. Marsaglia and W. W. Tsang (Journal of Statistical Software 5(8), 2000) with 256 layers,
  /// where layer, sign and position come from different bits of one word, as J. A. Doornik ("An improved ziggurat
  /// method", 2005) requires.
  ///
  /// - Parameters:
  ///   - mean: The mean, finite.
  ///   - standardDeviation: The standard deviation, finite, not negative; zero gives the mean.
  ///   - generator: The source of randomness.
  /// - Returns: A finite number.
  /// - Complexity: one word in 98.8 % of the draws.
  @inlinable
  public static func normal(
    mean: Double = 0, standardDeviation: Double = 1,
    using generator: inout some RandomNumberGenerator
  ) -> Double {
    precondition(standardDeviation >= 0, "a standard deviation is not negative")
    return mean + standardDeviation * standardNormal(using: &generator)
  }

  /// Returns a standard normal draw, by the fast path in 98.8 % of the cases.
  @inlinable
  @inline(__always)
  static func standardNormal(using generator: inout some RandomNumberGenerator) -> Double {
    let word = generator.next()
    let layer = Int(truncatingIfNeeded: word & 0xFF)
    let x = Double(word &>> 11) * 0x1p-53 * Ziggurat.edges[layer]
    return x < Ziggurat.edges[layer + 1] ? signed(x, word) : seldomNormal(word, using: &generator)
  }

  /// Returns a standard normal draw from this word on, whatever number of words it takes.
  @inlinable
  @inline(never)
  static func seldomNormal(
    _ first: UInt64, using generator: inout some RandomNumberGenerator
  ) -> Double {
    var word = first
    while true {
      let layer = Int(truncatingIfNeeded: word & 0xFF)
      let x = Double(word &>> 11) * 0x1p-53 * Ziggurat.edges[layer]
      if x < Ziggurat.edges[layer + 1] { return signed(x, word) }
      if layer == 0 { return signed(normalTail(using: &generator), word) }
      if Ziggurat.liesUnderCurve(x, layer, unit(using: &generator)) { return signed(x, word) }
      word = generator.next()
    }
  }

  /// Applies one bit of a word as the sign, without a branch, which would be mispredicted every other time.
  @inlinable
  @inline(__always)
  static func signed(_ x: Double, _ word: UInt64) -> Double {
    Double(bitPattern: x.bitPattern ^ (word & 0x100) &<< 55)
  }

  /// A normal draw given that it is beyond the last edge: G. Marsaglia, "Generating a variable from
  /// the tail of the normal distribution" (Technometrics 6, 1964).
  @inlinable
  static func normalTail(using generator: inout some RandomNumberGenerator) -> Double {
    while true {
      let x = -Double.log(openUnit(using: &generator)) / Ziggurat.tailStart
      let y = -Double.log(openUnit(using: &generator))
      if 2 * y > x * x { return Ziggurat.tailStart + x }
    }
  }
}

/// The layers of equal area under exp(−x²/2), widest first.
@usableFromInline
enum Ziggurat {
  /// The start of the tail with 256 layers.
  @usableFromInline static var tailStart: Double { 3.6541528853610088 }

  /// The right edges of the layers. The first is the width that the lowest layer would have if its tail were folded
  /// into a rectangle; the last is zero, the top.
  @usableFromInline static let edges: InlineArray<257, Double> = {
    let height = Double.exp(-0.5 * tailStart * tailStart)
    let tail = (Double.pi / 2).squareRoot() * Double.erfc(tailStart * 0.5.squareRoot())
    let area = tailStart * height + tail
    var edges = InlineArray<257, Double>(repeating: 0)
    (edges[0], edges[1]) = (area / height, tailStart)
    for layer in 2..<256 {
      let edge = edges[layer - 1]
      edges[layer] = (-2 * Double.log(area / edge + Double.exp(-0.5 * edge * edge))).squareRoot()
    }
    return edges
  }()

  /// Returns whether the point at `x` and a fraction `u` of the layer's height is under the curve.
  @usableFromInline
  static func liesUnderCurve(_ x: Double, _ layer: Int, _ u: Double) -> Bool {
    let (outer, inner) = (edges[layer], edges[layer + 1])
    let bottom = Double.exp(-0.5 * outer * outer)
    let top = Double.exp(-0.5 * inner * inner)
    return bottom + u * (top - bottom) < Double.exp(-0.5 * x * x)
  }
}
