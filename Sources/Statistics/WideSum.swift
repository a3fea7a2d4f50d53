/// An exact sum of Doubles of any magnitudes, which ``ExactSum`` switches to when its four words no longer suffice.
///
/// The sum is a fixed-point number in units of 2⁻¹⁰⁷⁴, the smallest Double, cut into chunks of 32 bits that are stored
/// in 64-bit integers. An addition touches two neighboring chunks and leaves its carries there; carries are propagated
/// once in 2000 additions. This is the small superaccumulator of R. M. Neal, "Fast exact summation using small and
/// large superaccumulators" (2015), arXiv:1505.05571, section 3.
///
/// The range of the accumulator holds 2¹⁰⁰ additions of the largest Double.
///
/// - Complexity: `add` is O(1) amortized without allocation; `merge` and reading the value walk the 69 chunks once. An
///   instance takes 584 bytes.
struct WideSum: Sendable {
  /// Chunk `i` has the weight 2^(32·i − 1074). After `propagateCarries` all chunks but the last are in 0 ..< 2³² and
  /// the last carries the sign, so that equal sums have equal chunks.
  var chunks = InlineArray<69, Int64>(repeating: 0)

  /// An upper bound of the additions to any one chunk since carries were last propagated.
  var pending = 0 as Int32

  /// The special values seen, counted so that they can be removed again.
  var specials = SpecialValues()

  /// One addition changes a chunk by less than 2⁵², so 2047 of them cannot overflow 63 bits.
  static var additionsBetweenCarries: Int32 { 2_000 }

  /// Creates an empty sum, which is zero.
  init() {}

  /// Adds one value exactly.
  ///
  /// - Complexity: O(1) amortized, without allocation.
  mutating func add(_ x: Double) {
    let exponent = Int(truncatingIfNeeded: x.bitPattern &>> 52) & 0x7FF
    guard exponent != 0x7FF else { return specials.insert(x) }
    let implicitBit: UInt64 = exponent == 0 ? 0 : 1 &<< 52
    let significand = Int64(truncatingIfNeeded: x.significandBitPattern | implicitBit)
    let place = Swift.max(exponent, 1) &- 1
    let index = place &>> 5
    let shift = Int64(truncatingIfNeeded: place & 31)
    // All ones for a negative value: (v ^ mask) - mask then negates without a branch.
    let mask = Int64(bitPattern: x.bitPattern) &>> 63
    let low = (significand &<< shift) & 0xFFFF_FFFF
    let high = significand &>> (32 &- shift)
    chunks[index] &+= (low ^ mask) &- mask
    chunks[index &+ 1] &+= (high ^ mask) &- mask
    countAddition()
  }

  /// Adds an integer, its words lowest first, whose lowest bit has the given place, or subtracts it.
  ///
  /// Only bits within the accumulator's range may be set.
  mutating func add<let n: Int>(
    _ words: InlineArray<n, UInt64>, at place: Int, negative: Bool
  ) {
    let (first, shift) = (place >> 5, place & 31)
    for half in 0..<2 * n {
      let digits = (words[half >> 1] >> UInt64(32 * (half & 1))) & 0xFFFF_FFFF
      guard digits != 0 else { continue }
      let shifted = digits << UInt64(shift)
      let low = Int64(shifted & 0xFFFF_FFFF)
      let high = Int64(shifted >> 32)
      chunks[first + half] &+= negative ? 0 &- low : low
      if high != 0 { chunks[first + half + 1] &+= negative ? 0 &- high : high }
    }
    countAddition()
  }

  /// Adds the exact sum of another accumulator, as if its values had been added here one by one.
  ///
  /// - Complexity: O(1): one walk over the 69 chunks.
  mutating func merge(_ other: WideSum) {
    let addend = other.normalized()
    for index in chunks.indices { chunks[index] &+= addend.chunks[index] }
    specials.merge(addend.specials)
    countAddition()
  }

  /// Removes the exact sum of another accumulator, all of whose values must have been added here: the result is
  /// bit-identical to the sum without them, including special values.
  ///
  /// - Complexity: O(1): one walk over the 69 chunks.
  mutating func subtract(_ other: WideSum) {
    let subtrahend = other.normalized()
    for index in chunks.indices { chunks[index] &-= subtrahend.chunks[index] }
    specials.subtract(subtrahend.specials)
    countAddition()
  }

  /// Records that every chunk may have changed by less than 2⁵², and propagates carries when due.
  mutating func countAddition() {
    pending &+= 1
    if pending >= Self.additionsBetweenCarries { propagateCarries() }
  }

  /// Propagates the carries, which gives the unique representation of the sum.
  mutating func propagateCarries() {
    var carry = 0 as Int64
    for index in 0..<68 {
      let chunk = chunks[index] &+ carry
      chunks[index] = chunk & 0xFFFF_FFFF
      carry = chunk &>> 32
    }
    chunks[68] &+= carry
    pending = 0
  }

  func normalized() -> WideSum {
    var copy = self
    copy.propagateCarries()
    return copy
  }
}

extension WideSum: Equatable {
  /// Returns whether two accumulators hold the same exact sum and have seen the same kinds of special values, however
  /// often.
  static func == (left: WideSum, right: WideSum) -> Bool {
    let (a, b) = (left.normalized(), right.normalized())
    return a.specials.kinds == b.specials.kinds
      && a.chunks.indices.allSatisfy { a.chunks[$0] == b.chunks[$0] }
  }
}
