import Foundation
import Prediction
import TestSupport
import Testing

@Suite("What is known of a unit")
struct UnitFeaturesTests {
  @Test("is the latest value of each kind and key, ascending by code", arguments: 0..<10)
  func twin(chunk: Int) throws {
    for seed in chunk * 40..<chunk * 40 + 40 {
      var generator = SeededGenerator(seed: UInt64(seed))
      var known = UnitFeatures()
      var latest: [String: Feature] = [:]
      for _ in 0..<generator.index(40) {
        let (kind, key) = (generator.pick(["a", "b"], or: ""), "\(generator.index(4))")
        if generator.chance(0.5) {
          let text = "\(generator.index(3))"
          known.learn(kind: kind, key: key, text: text)
          latest["\(kind) \(key)"] = Feature(code: Feature.code(of: kind, key, text))
        } else {
          let number = generator.pick([1, -2.5, .infinity], or: 0)
          known.learn(kind: kind, key: key, number: number)
          let feature = Feature(code: Feature.code(of: kind, key), value: number)
          latest["\(kind) \(key)"] = number.isFinite ? feature : nil
        }
      }
      #expect(known.features == latest.values.sorted { $0.code < $1.code }, "seed \(seed)")
      let data = try JSONEncoder().encode(known)
      #expect(try JSONDecoder().decode(UnitFeatures.self, from: data) == known, "seed \(seed)")
    }
  }

  @Test("cannot be read when it is damaged")
  func damaged() {
    for json in [#"{"codes":[1],"values":[1]}"#, #"{"codes":[1,2],"values":[]}"#] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(UnitFeatures.self, from: Data(json.utf8))
      }
    }
  }

  @Test("texts that are cut elsewhere have another code")
  func codes() {
    #expect(Feature.code(of: "ab", "c") != Feature.code(of: "a", "bc"))
    #expect(Feature.code(of: "a", "") != Feature.code(of: "a"))
  }
}
