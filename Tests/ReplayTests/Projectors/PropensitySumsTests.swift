import Specifications
import TestSupport
import Testing

@testable import Replay

@Suite("Sums of propensities")
struct PropensitySumsTests {
  @Test("are those of each propensity alone, whichever comes before it", arguments: 0..<200)
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let few = (0..<1 + random.index(4)).map { _ in Double.random(in: 0...1.1, using: &random) }
    let propensities = (0..<random.index(60)).map { _ in
      random.chance(0.8) ? few[random.index(few.count)] : [0, 1e-7, 1, 2, .nan][random.index(5)]
    }
    var (together, alone) = (PropensitySums(), PropensitySums())
    for propensity in propensities { together.add(propensity) }
    for propensity in propensities.shuffled(using: &random) {
      alone.merge(PropensitySums(propensity))
    }
    #expect(together == alone, "seed \(seed)")
    #expect(together.known + together.unusable == propensities.count)
    let usable = propensities.filter { $0 >= PropensitySums.least && $0 <= 1 }
    #expect(together.known == usable.count)
    let sum = usable.reduce(0, +)
    #expect(abs(together.sum - sum) <= 1e-12 * max(1, sum), "seed \(seed)")
    let inverse = usable.reduce(0) { $0 + 1 / $1 }
    #expect(abs(together.inverseSum - inverse) <= 1e-12 * max(1, inverse), "seed \(seed)")
    for propensity in propensities { alone.subtract(PropensitySums(propensity)) }
    #expect(alone == PropensitySums(), "seed \(seed)")
  }
}

extension PropensitySums {
  fileprivate init(_ propensity: Double) {
    self.init()
    add(propensity)
  }
}
