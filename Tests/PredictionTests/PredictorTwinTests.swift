import Foundation
import Prediction
import Specifications
import TestSupport
import Testing

@Suite("Predictors learn step by step what the whole history says")
struct PredictorTwinTests {
  static let predictors = [
    "beauchamp", "calendar", "calendar:buckets=daypart,offset=-5,strength=0.5",
    "calendar:buckets=hour-weekday,offset=5.75", "calendar:buckets=weekday", "ctw", "ctw:depth=0",
    "ctw:depth=2", "frequency", "frequency:smoothing=0", "frequency:smoothing=0.5", "half-life",
    "half-life:days=0.2", "half-life:days=0.5", "last", "markov", "markov:order=0",
    "markov:order=3", "markov:order=2,smoothing=0.5", "ppm:order=0", "ppm:order=1", "ppm",
    "recency", "recency:events=0.1",
    "thompson", "uniform",
  ]

  /// Those whose confidences are probabilities of all that may be taken.
  static let complete = ["calendar", "ctw", "frequency", "ppm", "thompson", "uniform"]

  @Test("on random histories, at every step", arguments: 0..<30)
  func twins(chunk: Int) throws {
    for seed in (chunk * 150)..<(chunk * 150 + 150) {
      try check(seed: UInt64(seed))
    }
  }

  private func check(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let name = generator.pick(Self.predictors, or: "beauchamp")
    let predictor = try Predictors.named(name)
    var learning = predictor.beginning
    var history = History([])
    var time: Int64 = 1_700_000_000_000_000
    for number in 0..<generator.index(80) {
      let step = generator.step(
        options: history.present.count, encounters: history.encounters, at: &time)
      learning.learn(step, encounters: history.encounters)
      history.append(step)
      guard generator.chance(0.4) else { continue }
      let later = generator.chance(0.8) ? time + Int64(generator.index(10)) * 43_200_000_000 : nil
      let forecast = learning.forecast(at: later)
      let expected = history.forecast(predictor, at: later)
      let comment: Comment = "\(name), seed \(seed), step \(number)"
      #expect(forecast.isBlind == expected.isBlind, comment)
      #expect(forecast.confidences.count == expected.confidences.count, comment)
      for (a, b) in zip(forecast.confidences, expected.confidences) {
        #expect(abs(a - b) <= 1e-9, "\(comment): \(a), not \(b)")
        #expect(a >= 0 && a <= 1, comment)
      }
      if Self.complete.contains(predictor.specification.name), !forecast.confidences.isEmpty {
        #expect(abs(forecast.confidences.reduce(0, +) - 1) < 1e-12, comment)
      }
      #expect(learning.isSound, comment)
      if generator.chance(0.1) { learning = try reread(learning, comment) }
    }
  }

  /// What was learned, written and read again.
  private func reread(_ learning: Predictor.Learning, _ comment: Comment) throws
    -> Predictor.Learning
  {
    let data = try JSONEncoder().encode(learning)
    let again = try JSONDecoder().decode(Predictor.Learning.self, from: data)
    #expect(again == learning, comment)
    return again
  }

  @Test("the buffer of a forecast may hold anything before", arguments: predictors)
  func buffer(name: String) throws {
    var learning = try Predictors.named(name).beginning
    learning.apply(.define(takes: [1, 0, 2], encounters: 4), at: 0)
    learning.take(1, at: 5)
    var buffer = [7.0, 8, 9, 10, .nan]
    let isBlind = learning.forecast(into: &buffer, in: Situation(places: 3, at: 6))
    #expect(learning.forecast(at: 6) == Forecast(confidences: buffer, isBlind: isBlind))
    #expect(buffer.count == 3)
  }

  @Test("odd input changes nothing and traps nowhere", arguments: predictors)
  func odd(name: String) throws {
    var learning = try Predictors.named(name).beginning
    learning.encounter(at: 3)
    learning.take(0, at: nil)
    learning.apply(.remove(0), at: nil)
    learning.apply(.revise(-1, takes: 1, encounters: 1), at: 1)
    #expect(learning == (try Predictors.named(name)).beginning)
    learning.apply(.define(takes: [.max, -5, 0], encounters: .max), at: .min)
    learning.take(0, at: .max)
    learning.take(2, at: .max)
    learning.apply(.raise(by: .max), at: .min)
    learning.apply(.add(takes: .min, encounters: .min), at: nil)
    for option in [-1, 4, Int.min, .max] {
      learning.take(option, at: 0)
      learning.apply(.remove(option), at: nil)
      learning.apply(.revise(option, takes: 1, encounters: 1), at: 0)
    }
    #expect(learning.optionCount == 4)
    for time in [Int64.min, 0, .max] {
      let confidences = learning.forecast(at: time).confidences
      #expect(confidences.count == 4)
      #expect(confidences.allSatisfy { $0 >= 0 && $0 <= 1 }, "\(confidences)")
    }
    for _ in 0..<4 { learning.apply(.remove(0), at: nil) }
    #expect(learning.forecast(at: 0).confidences.isEmpty)
    #expect(learning == (try Predictors.named(name)).beginning)
  }

  @Test("a definition without options is a beginning", arguments: predictors)
  func cleared(name: String) throws {
    var generator = SeededGenerator(seed: 3)
    let beginning = try Predictors.named(name).beginning
    var learning = beginning
    learning.apply(.define(takes: [2, 0, 1], encounters: 4), at: 7)
    for take in 0..<200 { learning.take(generator.index(3), at: Int64(take) * 86_400_000_000) }
    let forecast = learning.forecast(at: nil)
    learning.apply(.define(takes: [], encounters: 0), at: nil)
    #expect(learning == beginning)
    // Nothing of what came before shows when the same memory is used again.
    generator = SeededGenerator(seed: 3)
    learning.apply(.define(takes: [2, 0, 1], encounters: 4), at: 7)
    for take in 0..<200 { learning.take(generator.index(3), at: Int64(take) * 86_400_000_000) }
    #expect(learning.forecast(at: nil) == forecast)
  }

  @Test("memory stays small for many takes of few options")
  func bounded() throws {
    var generator = SeededGenerator(seed: 7)
    var learning = try Markov { $0.order = 2 }.beginning
    learning.apply(.define(takes: [0, 0, 0], encounters: 0), at: nil)
    for _ in 0..<20_000 { learning.take(generator.index(3), at: nil) }
    let early = try JSONEncoder().encode(learning).count
    for _ in 0..<20_000 { learning.take(generator.index(3), at: nil) }
    // 3 + 9 contexts with 3 followers each, whose counts gain a digit at most.
    #expect(try JSONEncoder().encode(learning).count <= early + 40)
  }
}
