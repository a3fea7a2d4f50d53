/// A sum of Doubles that is exact, whatever the order of the additions.
///
/// The same multiset of values gives the same bits in ``value`` and ``rounded2``, however it was
/// ordered, split into parts and merged. So a report does not depend on how many threads made it.
///
/// The sum is a fixed-point number in units of 2⁻¹⁰⁷⁴, the smallest Double, cut into chunks of 32
/// bits that are stored in 64-bit integers. An addition touches two neighbouring chunks and
/// leaves its carries where they are; carries move up once in 2000
/// additions. This is the small superaccumulator of R. M. Neal, "Fast exact summation using small
/// and large superaccumulators" (2015), arXiv:1505.05571, section 3.
///
/// Special values follow Python's `math.fsum`, except that they never raise: a NaN, or infinities
/// of both signs, makes the sum NaN; infinities of one sign make it that infinity. An intermediate
/// sum cannot overflow; only a final value beyond the largest Double becomes infinite. A sum of
/// zero is always +0, even if every value was −0.
///
/// The range of the accumulator holds 2¹⁰⁰ additions of the largest Double.
///
/// - Complexity: `add` is O(1) amortised without allocation; `merge` and reading the value walk
///   the 69 chunks once. An instance takes 584 bytes.
public struct ExactSum: Sendable {
  /// Chunk `i` weighs 2^(32·i − 1074). After `propagateCarries` all chunks but the last are in
  /// 0 ..< 2³² and the last carries the sign, so that equal sums have equal chunks.
  var chunks = InlineArray<69, Int64>(repeating: 0)

  /// An upper bound of the additions made to any one chunk since the carries last moved.
  var pending = 0 as Int32

  /// How many special values have been seen, so that they can be taken out again.
  var specials = SpecialValues()

  /// One addition changes a chunk by less than 2⁵², so 2047 of them cannot overflow 63 bits.
  static var additionsBetweenCarries: Int32 { 2_000 }

  /// Creates the sum of nothing, which is zero.
  public init() {}

  /// Creates the sum of some values.
  public init(_ values: some Sequence<Double>) {
    for value in values { add(value) }
  }

  /// Adds one value exactly.
  ///
  /// - Complexity: O(1) amortised, without allocation.
  public mutating func add(_ x: Double) {
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

  /// Adds the product `a · b` exactly.
  ///
  /// The product is added as the rounded product and its rounding error, which a fused
  /// multiply-add finds exactly. Two ends of the range are different. A product that rounds to
  /// infinity counts as that infinity. A product below 2⁻⁹⁶⁸ in magnitude may have bits under
  /// 2⁻¹⁰⁷⁴: its error term is rounded to a multiple of 2⁻¹⁰⁷⁴, so that the product is off by at
  /// most 2⁻¹⁰⁷⁵; it still depends on `a` and `b` alone, so the sum stays free of order.
  ///
  /// - Complexity: O(1) amortised, without allocation.
  public mutating func add(product a: Double, _ b: Double) {
    let high = a * b
    add(high)
    if high.isFinite { add((-high).addingProduct(a, b)) }
  }

  /// Adds the exact sum of another accumulator, as if its values had been added here one by one.
  ///
  /// - Complexity: O(1): one walk over the 69 chunks.
  public mutating func merge(_ other: ExactSum) {
    let addend = other.normalized()
    for index in chunks.indices { chunks[index] &+= addend.chunks[index] }
    specials.merge(addend.specials)
    countAddition()
  }

  /// Takes the exact sum of another accumulator out again, whose values were all added here: what is left is the sum
  /// that would be there without them, bit for bit, special values too.
  ///
  /// - Complexity: O(1): one walk over the 69 chunks.
  public mutating func subtract(_ other: ExactSum) {
    let subtrahend = other.normalized()
    for index in chunks.indices { chunks[index] &-= subtrahend.chunks[index] }
    specials.subtract(subtrahend.specials)
    countAddition()
  }

  /// Notes that every chunk may have changed by less than 2⁵², and moves the carries when due.
  mutating func countAddition() {
    pending &+= 1
    if pending >= Self.additionsBetweenCarries { propagateCarries() }
  }

  /// Moves the carries up, which leaves the one representation that the sum has.
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

  func normalized() -> ExactSum {
    var copy = self
    copy.propagateCarries()
    return copy
  }
}

extension ExactSum: Equatable {
  /// Whether two accumulators hold the same exact sum and have seen the same special values.
  ///
  /// Two sums that have both seen a NaN, and otherwise the same, are equal, however often they have.
  public static func == (left: ExactSum, right: ExactSum) -> Bool {
    let (a, b) = (left.normalized(), right.normalized())
    return a.specials.kinds == b.specials.kinds
      && a.chunks.indices.allSatisfy { a.chunks[$0] == b.chunks[$0] }
  }
}
