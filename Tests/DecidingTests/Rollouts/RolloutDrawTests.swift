import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingRollouts

@Suite("Draws and movers of rollouts")
struct RolloutDrawTests {
  /// The chi-square statistic of 4 degrees of freedom that a fair draw exceeds once in a million times.
  private let bound = 33.4

  private func chiSquare(_ numbers: RolloutNumbers, _ seed: UInt64) throws -> Double {
    let weights: [Double] = [1, 0, 2.5, 40, 6.5]
    let configuration = RolloutConfiguration([
      RolloutExperiment(
        "E",
        variants: weights.enumerated().map {
          .init(VariantID("\($0.offset)"), weight: $0.element)
        })
    ])
    var generator = SeededGenerator(seed: seed)
    var counts: [VariantID: Int] = [:]
    let n = 5_000
    for unit in 0..<(n / 10) {
      let world = ManualWorld(random: generator)
      for trial in 0..<10 {
        let rollouts = Rollouts(
          unit: "u\(seed)-\(unit)-\(trial)",
          surroundings: Surroundings(
            time: world.time, random: generator, ids: CountingIDs(), sink: MemorySink()),
          numbers: numbers)
        try rollouts.setup(configuration)
        let variant = try #require(rollouts.result(experiment: "E", default: "D").variant)
        counts[variant, default: 0] += 1
        _ = generator.next()
      }
    }
    #expect(counts["1"] == nil)
    return weights.enumerated().filter { $0.element > 0 }.reduce(0) { sum, weight in
      let expected = Double(n) * weight.element / 50
      let count = Double(counts[VariantID("\(weight.offset)")] ?? 0)
      return sum + (count - expected) * (count - expected) / expected
    }
  }

  @Test("draws and hashes follow the weights", arguments: [1, 2] as [UInt64])
  func distribution(seed: UInt64) throws {
    #expect(try chiSquare(.drawn, seed) < bound)
    #expect(try chiSquare(.hashed(salt: "s"), seed) < bound)
  }

  @Test("hashed numbers are the same on every device and take nothing from the generator")
  func hashed() throws {
    var numbers: Set<Double> = []
    for seed in 0..<5 as Range<UInt64> {
      let world = ManualWorld(seed: seed)
      let rollouts = Rollouts(
        unit: "u", surroundings: world.surroundings, numbers: .hashed(salt: "s"))
      try rollouts.setup(.init([exp(["A": 1, "B": 1])]))
      let result = rollouts.result(experiment: "Exp01", default: "D")
      numbers.insert(try #require(result.number))
      #expect(result.reason == .hash && rollouts.state == rebuilt(world))
    }
    let fraction = UnitHash("u", "Exp01", "s").fraction
    #expect(numbers == [((fraction * 1_000_000).rounded(.down) + 1) / 1_000_000])
  }

  @Test("those who have the first variant keep it as only its weight grows")
  func ramp() throws {
    for seed in 0..<200 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let world = ManualWorld(seed: seed)
      let rollouts = Rollouts(unit: "u", surroundings: world.surroundings)
      var (first, wasIn) = (0.0, false)
      for _ in 0..<8 {
        first += Double.random(in: 0..<20, using: &generator)
        try rollouts.setup(.init([exp(["on": first, "x": 30, "off": 50])]))
        let isIn = rollouts.variant(experiment: "Exp01", default: "D") == "Exp01_on"
        #expect(isIn || !wasIn, "seed \(seed)")
        wasIn = isIn
      }
    }
  }

  @Test("movers are counted exactly, as by enumerating every number")
  func movers() throws {
    for seed in 0..<4 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      func random() -> [Double] { (0..<4).map { _ in Double(generator.index(5)) / 3 } }
      let (old, new) = (random(), random())
      let (before, after) = (RolloutWalk(old), RolloutWalk(new))
      let moved = (1...1_000_000).count { millionths in
        let number = Double(millionths) / 1_000_000
        return before.index(of: number) != after.index(of: number)
      }
      func configuration(_ weights: [Double], _ isSticky: Bool) -> RolloutConfiguration {
        .init([
          RolloutExperiment(
            "E",
            variants: weights.enumerated().map {
              .init(VariantID("\($0.offset)"), weight: $0.element)
            }, isSticky: isSticky)
        ])
      }
      let shares = Rollouts.movers(from: configuration(old, true), to: configuration(new, false))
      #expect(shares == ["E": Double(moved) / 1_000_000], "seed \(seed)")
      let sticky = Rollouts.movers(from: configuration(old, false), to: configuration(new, true))
      #expect(sticky["E"] == (before.propensities == nil && after.propensities != nil ? 1 : 0))
      #expect(Rollouts.movers(from: nil, to: configuration([1], true)) == ["E": 1])
    }
  }
}
