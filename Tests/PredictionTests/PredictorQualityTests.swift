import Foundation
import Prediction
import TestSupport
import Testing

/// Each take is predicted from what came before it: how often the most likely option was the one.
@Suite("Predictors find what there is to find")
struct PredictorQualityTests {
  private func hits(_ name: String, _ takes: [Int], everyDays days: Double = 1) throws -> Double {
    var learning = try Predictors.named(name).beginning
    learning.apply(.define(takes: [0, 0, 0, 0], encounters: 0), at: 0)
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
    for name in [
      "beauchamp", "half-life:days=50", "markov:order=0", "ppm:order=0", "recency:events=200",
      "frequency",
      "frequency:smoothing=0", "ctw:depth=0", "thompson",
    ] {
      #expect(abs(try hits(name, takes) - best) < 0.02, "\(name)")
    }
    #expect(try hits("uniform", takes) < 0.3)
  }

  @Test("a path: contexts learn the followers", arguments: [1, 2, 3] as [UInt64])
  func way(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var takes = [0]
    while takes.count < 2000 {
      takes.append(generator.chance(0.9) ? (takes[takes.count - 1] + 1) % 4 : generator.index(4))
    }
    for name in ["markov:order=1", "markov:order=2", "ppm:order=1", "ppm:order=3", "ctw:depth=3"] {
      #expect(try hits(name, takes) > 0.88, "\(name)")
    }
    for name in ["beauchamp", "frequency", "last"] {
      #expect(try hits(name, takes) < 0.4, "\(name)")
    }
  }

  @Test("a changing habit: exponential decay adapts sooner", arguments: [1, 2, 3] as [UInt64])
  func change(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let takes = (0..<2000).map { number in
      generator.chance(0.8) ? number / 200 % 4 : generator.index(4)
    }
    let fading = try hits("half-life:days=5", takes)
    #expect(fading > 0.78)
    #expect(fading > (try hits("beauchamp", takes)) + 0.2)
  }

  @Test(
    "a burst in which habits change: what fades by takes does not mind the time",
    arguments: [1, 2] as [UInt64])
  func burst(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let takes = (0..<2000).map { number in
      generator.chance(0.8) ? number / 200 % 4 : generator.index(4)
    }
    // All of it within two days.
    let recent = try hits("recency:events=10", takes, everyDays: 0.001)
    #expect(recent > 0.78)
    #expect(recent > (try hits("half-life:days=5", takes, everyDays: 0.001)) + 0.2)
  }

  @Test("habits of the clock: buckets of the calendar find them", arguments: [1, 2] as [UInt64])
  func clock(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    // One take every hour, and another option every six of them.
    let takes = (0..<2000).map { hour in
      generator.chance(0.8) ? hour / 6 % 4 : generator.index(4)
    }
    for name in ["calendar", "calendar:buckets=daypart", "calendar:buckets=hour-weekday"] {
      #expect(try hits(name, takes, everyDays: 1.0 / 24) > 0.75, "\(name)")
    }
    #expect(try hits("calendar:buckets=weekday", takes, everyDays: 1.0 / 24) < 0.5)
    #expect(try hits("frequency", takes, everyDays: 1.0 / 24) < 0.5)
  }

  @Test("context tree weighting finds how long contexts need to be", arguments: [1, 2] as [UInt64])
  func depth(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var takes = [0, 1]
    while takes.count < 3000 {
      let next = (takes[takes.count - 1] + takes[takes.count - 2] + 1) % 4
      takes.append(generator.chance(0.8) ? next : generator.index(4))
    }
    // The entropy of a take: 0.85 for one option and 0.05 for each of three.
    let entropy = -(0.85 * log(0.85) + 0.15 * log(0.05))
    let long = try logLoss("ctw:depth=5", takes)
    #expect(long < entropy + 0.05)
    #expect(long < (try logLoss("ctw:depth=1", takes)) - 0.3)
    #expect(long < (try logLoss("ctw:depth=2", takes)) + 0.02)
  }

  private func logLoss(_ name: String, _ takes: [Int]) throws -> Double {
    var learning = try Predictors.named(name).beginning
    learning.apply(.define(takes: [0, 0, 0, 0], encounters: 0), at: 0)
    var sum = 0.0
    for take in takes {
      sum -= log(learning.forecast(at: 0).confidences[take])
      learning.take(take, at: 0)
    }
    return sum / Double(takes.count)
  }
}
