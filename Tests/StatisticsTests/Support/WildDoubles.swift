import Statistics

/// Finite Doubles whose exponents are spread over a range of exponent fields (0 ... 2046).
func wildDoubles(
  count: Int, exponents: ClosedRange<Int>, using generator: inout Xoshiro256
) -> [Double] {
  (0..<count).map { _ in
    let span = exponents.upperBound - exponents.lowerBound + 1
    let exponent = exponents.lowerBound + Draw.index(below: span, using: &generator)
    return Double(
      sign: Draw.bernoulli(0.5, using: &generator) ? .plus : .minus,
      exponentBitPattern: UInt(exponent),
      significandBitPattern: generator.next() >> 12)
  }
}
