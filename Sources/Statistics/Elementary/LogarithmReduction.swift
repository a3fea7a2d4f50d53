internal import CElementary

/// A positive number x = 2ᵏ·m, reduced for its logarithm.
///
/// A table method after P. T. P. Tang, "Table-driven implementation of the logarithm function in IEEE floating-point
/// arithmetic" (ACM TOMS 16, 1990): with a short number c near 1/m, ln x = k·ln 2 − ln c + ln(1 + r), where r = c·m −
/// 1. m lies in 0.69 ... 1.38, and c is 1 around m = 1, so that nothing cancels there. As c is short, r is known
/// exactly as the sum of two numbers, of which the first can be added to k·ln 2 − ln c without rounding.
struct LogarithmReduction {
  /// The leading part of k·ln 2 − ln c, a multiple of 2⁻⁴³, plus ``coarse``: exact.
  let leading: Double
  /// The rest of k·ln 2 − ln c.
  let trailing: Double
  /// The leading part of r, of at most 26 significant bits.
  let coarse: Double
  /// The rest of r: exact, and at most 2⁻²³ in magnitude.
  let fine: Double

  /// Reduces a positive normal number times a power of two.
  @inline(__always)
  init(bits: UInt64, exponent: Int64 = 0) {
    let offset = bits &- 0x3FE6_1000_0000_0000
    let row = bandolier_logarithm_at(UInt(offset &>> 45))
    let k = Double(Int64(bitPattern: offset) &>> 52 &+ exponent)
    let m = bits &- (offset & 0xFFF0_0000_0000_0000)
    let short = Double(bitPattern: (m &+ 0x1000_0000) & 0xFFFF_FFFF_E000_0000)
    coarse = short * row.factor - 1
    fine = (Double(bitPattern: m) - short) * row.factor
    leading = (row.leading - k * -0x1.62e42fefa38p-1) + coarse
    trailing = k * 0x1.ef35793c7673p-45 + row.trailing
  }

  /// Reduces any positive finite number.
  @inline(__always)
  init(_ x: Double) {
    if x < Double.leastNormalMagnitude {
      self.init(bits: (x * 0x1p52).bitPattern, exponent: -52)
    } else {
      self.init(bits: x.bitPattern)
    }
  }

  /// The logarithm.
  @inline(__always)
  var rounded: Double { rounded(trailing) }

  /// Returns the logarithm plus a correction that is tiny relative to it.
  @inline(__always)
  func rounded(correction: Double) -> Double { rounded(trailing + correction) }

  @inline(__always)
  private func rounded(_ trailing: Double) -> Double {
    let sum = DoubleDouble(ordered: leading, fine)
    return sum.high + Self.curvature(coarse + fine, sum.low + trailing)
  }

  /// Returns ln(1 + r) − r for |r| < 0.00427, plus a number that is tiny relative to r.
  @inline(__always)
  static func curvature(_ r: Double, _ rest: Double) -> Double {
    let square = r * r
    let start = r * 0x1.5555555555556p-2 - 0.5
    let middle = -0x1.ffffffff32a6bp-3 + r * 0x1.99999998e3115p-3
    let tail = square * (r * 0x1.2493e0c112513p-3 - 0x1.55571fe55a2afp-3)
    return (rest + square * start) + square * square * (middle + tail)
  }

  /// The logarithm with a relative error below 2⁻⁶⁶, with the square of r in two parts, too.
  @inline(__always)
  var precise: DoubleDouble {
    let squared = DoubleDouble(ordered: leading, -0.5 * coarse * coarse)
    let sum = DoubleDouble(ordered: squared.high, fine)
    let r = coarse + fine
    let square = r * r
    let tail = 0x1.2493e0c112513p-3 + r * -0x1.00016ed9ade54p-3
    let middle = 0x1.99999998e3115p-3 + r * -0x1.55555554b10dep-3
    let cubic = (0x1.5555555555556p-2 - r * 0.25) + square * (middle + square * tail)
    let rest =
      ((squared.low + sum.low) + (trailing - fine * (coarse + 0.5 * fine))) + r * square * cubic
    return DoubleDouble(ordered: sum.high, rest)
  }
}
