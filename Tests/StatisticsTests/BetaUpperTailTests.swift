import TestSupport
import Testing

@testable import Statistics

@Suite("The upper tail of a Beta distribution, parameter by parameter")
struct BetaUpperTailTests {
  @Test("agrees with the tail that is computed anew, as long as it says so", arguments: 0..<200)
  func twin(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let logit = Double.random(in: -4..<4, using: &random)
    var (a, b) = (
      Double.random(in: 0.5..<50, using: &random), Double.random(in: 0.5..<50, using: &random)
    )
    let share = Double.random(in: 0..<1, using: &random)
    var tail = BetaUpperTail(logit: logit, a, b)
    #expect(tail.value == SpecialFunctions.betaUpperTail(logit: logit, a, b), "seed \(seed)")
    var checked = 0
    for _ in 0..<3_000 {
      if random.chance(share) {
        tail.incrementA()
        a += 1
      } else {
        tail.incrementB()
        b += 1
      }
      guard tail.isAccurate else { break }
      let expected = SpecialFunctions.betaUpperTail(logit: logit, a, b)
      #expect(abs(tail.value - expected) <= 1e-8 * expected, "seed \(seed), a = \(a), b = \(b)")
      checked += 1
    }
    #expect(checked > 0, "seed \(seed)")
  }

  @Test("is not accurate at an end of the interval, where the density is 0")
  func ends() {
    #expect(!BetaUpperTail(logit: .infinity, 2, 3).isAccurate)
    #expect(!BetaUpperTail(logit: -.infinity, 2, 3).isAccurate)
  }

  @Test("is computed anew in time: after some thousand steps, and where it has shrunk")
  func accuracy() {
    var tail = BetaUpperTail(logit: 0, 2, 2)
    var steps = 0
    while tail.isAccurate {
      tail.incrementB()
      steps += 1
    }
    #expect(steps < 30, "the tail has shrunk")
    tail = BetaUpperTail(logit: -1, 2, 2)
    steps = 0
    while tail.isAccurate {
      if steps % 2 == 0 { tail.incrementA() } else { tail.incrementB() }
      steps += 1
    }
    #expect(steps <= 4_097)
  }
}
