import Foundation
import Prediction
import Specifications
import TestSupport
import Testing

@Suite("What units learn from each other")
struct PooledQualityTests {
  /// The share of takes that were the most likely option, of units of which each takes a few.
  private func hits<P: OptionPredictor>(
    _ predictor: P, units: Int, takes: Int, seed: UInt64,
    _ world: (inout SeededGenerator, _ last: Int?) -> (option: Int, features: [Feature])
  ) -> Double {
    var generator = SeededGenerator(seed: seed)
    var (pool, hits) = (predictor.emptyPool, 0)
    for _ in 0..<units {
      var learning = predictor.beginning
      learning.apply(.define(takes: [0, 0, 0, 0], encounters: 0), at: 0)
      var last: Int?
      for _ in 0..<takes {
        let (option, features) = world(&generator, last)
        let situation = Situation(time: nil, options: [10, 11, 12, 13], features: features)
        var confidences: [Double] = []
        let isBlind = learning.forecast(into: &confidences, in: situation, pool: pool)
        let forecast = Forecast(confidences: confidences, isBlind: isBlind)
        if forecast.mostLikely == option { hits += 1 }
        learning.take(option, in: situation, pool: &pool)
        last = option
      }
    }
    return Double(hits) / Double(units * takes)
  }

  @Test("a habit of all: a unit of which little is known borrows it", arguments: 1...3)
  func habit(seed: Int) throws {
    func world(_ generator: inout SeededGenerator, _ last: Int?) -> (Int, [Feature]) {
      (generator.chance(0.7) ? 2 : generator.index(4), [])
    }
    let seed = UInt64(seed)
    let alone = hits(Beauchamp(), units: 200, takes: 4, seed: seed, world)
    #expect(alone < 0.6)
    for text in ["popular", "pooled", "pooled:base=(markov:order=1),context=1"] {
      let together: Double
      switch text {
      case "popular":
        together = hits(MostPopular(), units: 200, takes: 4, seed: seed, world)
      default:
        let pooled = try Pooled(Specification(parsing: text))
        together = hits(pooled, units: 200, takes: 4, seed: seed, world)
      }
      #expect(together > 0.7, "\(text)")
    }
    #expect(hits(Logistic(), units: 200, takes: 4, seed: seed, world) > 0.7)
  }

  @Test("a way of all: contexts that all units share find it", arguments: 1...3)
  func way(seed: Int) throws {
    func world(_ generator: inout SeededGenerator, _ last: Int?) -> (Int, [Feature]) {
      (generator.chance(0.9) ? ((last ?? -1) + 1) % 4 : generator.index(4), [])
    }
    let base = try Predictor.markov(order: 1)
    let pooled = try Pooled { ($0.base, $0.context) = (base, 1) }
    let seed = UInt64(seed)
    #expect(hits(pooled, units: 200, takes: 5, seed: seed, world) > 0.88)
    #expect(hits(try Markov { $0.order = 1 }, units: 200, takes: 5, seed: seed, world) < 0.5)
    #expect(hits(Logistic(), units: 200, takes: 5, seed: seed, world) > 0.85)
  }

  @Test("data points, texts and numbers of any size, predict takes", arguments: 1...3)
  func features(seed: Int) throws {
    for size in [1, 1e-3, 1e6] {
      let found = hits(try Logistic { $0.rate = 0.3 }, units: 300, takes: 4, seed: UInt64(seed)) {
        generator, _ in
        let country = generator.index(2)
        let age = Double(generator.index(200) - 100) * size
        let features = [
          Feature(kind: "custom", key: "country", text: "\(country)"),
          Feature(kind: "custom", key: "age", number: age),
        ]
        return (country * 2 + (age > 0 ? 1 : 0), features.sorted { $0.code < $1.code })
      }
      #expect(found > 0.8, "size \(size)")
    }
  }

  @Test("the takes of all units are weighted by the strength")
  func shrinkage() throws {
    let predictor = Pooled()
    var (one, other, pool) = (predictor.beginning, predictor.beginning, predictor.emptyPool)
    let situation = Situation(time: 0, options: [10, 11])
    one.apply(.define(takes: [0, 0], encounters: 0), at: 0)
    other.apply(.define(takes: [0, 0], encounters: 0), at: 0)
    for option in [0, 0, 1, 0] { one.take(option, in: situation, pool: &pool) }
    other.take(1, in: situation, pool: &pool)
    var confidences: [Double] = []
    #expect(!other.forecast(into: &confidences, in: situation, pool: pool))
    let expected = [(0 + 5 * 4.0 / 7) / 6, (1 + 5 * 3.0 / 7) / 6]
    #expect(zip(confidences, expected).allSatisfy { abs($0 - $1) < 1e-15 }, "\(confidences)")
  }

  @Test("however much is met, the weights stay in their slots")
  func bounded() throws {
    let predictor = try Logistic { $0.bits = 4 }
    var (learning, pool) = (predictor.beginning, predictor.emptyPool)
    for number in 0..<2000 as Range<UInt64> {
      learning.apply(.define(takes: [0, 0], encounters: 0), at: nil)
      let situation = Situation(
        time: nil, options: [number * 977, number * 1009 + 1],
        features: [Feature(code: number &* 0x9E37_79B9_7F4A_7C15, value: Double(number))])
      learning.take(1, in: situation, pool: &pool)
    }
    struct Slots: Decodable {
      let slots: [UInt32]
      let scaled: [UInt32]
    }
    let slots = try JSONDecoder().decode(Slots.self, from: JSONEncoder().encode(pool))
    #expect(slots.slots == Array(0..<16) && slots.scaled == Array(0..<16))
  }

  @Test(
    "what was learned is refused when it is damaged",
    arguments: [
      ("popular", #""smoothing":1"#, #""smoothing":2"#), ("popular", #""pool":[10,"#, #""pool":["#),
      ("popular", #""pool":[10,1"#, #""pool":[10,0"#),
      ("pooled", #""strength":5"#, #""strength":6"#), ("pooled", #""context":0"#, #""context":1"#),
      ("pooled", #""base":[{"predictor":"beauchamp"}]"#, #""base":[{"predictor":"last"}]"#),
      ("pooled", #""takes":[1,0]},"pred"#, #""takes":[1]},"pred"#),
      ("logistic", #""rate":0.1"#, #""rate":0.2"#), ("logistic", #""bits":18"#, #""bits":17"#),
      ("logistic", #""squares":["#, #""squares":[0,"#),
      ("logistic", #""slots":["#, #""slots":[262144,"#),
      ("mixture", #""rate":1"#, #""rate":2"#),
      ("mixture", #""logWeights":["#, #""logWeights":[0,"#),
      ("mixture", #""logWeights":["#, #""logWeights":[1],"logs":["#),
      ("mixture", #"{"predictor":"uniform"}"#, #"{"predictor":"last"}"#),
    ])
  func damaged(name: String, from: String, to: String) throws {
    let text = name == "mixture" ? "mixture:experts=(uniform);(popular)" : name
    var learning = try Predictors.named(text).beginning
    learning.apply(.define(takes: [0, 0], encounters: 0), at: 0)
    learning.take(0, in: Situation(time: 1, options: [10, 11]))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let json = String(decoding: try encoder.encode(learning), as: UTF8.self)
    #expect(try JSONDecoder().decode(Predictor.Learning.self, from: Data(json.utf8)) == learning)
    try #require(json.contains(from), "\(json)")
    let damaged = json.replacingOccurrences(of: from, with: to)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Predictor.Learning.self, from: Data(damaged.utf8))
    }
  }
}
