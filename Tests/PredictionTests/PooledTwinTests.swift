import Foundation
import Prediction
import Specifications
import TestSupport
import Testing

@Suite("Predictors by which units learn from each other know what the whole log says")
struct PooledTwinTests {
  @Test("popular", arguments: 0..<10)
  func popular(chunk: Int) throws {
    for text in ["popular", "popular:smoothing=0", "popular:smoothing=0.5"] {
      for seed in chunk * 20..<chunk * 20 + 20 {
        try check(MostPopular(Specification(parsing: text)), seed: UInt64(seed), steps: 40)
      }
    }
  }

  @Test("pooled", arguments: 0..<10)
  func pooled(chunk: Int) throws {
    let texts = [
      "pooled", "pooled:base=(markov:order=1),context=1",
      "pooled:base=(ppm),context=2,strength=0.5",
      "pooled:base=(popular),strength=2", "pooled:base=(half-life:days=1)", "pooled:base=(last)",
      "pooled:base=(pooled:base=(beauchamp),context=1,strength=2),strength=1",
    ]
    for (number, text) in texts.enumerated() {
      for seed in chunk * 15..<chunk * 15 + 15 {
        let seed = UInt64(seed + number * 1000)
        try check(Pooled(Specification(parsing: text)), seed: seed, steps: 40)
      }
    }
  }

  @Test("logistic", arguments: 0..<10)
  func logistic(chunk: Int) throws {
    // With so many slots none of the few things here share one.
    for text in ["logistic:bits=24", "logistic:bits=24,rate=1,l2=0.1", "logistic:bits=24,l2=0"] {
      for seed in chunk * 15..<chunk * 15 + 15 {
        try check(Logistic(Specification(parsing: text)), seed: UInt64(seed), steps: 40)
      }
    }
  }

  @Test("mixture", arguments: 0..<10)
  func mixture(chunk: Int) throws {
    let texts = [
      "mixture:experts=(beauchamp);(markov:order=1);(ppm:order=2)",
      "mixture:experts=(last);(popular);(half-life:days=2),rate=0.5,share=0.1",
      "mixture:experts=(pooled);(uniform),floor=0.1",
      "mixture:experts=(mixture:experts=(last);(beauchamp),share=1);(popular:smoothing=0),rate=2",
      "mixture:experts=(logistic:bits=24);(beauchamp),rate=0",
    ]
    for (number, text) in texts.enumerated() {
      for seed in chunk * 6..<chunk * 6 + 6 {
        let seed = UInt64(seed + number * 1000)
        try check(Mixture(Specification(parsing: text)), seed: seed, steps: 16)
      }
    }
  }

  private func check<P: OptionPredictor>(_ predictor: P, seed: UInt64, steps: Int) throws {
    var generator = SeededGenerator(seed: seed)
    var units = (0...generator.index(4)).map { _ in (state: UnitState(), features: [Feature]()) }
    var learnings = units.map { _ in predictor.beginning }
    var pool = predictor.emptyPool
    var history = PooledHistory()
    var time: Int64 = 1_700_000_000_000_000
    for number in 0..<generator.index(steps) {
      let before = units.map(\.state.history.encounters)
      let step = generator.unitStep(&units, at: &time)
      let situation = Situation(time: time, options: step.codes, features: step.features)
      learnings[step.unit].learn(
        step.step, encounters: before[step.unit], in: situation, pool: &pool)
      history.steps.append(step)
      guard generator.chance(0.15) else { continue }
      let unit = generator.index(units.count)
      let moment = Situation(
        time: time, options: units[unit].state.codes, features: units[unit].features)
      var confidences = [9.0, .nan]
      let isBlind = learnings[unit].forecast(into: &confidences, in: moment, pool: pool)
      let expected = try history.forecast(predictor.specification, unit, in: moment)
      let comment: Comment = "\(predictor.specification), seed \(seed), step \(number)"
      #expect(isBlind == expected.isBlind, comment)
      #expect(confidences.count == expected.confidences.count, comment)
      for (a, b) in zip(confidences, expected.confidences) {
        #expect(abs(a - b) <= 1e-9 && a >= 0 && a <= 1, "\(comment): \(a), not \(b)")
      }
      if !confidences.isEmpty {
        #expect(abs(confidences.reduce(0, +) - 1) < 1e-12, comment)
      }
      #expect(predictor.fits(learnings[unit]) && predictor.fits(pool), comment)
      if generator.chance(0.2) {
        (learnings[unit], pool) = (try reread(learnings[unit]), try reread(pool))
      }
    }
  }

  /// What was learned, written and read again.
  private func reread<Value: Codable & Equatable>(_ value: Value) throws -> Value {
    let data = try JSONEncoder().encode([value])
    let again = try JSONDecoder().decode([Value].self, from: data)
    #expect(again == [value])
    return again.first ?? value
  }
}
