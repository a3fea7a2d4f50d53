/// The remainder of an angle modulo π/2, to the nearest multiple, and which multiple that is.
///
/// Below 2¹⁹ in the manner of W. J. Cody and W. Waite, "Software Manual for the Elementary Functions" (1980), above and
/// close to multiples after M. H. Payne and R. N. Hanek, "Radian reduction for trigonometric functions" (SIGNUM
/// Newsletter 18, 1983): integer arithmetic with the relevant bits of 2/π. No Double but 0 is so close to a multiple of
/// π/2 that fewer than 60 bits of the difference would remain.
struct ReducedAngle {
  /// The remainder, at most π/4 in magnitude.
  let rest: DoubleDouble
  /// The multiple, modulo 4.
  let quadrant: UInt64

  /// Reduces a finite angle.
  init(_ x: Double) {
    if abs(x) <= 0x1.921fb54442d18p-1 {
      self.init(DoubleDouble(x, 0), 0)
      return
    }
    if abs(x) < 0x1p19 {
      self.init(moderate: x)
      // Closer to a multiple of π/2 the error of the three parts would matter.
      if abs(rest.high) > 0x1p-20 { return }
    }
    // |x|·2/π in units of 2⁻¹⁸⁹, modulo 8.
    let words = Self.turns(abs(x))
    let nearest = (words.0 &+ 1 &<< 60) &>> 61
    let isAbove = words.0 &>> 60 & 1 == 1
    let fraction = Self.magnitude(words, isNegated: isAbove)
    let rest = fraction * DoubleDouble(0x1.921fb54442d18p0, 0x1.1a62633145c07p-54)
    let isNegative = isAbove != (x < 0)
    self.init(isNegative ? -rest : rest, x < 0 ? 0 &- nearest : nearest)
  }

  private init(_ rest: DoubleDouble, _ multiple: UInt64) {
    (self.rest, quadrant) = (rest, multiple & 3)
  }

  /// Subtracts a multiple of at most 19 bits, with π/2 in three parts of which the first two have at most 32 bits, so
  /// that their products are exact.
  private init(moderate x: Double) {
    let shifted = x * 0x1.45f306dc9c883p-1 + ExponentialParts.shift
    let n = shifted - ExponentialParts.shift
    // Exact, as x is close to the product.
    let first = x - n * 0x1.921fb54400000p+0
    let second = DoubleDouble(sum: first, -(n * 0x1.0b4611a800000p-34))
    let third = DoubleDouble(sum: second.high, -(n * -0x1.d9cceba3f91f2p-66))
    self.init(
      DoubleDouble(ordered: third.high, third.low + second.low), shifted.bitPattern)
  }

  /// Returns the last 192 bits of the product of the significand with the 192 bits of 2/π that start three bits before
  /// the binary point of the product, most significant word first.
  private static func turns(_ x: Double) -> (UInt64, UInt64, UInt64) {
    let significand = x.significandBitPattern | 1 &<< 52
    // The table has 64 zeros in front; x is at least one half, so the start is positive.
    let start = Int(x.exponentBitPattern) - 1075 - 3 + 64
    let (word, bit) = (start >> 6, UInt64(start & 63))
    let window = { (index: Int) -> UInt64 in
      let upper = TwoOverPiTable.rows[word + index] &<< bit
      return bit == 0 ? upper : upper | TwoOverPiTable.rows[word + index + 1] &>> (64 &- bit)
    }
    let low = significand.multipliedFullWidth(by: window(2))
    let middle = significand.multipliedFullWidth(by: window(1))
    let (second, carry) = middle.low.addingReportingOverflow(low.high)
    let first = significand &* window(0) &+ middle.high &+ (carry ? 1 : 0)
    return (first, second, low.low)
  }

  /// The distance of the product from the nearest integer.
  private static func magnitude(
    _ words: (UInt64, UInt64, UInt64), isNegated: Bool
  ) -> DoubleDouble {
    // Without the three bits before the point; negated by the complement, whose last bit is negligible.
    let flip: UInt64 = isNegated ? .max : 0
    var (first, second) = (words.0 &<< 3 | words.1 &>> 61, words.1 &<< 3 | words.2 &>> 61)
    var third = words.2 &<< 3
    (first, second, third) = (first ^ flip, second ^ flip, third ^ flip)
    var scale = 0x1p-64
    if first == 0 { (first, second, third, scale) = (second, third, 0, 0x1p-128) }
    let zeros = UInt64(first.leadingZeroBitCount)
    if zeros > 0 {
      first = first &<< zeros | second &>> (64 &- zeros)
      second = second &<< zeros | third &>> (64 &- zeros)
    }
    scale *= ExponentialParts.powerOfTwo(-Int64(zeros))
    // The first 53 bits are exact as a Double, the following 64 are rounded.
    let high = Double(first & ~0x7FF)
    let low = Double(first &<< 53 | second &>> 11) * 0x1p-53
    return DoubleDouble(ordered: high * scale, low * scale)
  }
}
