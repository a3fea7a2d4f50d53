import Prediction
import TestSupport
import Testing

/// Each take is predicted from what came before it: how often the most likely option was the one.
@Suite("Predictors find what there is to find")
struct PredictorQualityTests {
  private func hits(_ name: String, _ takes: [Int], everyDays days: Double = 1) throws -> Double {
    var learning = try Predictors.named(name).beginning
    learning.define(takes: [0, 0, 0, 0], encounters: 0, at: 0)
    var hits = 0
    for (number, take) in takes.enumerated() {
      let time = Int64(Double(number) * days * 86_400e6)
      if learning.forecast(at: time).mostLikely == take { hits += 1 }
      learning.take(take, at: time)
    }
    return Double(hits) / Double(takes.count)
  }

  @Test("a habit: counting finds the option that is taken most", arguments: [1, 2, 3] as [UInt64])
  func habit(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let takes = (0..<2000).map { _ in generator.chance(0.7) ? 2 : generator.index(4) }
    let best = Double(takes.count { $0 == 2 }) / 2000
    for name in ["beauchamp", "half-life:days=50", "markov:order=0", "ppm:order=0"] {
      #expect(abs(try hits(name, takes) - best) < 0.02, "\(name)")
    }
    #expect(try hits("uniform", takes) < 0.3)
  }

  @Test("a way: contexts find what follows what", arguments: [1, 2, 3] as [UInt64])
  func way(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var takes = [0]
    while takes.count < 2000 {
      takes.append(generator.chance(0.9) ? (takes[takes.count - 1] + 1) % 4 : generator.index(4))
    }
    for name in ["markov:order=1", "markov:order=2", "ppm:order=1", "ppm:order=3"] {
      #expect(try hits(name, takes) > 0.88, "\(name)")
    }
    for name in ["beauchamp", "last"] { #expect(try hits(name, takes) < 0.4, "\(name)") }
  }

  @Test("a habit that changes: what fades follows it sooner", arguments: [1, 2, 3] as [UInt64])
  func change(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let takes = (0..<2000).map { number in
      generator.chance(0.8) ? number / 200 % 4 : generator.index(4)
    }
    let fading = try hits("half-life:days=5", takes)
    #expect(fading > 0.78)
    #expect(fading > (try hits("beauchamp", takes)) + 0.2)
  }
}
