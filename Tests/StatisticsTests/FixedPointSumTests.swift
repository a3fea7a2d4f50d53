import Testing

@testable import Statistics

@Suite("Sums in fixed point")
struct FixedPointSumTests {
  @Test(
    "the steps of a value are the nearest whole number of 2⁻⁶⁴", arguments: [1 as UInt64, 2, 3])
  func nearest(seed: UInt64) {
    var random = Xoshiro256(seed: seed)
    for _ in 0..<20_000 {
      let scale = Double(sign: .plus, exponent: Int(random.next() % 150) - 88, significand: 1)
      let value =
        (random.next() & 1 == 0 ? 1 : -1) * scale * (1 + Double(random.next() >> 34) * 0x1p-30)
      let isIn = abs(value) < 0x1p62
      let expected = isIn ? Int128(exactly: (value * 0x1p64).rounded(.toNearestOrEven)) : nil
      #expect(FixedPointSum.steps(of: value) == expected, "seed \(seed), \(value)")
    }
  }

  @Test("ends of the range")
  func ends() {
    #expect(FixedPointSum.steps(of: 0) == 0)
    #expect(FixedPointSum.steps(of: -0.0) == 0)
    #expect(FixedPointSum.steps(of: 1) == 1 << 64)
    #expect(FixedPointSum.steps(of: -1) == -(1 << 64))
    #expect(FixedPointSum.steps(of: 0x1p-12) == 1 << 52)
    #expect(FixedPointSum.steps(of: 0x1.8p-64) == 2)
    #expect(FixedPointSum.steps(of: 0x1p-65) == 0)
    #expect(FixedPointSum.steps(of: 0x1p62) == nil)
    #expect(FixedPointSum.steps(of: .infinity) == nil)
    #expect(FixedPointSum.steps(of: .nan) == nil)
  }
}
