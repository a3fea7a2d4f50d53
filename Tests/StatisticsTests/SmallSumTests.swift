import Testing

@testable import Statistics

@Suite("Sums of a few numbers")
struct SmallSumTests {
  private static func sum(_ numbers: [Double]) -> Double {
    var sum = SmallSum()
    for number in numbers { sum.add(number) }
    return sum.value
  }

  @Test(
    "have the bits of the exact sum, for numbers of any magnitude", arguments: UInt64(0)..<200)
  func exact(seed: UInt64) {
    var random = Xoshiro256(seed: seed)
    for exponents in [0...2046, 1_000...1_060, 1_022...1_026, 0...60, 2_040...2_046] {
      for count in 0...6 {
        let numbers = wildDoubles(count: count, exponents: exponents, using: &random)
        #expect(
          Self.sum(numbers).bitPattern == ExactSum(numbers).value.bitPattern,
          "seed \(seed): \(numbers)")
      }
    }
  }

  @Test("treat infinities, NaN and negative zeros as exact sums do")
  func specials() {
    let pieces = [
      0, -0.0, 1, 0.1, -1, 1e308, -1e308, .leastNonzeroMagnitude, .infinity, -.infinity, .nan, 1e16,
      0.2,
    ]
    for a in pieces {
      for b in pieces {
        for c in pieces {
          let (sum, exact) = (Self.sum([a, b, c]), ExactSum([a, b, c]).value)
          #expect(
            sum.bitPattern == exact.bitPattern || sum.isNaN && exact.isNaN, "\(a) \(b) \(c)")
        }
      }
    }
  }
}
