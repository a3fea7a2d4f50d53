/// An exact sum of Doubles, independent of the order of the additions.
///
/// The same multiset of values gives the same bits in ``value`` and ``rounded2``, however it was ordered, split into
/// parts and merged. So a report does not depend on the number of threads.
///
/// The sum is a fixed-point number in units of 2⁻¹⁰⁷⁴, the smallest Double. Of its 2,200 bits only a window of 256 is
/// stored, placed around the first value; it moves if that is sufficient. A sum whose values lie further apart, or grow
/// beyond the window, continues in an accumulator of the whole range (`WideSum`) on the heap. Which of the two holds a
/// sum affects only memory and time.
///
/// Special values follow Python's `math.fsum`, except that they never raise: a NaN, or infinities of both signs, makes
/// the sum NaN; infinities of one sign make it that infinity. Intermediate sums cannot overflow; only a final value
/// beyond the largest Double becomes infinite. A sum of zero is always +0, even if every value was −0.
///
/// The range of the accumulator holds 2¹⁰⁰ additions of the largest Double.
///
/// - Complexity: `add` is O(1) amortized and allocates at most once in the life of a sum; `merge` and reading the value
///   walk the words once. An instance takes 48 bytes, and 616 more if its values are more than about 190 bits apart.
public struct ExactSum: Sendable {
  /// The window in two's complement, lowest word first.
  var words = InlineArray<4, UInt64>(repeating: 0)

  /// The position of the window: its lowest bit has the weight 2^(64·base − 1074). ``unplaced`` before it is set.
  var base = ExactSum.unplaced

  /// The sum over the whole range, as the only element, once the window did not suffice; otherwise empty.
  var wide: [WideSum] = []

  /// So low that no value is within the window.
  static var unplaced: Int { -1_000 }

  /// The highest position of a window, at which it reaches beyond the largest Double.
  static var highestBase: Int { 30 }

  /// Creates an empty sum, which is zero.
  public init() {}

  /// Creates the sum of some values.
  public init(_ values: some Sequence<Double>) {
    for value in values { add(value) }
  }

  /// Adds one value exactly.
  ///
  /// - Complexity: O(1) amortized.
  public mutating func add(_ x: Double) {
    let exponent = Int(truncatingIfNeeded: x.bitPattern &>> 52) & 0x7FF
    let place = Swift.max(exponent, 1) &- 1
    let offset = (place &>> 6) &- base
    guard UInt(bitPattern: offset) <= 2, exponent != 0x7FF else { return addOutside(x) }
    let implicitBit: UInt64 = exponent == 0 ? 0 : 1 &<< 52
    let isAdded = addWithin(
      x.significandBitPattern | implicitBit, shift: UInt64(place & 63), offset: offset,
      mask: UInt64(bitPattern: Int64(bitPattern: x.bitPattern) &>> 63))
    if !isAdded { addOutside(x) }
  }

  /// Adds the product `a · b` exactly.
  ///
  /// The product is added as the rounded product and its rounding error, which a fused multiply-add computes exactly,
  /// with two exceptions. A product that rounds to infinity counts as that infinity. A product below 2⁻⁹⁶⁸ in magnitude
  /// may have bits below 2⁻¹⁰⁷⁴: its error term is rounded to a multiple of 2⁻¹⁰⁷⁴, so the product is off by at most
  /// 2⁻¹⁰⁷⁵; it still depends on `a` and `b` alone, so the sum remains independent of the order.
  ///
  /// - Complexity: O(1) amortized.
  public mutating func add(product a: Double, _ b: Double) {
    let high = a * b
    add(high)
    guard high.isFinite else { return }
    let low = (-high).addingProduct(a, b)
    if low != 0 { add(low) }
  }

  /// Adds the exact sum of another accumulator, as if its values had been added here one by one.
  ///
  /// - Complexity: O(1).
  public mutating func merge(_ other: ExactSum) {
    if wide.isEmpty, other.wide.isEmpty, addWithin(other) { return }
    widen()
    wide[0].merge(other.widened)
  }

  /// Removes the exact sum of another accumulator, all of whose values must have been added here: the result is
  /// bit-identical to the sum without them, including special values.
  ///
  /// - Complexity: O(1).
  public mutating func subtract(_ other: ExactSum) {
    if wide.isEmpty, let opposite = other.negated, addWithin(opposite) { return }
    widen()
    wide[0].subtract(other.widened)
  }

  /// The special values seen.
  var specials: SpecialValues { wide.first?.specials ?? SpecialValues() }

  // MARK: Beyond the window

  /// Adds a value that does not fit in the window at its current position.
  @inline(never)
  private mutating func addOutside(_ x: Double) {
    if wide.isEmpty {
      if x == 0 { return }
      if x.isFinite {
        let word = (Swift.max(Int(x.exponentBitPattern), 1) - 1) >> 6
        let isOutside = !(0...2).contains(word - base)
        if isOutside, cover(word...word + 1) { return add(x) }
      }
      widen()
    }
    wide[0].add(x)
  }

  /// Switches to an accumulator of the whole range.
  mutating func widen() {
    guard wide.isEmpty else { return }
    wide = [widened]
    words = InlineArray(repeating: 0)
    base = Self.unplaced
  }

  /// The sum as an accumulator of the whole range.
  var widened: WideSum {
    if let wide = wide.first { return wide }
    var sum = WideSum()
    if !isEmptyWindow { sum.add(magnitude, at: 64 * base, negative: isNegativeWindow) }
    return sum
  }
}

extension ExactSum: Equatable {
  /// Returns whether two accumulators hold the same exact sum and have seen the same kinds of special values, however
  /// often.
  public static func == (left: ExactSum, right: ExactSum) -> Bool {
    if left.wide.isEmpty, right.wide.isEmpty, left.base == right.base {
      return left.words.indices.allSatisfy { left.words[$0] == right.words[$0] }
    }
    return left.widened == right.widened
  }
}
