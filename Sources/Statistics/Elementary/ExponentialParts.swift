internal import CElementary

/// A number (high + low)·2ᵏ, with `high` in 1 ... 2 and `low` much smaller, as exponential functions compute it.
///
/// A table method after P. T. P. Tang, "Table-driven implementation of the exponential function in IEEE floating-point
/// arithmetic" (ACM TOMS 15, 1989): with n the integer nearest to 128·x/ln 2, eˣ = 2^(n/128)·eʳ, where |r| < 0.0028.
struct ExponentialParts {
  /// 2^(i/128) for an i from 0 to 127.
  let high: Double
  /// The error of `high`, relative to it.
  let excess: Double
  /// The power of two, times 2⁵².
  let exponentBits: UInt64

  /// Adding it to a number leaves the nearest integer in the last bits.
  @usableFromInline static var shift: Double { 0x1.8p52 }

  /// e to the power x + rest, for |x| < 760 and a small rest.
  @inline(__always)
  init(exp x: Double, _ rest: Double = 0) {
    let shifted = x * 0x1.71547652b82fep7 + Self.shift
    let n = shifted - Self.shift
    // The first product and difference are exact: n has at most 18 bits, the constant 35.
    let r = (x - n * 0x1.62e42fefcp-8) - (n * -0x1.c610ca86c3899p-44 - rest)
    self.init(shifted: shifted, r)
  }

  /// e to the power r times two to the power of a 128th of the integer in the last bits of `shifted`.
  @inline(__always)
  init(shifted: Double, _ r: Double) {
    let n = shifted.bitPattern
    let row = bandolier_power_at(UInt(n))
    high = row.power
    let square = r * r
    let start = 0x1.fffffffffff58p-2 + r * 0x1.5555555555525p-3
    let tail = square * (0x1.55555acd700e7p-5 + r * 0x1.111114312054fp-7)
    excess = ((row.excess + r) + square * start) + square * tail
    exponentBits = (n &<< 45) & 0xFFF0_0000_0000_0000
  }

  /// The nearest Double, if it and its addends are normal numbers.
  @inline(__always)
  var normal: Double {
    let scaled = Double(bitPattern: high.bitPattern &+ exponentBits)
    return scaled + scaled * excess
  }

  /// The nearest Double: infinity if it is too large; subnormal results are rounded once.
  @inline(__always)
  var value: Double { Self.scaled(DoubleDouble(high, high * excess), exponentBits: exponentBits) }

  /// Returns a number of about 1 ... 2 times 2ᵏ, rounded once.
  static func scaled(_ number: DoubleDouble, exponentBits: UInt64) -> Double {
    let k = Int64(bitPattern: exponentBits) &>> 52
    if k > 1000 { return number.value * powerOfTwo(k &- 100) * 0x1p100 }
    if k > -1000 { return number.value * powerOfTwo(k) }
    let sum = DoubleDouble(ordered: number.high, number.low)
    // The smallest normal number over 2ᵏ.
    let exponent = max(k, -1100)
    let normal = powerOfTwo(-1022 &- exponent)
    var rounded = sum.high
    if rounded < normal {
      // Adding the smallest normal number rounds the sum at the last place of subnormal numbers.
      let rough = DoubleDouble(ordered: normal, rounded)
      rounded = (rough.high + (rough.low + sum.low)) - normal
    }
    return rounded * 0x1p-900 * powerOfTwo(exponent &+ 900)
  }

  /// 2ᵏ for k in −1022 ... 1023.
  @inline(__always)
  static func powerOfTwo(_ k: Int64) -> Double {
    Double(bitPattern: UInt64(bitPattern: k &+ 1023) &<< 52)
  }
}
