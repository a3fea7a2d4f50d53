extension ExactSum {
  /// Adds the same value `count` times, exactly, in the time of a few additions.
  ///
  /// Does nothing if `count` is zero, whatever `x` is.
  ///
  /// - Complexity: O(1) amortized.
  /// - Precondition: `count` is not negative.
  public mutating func add(_ x: Double, times count: Int) {
    precondition(count >= 0, "a value cannot be added a negative number of times")
    guard count > 1 else {
      if count == 1 { add(x) }
      return
    }
    guard x.isFinite else {
      widen()
      return wide[0].specials.insert(x, times: count)
    }
    let exponent = Int(x.exponentBitPattern)
    let significand = x.significandBitPattern | (exponent == 0 ? 0 : 1 << 52)
    let product = significand.multipliedFullWidth(by: UInt64(count))
    let place = max(exponent, 1) - 1
    add(magnitude: product.low, at: place, negative: x < 0)
    add(magnitude: product.high, at: place + 64, negative: x < 0)
  }

  /// Adds the product `a · b` exactly `count` times.
  ///
  /// Overflow and underflow are handled as in ``add(product:_:)``.
  ///
  /// - Complexity: O(1) amortized.
  /// - Precondition: `count` is not negative.
  public mutating func add(product a: Double, _ b: Double, times count: Int) {
    if count == 1 { return add(product: a, b) }
    let high = a * b
    add(high, times: count)
    if high.isFinite { add((-high).addingProduct(a, b), times: count) }
  }

  /// Adds a 64-bit integer whose lowest bit has the given place, or subtracts it.
  mutating func add(magnitude: UInt64, at place: Int, negative: Bool) {
    guard magnitude != 0 else { return }
    let word = place >> 6
    if wide.isEmpty, (0...2).contains(word - base) || cover(word...word + 1),
      addWithin(
        magnitude, shift: UInt64(place & 63), offset: word - base, mask: negative ? ~0 : 0)
    {
      return
    }
    widen()
    wide[0].add([magnitude], at: place, negative: negative)
  }
}
