/// An exact sum as naive as can be: one counter per binary place, from 2⁻²¹⁴⁸ up.
///
/// It holds every Double and every product of two Doubles, so it rounds once only, bit by bit.
struct BitwiseSum {
  private static let lowest = 2148
  private var places = [Int](repeating: 0, count: 4400)

  mutating func add(_ x: Double) {
    add(bits: (integer(x), 0), exponent: exponent(x), sign: x < 0 ? -1 : 1)
  }

  mutating func add(product a: Double, _ b: Double, times: Int = 1) {
    let product = integer(a).multipliedFullWidth(by: integer(b))
    let sign = (a < 0) == (b < 0) ? times : -times
    add(bits: (product.low, product.high), exponent: exponent(a) + exponent(b), sign: sign)
  }

  private mutating func add(bits: (UInt64, UInt64), exponent: Int, sign: Int) {
    for bit in 0..<64 {
      places[Self.lowest + exponent + bit] += sign * Int(bits.0 >> bit & 1)
      places[Self.lowest + exponent + 64 + bit] += sign * Int(bits.1 >> bit & 1)
    }
  }

  /// A finite Double is integer(x) · 2^exponent(x) in magnitude.
  private func integer(_ x: Double) -> UInt64 {
    x.significandBitPattern | (x.exponentBitPattern == 0 ? 0 : 1 << 52)
  }

  private func exponent(_ x: Double) -> Int { max(Int(x.exponentBitPattern), 1) - 1075 }

  var value: Double {
    let bits = carried(places)
    return bits.last == -1 ? -magnitude(carried(places.map { -$0 })) : magnitude(bits)
  }

  /// Every place but the last becomes 0 or 1; the last is −1 for a negative sum.
  private func carried(_ places: [Int]) -> [Int] {
    var bits = places
    for place in bits.indices.dropLast() {
      bits[place + 1] += bits[place] >> 1
      bits[place] &= 1
    }
    return bits
  }

  private func magnitude(_ bits: [Int]) -> Double {
    guard let top = bits.lastIndex(of: 1) else { return 0 }
    let last = max(top - 52, Self.lowest - 1074)
    var significand = bits[last...].prefix(max(top - last + 1, 0)).reversed()
      .reduce(0 as UInt64) { $0 << 1 | UInt64($1) }
    let tie = bits[last - 1] == 1
    if tie, significand & 1 == 1 || bits[..<(last - 1)].contains(1) { significand += 1 }
    return Double(sign: .plus, exponent: last - Self.lowest, significand: Double(significand))
  }
}
