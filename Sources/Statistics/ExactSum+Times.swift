extension ExactSum {
  /// Adds the same value `count` times, exactly, in the time of a few additions.
  ///
  /// Nothing happens if `count` is zero, whatever `x` is.
  ///
  /// - Complexity: O(1) amortised, without allocation.
  /// - Precondition: `count` is not negative.
  public mutating func add(_ x: Double, times count: Int) {
    precondition(count >= 0, "a value cannot be added a negative number of times")
    guard count > 0 else { return }
    guard x.isFinite else { return specials.insert(x, times: count) }
    let exponent = Int(x.exponentBitPattern)
    let significand = x.significandBitPattern | (exponent == 0 ? 0 : 1 << 52)
    let product = significand.multipliedFullWidth(by: UInt64(count))
    add(words: [product.low, product.high], at: max(exponent, 1) - 1, negative: x < 0)
  }

  /// Adds the product `a · b` exactly `count` times.
  ///
  /// The range ends behave as in ``add(product:_:)``.
  ///
  /// - Complexity: O(1) amortised, without allocation.
  /// - Precondition: `count` is not negative.
  public mutating func add(product a: Double, _ b: Double, times count: Int) {
    let high = a * b
    add(high, times: count)
    if high.isFinite { add((-high).addingProduct(a, b), times: count) }
  }

  /// Adds an integer of two 64-bit words, lowest first, whose lowest bit has the given place.
  private mutating func add(words: InlineArray<2, UInt64>, at place: Int, negative: Bool) {
    let (first, shift) = (place >> 5, place & 31)
    for half in 0..<4 {
      let digits = (words[half >> 1] >> (32 * (half & 1))) & 0xFFFF_FFFF
      let shifted = digits << shift
      let low = Int64(shifted & 0xFFFF_FFFF)
      let high = Int64(shifted >> 32)
      chunks[first + half] &+= negative ? 0 &- low : low
      chunks[first + half + 1] &+= negative ? 0 &- high : high
    }
    countAddition()
  }
}
