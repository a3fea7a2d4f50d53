import Foundation
import Testing

@testable import Statistics

@Suite("Draws with precomputed constants")
struct GammaShapeTests {
  /// The method as it is published, with a root and a division at each draw.
  private func naive(_ shape: Double, _ random: inout Xoshiro256) -> Double {
    let d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3
    let c = 1 / (9 * d).squareRoot()
    while true {
      let x = Draw.normal(using: &random)
      let v = (1 + c * x) * (1 + c * x) * (1 + c * x)
      guard v > 0 else { continue }
      let u = Draw.openUnit(using: &random)
      guard log(u) < 0.5 * x * x + d * (1 - v + log(v)) else { continue }
      return shape < 1 ? d * v * exp(log(Draw.openUnit(using: &random)) / shape) : d * v
    }
  }

  @Test("they are the same as without", arguments: [0.2, 0.99, 1, 1.5, 7, 1_000, 1e9])
  func gamma(shape: Double) {
    var (kept, once, plain) = (Xoshiro256(seed: 5), Xoshiro256(seed: 5), Xoshiro256(seed: 5))
    let prepared = GammaShape(shape)
    for _ in 0..<2_000 {
      let value = prepared.draw(using: &kept)
      #expect(value == Draw.gamma(shape: shape, using: &once))
      #expect(abs(value - naive(shape, &plain)) <= 1e-13 * value)
    }
    #expect(kept == once && kept == plain)
  }

  @Test(
    "shares of two as well", arguments: [(0.3, 0.4), (1, 1), (1, 2), (0.5, 30), (700, 2), (40, 60)])
  func beta(a: Double, b: Double) {
    var (kept, once) = (Xoshiro256(seed: 6), Xoshiro256(seed: 6))
    let prepared = BetaShape(a, b)
    for _ in 0..<2_000 {
      #expect(prepared.draw(using: &kept) == Draw.beta(a, b, using: &once))
    }
    #expect(kept == once)
  }

  @Test("the sign of a normal draw is one bit of its word")
  func signs() {
    var random = Xoshiro256(seed: 7)
    var words = random
    var negative = 0
    for _ in 0..<1_000 {
      let word = words.next()
      let value = Draw.standardNormal(using: &random)
      if random != words {
        words = random
        continue
      }
      #expect((value < 0) == (word & 0x100 != 0))
      negative += value < 0 ? 1 : 0
    }
    #expect(negative > 400 && negative < 600)
  }
}
