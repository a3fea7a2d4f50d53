import Foundation
import Prediction
import Specifications
import Statistics
import TestSupport
import Testing

/// What stands in the files of a folder of this package, by their paths in it.
private func texts(_ folder: String) throws -> [(path: String, text: String)] {
  let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path
  let names = FileManager.default.enumerator(atPath: "\(root)/\(folder)")?.allObjects ?? []
  return try names.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted().map {
    ($0, try String(contentsOfFile: "\(root)/\(folder)/\($0)", encoding: .utf8))
  }
}

@Suite("The list of predictors")
struct PredictorCatalogTests {
  @Test("every predictor that there is a file of is listed, each once")
  func listed() throws {
    let files = try texts("Sources/Prediction/Predictors")
    let guides = files.flatMap { _, text in
      text.matches(
        of:
          /let info(?:: SpecificationInfo)?(?: = SpecificationInfo\(| \{\s*SpecificationInfo\()\s*"([^"]+)"/
      ).map {
        String($0.1)
      }
    }
    #expect(guides.sorted() == Predictors.all.map(\.name))
    #expect(Predictors.all.count >= 10)
    for file in files where !file.path.contains("+") {
      #expect(
        file.text.contains(/OptionPredictor \{/)
          && file.text.contains("extension Predictor {"),
        "\(file.path) has no predictor, or no short name for it")
    }
  }

  @Test("each has a summary, parameters and a citation")
  func documented() {
    for info in Predictors.all {
      #expect(!info.summary.isEmpty && !info.source.isEmpty, "\(info.name)")
      #expect(!info.summary.hasSuffix(".") && !info.summary.contains("\n"), "\(info.name)")
      for parameter in info.parameters {
        #expect(!parameter.key.isEmpty && !parameter.meaning.isEmpty, "\(info.name)")
        #expect(
          parameter.standard != nil || parameter.meaning.contains("without it"),
          "\(info.name) does not say what it does without \(parameter.key)")
      }
    }
  }

  @Test("the example of each runs, and names it")
  func examples() throws {
    for info in Predictors.all {
      let predictor = try Predictors.named(info.example)
      #expect(predictor.specification.name == info.name)
      var learning = predictor.beginning
      learning.apply(.define(takes: [1, 2], encounters: 3), at: nil)
      #expect(learning.isSound && learning.optionCount == 2)
    }
  }

  @Test("each of them is named in a test of its own")
  func covered() throws {
    let tests = try texts("Tests/PredictionTests")
      .filter { !$0.path.hasSuffix("PredictorCatalogTests.swift") }.map(\.text).joined()
    for info in Predictors.all {
      let name = NSRegularExpression.escapedPattern(for: info.name)
      #expect(
        tests.range(of: "[\"(]\(name)[\":,)]", options: .regularExpression) != nil,
        "no test names \(info.name)")
    }
  }

  @Test("each of them learns the same from the same, and stays sound", arguments: 0..<8)
  func random(chunk: Int) throws {
    for info in Predictors.all {
      for seed in chunk * 6..<chunk * 6 + 6 { try check(info.name, seed: UInt64(seed)) }
    }
  }

  private func check(_ name: String, seed: UInt64) throws {
    let predictor = try Predictors.named(name)
    var generator = SeededGenerator(seed: seed)
    var units = [(state: UnitState(), features: [Feature]())]
    var (first, second) = (predictor.beginning, predictor.beginning)
    var time: Int64 = 1_700_000_000_000_000
    for _ in 0..<40 {
      let encounters = units[0].state.history.encounters
      let step = generator.unitStep(&units, at: &time)
      let situation = Situation(time: time, options: step.codes, features: step.features)
      var none = NoPool()
      first.learn(step.step, encounters: encounters, in: situation, pool: &none)
      second.learn(step.step, encounters: encounters, in: situation, pool: &none)
      let moment = Situation(
        time: time, options: units[0].state.codes, features: units[0].features)
      let forecast = first.forecast(in: moment)
      let comment: Comment = "\(name), seed \(seed)"
      #expect(forecast.confidences.count == units[0].state.codes.count, comment)
      #expect(forecast.confidences.allSatisfy { $0 >= 0 && $0 <= 1 }, comment)
      #expect(forecast == second.forecast(in: moment) && first.isSound, comment)
      if generator.chance(0.05) {
        let data = try JSONEncoder().encode(first)
        let again = try JSONDecoder().decode(Predictor.Learning.self, from: data)
        #expect(again == first, comment)
        first = again
      }
    }
    #expect(first == second, "\(name), seed \(seed)")
  }

  @Test("odd input changes nothing of a unit and traps nowhere")
  func odd() throws {
    for info in Predictors.all {
      let predictor = try Predictors.named(info.name)
      let common = predictor.beginning.common
      var learning = predictor.beginning
      learning.encounter(at: 3)
      learning.take(0, at: nil)
      learning.apply(.remove(0), at: nil)
      learning.apply(.revise(-1, takes: 1, encounters: 1), at: 1)
      #expect(learning == predictor.beginning, "\(info.name)")
      learning.apply(.define(takes: [.max, -5, 0, .max], encounters: .max), at: .min)
      learning.take(0, at: .max)
      learning.take(2, at: .max)
      learning.apply(.raise(by: .max), at: .min)
      learning.apply(.add(takes: .min, encounters: .min), at: nil)
      let features = [Double.nan, -.infinity, 1e308, -1e308, .leastNonzeroMagnitude].enumerated()
        .map {
          Feature(code: UInt64($0), value: $1)
        }
      // Codes that are missing, too many, or the same.
      for options in [[], [7], [3, 3, 3, 3, 3], [1, 2, 3, 4, 5, 6, 7]] as [[UInt64]] {
        for option in [-1, 5, 0, 1, 4, Int.min, .max] {
          let situation = Situation(time: .min, options: options, features: features)
          learning.take(option, in: situation)
          let forecast = learning.forecast(in: situation)
          #expect(forecast.confidences.count == 5, "\(info.name)")
          #expect(
            forecast.confidences.allSatisfy { $0 >= 0 && $0 <= 1 },
            "\(info.name) \(forecast.confidences)")
        }
      }
      for _ in 0..<5 { learning.apply(.remove(0), at: nil) }
      #expect(learning.forecast(at: 0).confidences.isEmpty, "\(info.name)")
      learning.common = common
      #expect(learning == predictor.beginning, "\(info.name)")
    }
  }

  @Test("a pool is accepted only from the same predictor")
  func common() throws {
    let (popular, smooth) = (try Predictor.popular(), try Predictor.popular(smoothing: 3))
    for predictor in [popular, try .pooled(), try .logistic(), try .mixture([popular])] {
      var (one, other) = (predictor.beginning, predictor.beginning)
      let situation = Situation(time: 1, options: [10, 11, 12])
      for _ in 0..<5 {
        one.apply(.define(takes: [0, 0, 0], encounters: 0), at: 0)
        one.take(1, in: situation)
      }
      other.apply(.define(takes: [0, 0, 0], encounters: 0), at: 0)
      #expect(other.forecast(in: situation).isBlind, "\(predictor)")
      other.common = NoPool()
      other.common = try Predictors.named("logistic:bits=5").beginning.common
      other.common = try Predictor.mixture([smooth]).beginning.common
      #expect(other.forecast(in: situation).isBlind, "\(predictor)")
      other.common = one.common
      let forecast = other.forecast(in: situation)
      #expect(!forecast.isBlind && forecast.mostLikely == 1, "\(predictor)")
    }
  }
}
