import Statistics
import Testing

@Suite("Powers of two")
struct PowerOfTwoTests {
  @Test("are exact for integers, and end at 0 and infinity")
  func whole() {
    for x in -1074...1023 {
      let expected = Double(sign: .plus, exponent: x, significand: 1)
      #expect(SpecialFunctions.powerOfTwo(Double(x)) == expected)
    }
    #expect(SpecialFunctions.powerOfTwo(-1080) == 0)
    #expect(SpecialFunctions.powerOfTwo(1024) == .infinity)
  }

  @Test(
    "are roots in between",
    arguments: [(0.5, 1.4142135623730951), (-0.25, 0.8408964152537145)])
  func between(x: Double, expected: Double) {
    #expect(abs(SpecialFunctions.powerOfTwo(x) - expected) <= 2 * expected.ulp)
  }
}
