import Statistics
import Testing

@testable import Scenarios

@Suite("The units of the shop")
struct StorefrontUnitsTests {
  @Test("traits have their shares, and ages lie between 18 and 80")
  func traits() {
    var generator = Xoshiro256(seed: 5)
    let count = 20_000
    let all = (0..<count).map { _ in UnitTraits(using: &generator) }
    let drawn: [([UInt8], [UnitTraits.Share])] = [
      (all.map { $0.device }, UnitTraits.devices), (all.map { $0.country }, UnitTraits.countries),
      (all.map { $0.plan }, UnitTraits.plans), (all.map { $0.interest }, UnitTraits.interests),
    ]
    for (indices, shares) in drawn {
      #expect(shares.map { $0.percent }.reduce(0, +) == 100)
      for (index, share) in shares.enumerated() {
        let p = Double(share.percent) / 100
        let found = Double(indices.count { Int($0) == index }) / Double(count)
        #expect(abs(found - p) < 4.5 * (p * (1 - p) / Double(count)).squareRoot(), "\(share)")
      }
    }
    #expect(all.allSatisfy { (18...80).contains($0.age) && $0.activity <= 1 })
  }

  @Test("only the units of the window return, preferably recent ones")
  func window() {
    var generator = Xoshiro256(seed: 6)
    var units = StorefrontUnits()
    let arrivals = StorefrontUnits.window + 1_000
    for number in 1...arrivals {
      let position = units.arrive(using: &generator)
      #expect(units.recent[position].number == number)
    }
    var recent = 0
    for _ in 0..<2_000 {
      let number = units.recent[units.comeBack(using: &generator)].number
      #expect(number > 1_000 && number <= arrivals)
      if number > arrivals - StorefrontUnits.window / 4 { recent += 1 }
    }
    #expect(recent > 800)
    #expect(MemoryLayout<StorefrontUnit>.stride <= 136)
  }
}
