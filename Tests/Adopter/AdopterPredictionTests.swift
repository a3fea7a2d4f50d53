import Deciding
import EventLog
import Events
import Foundation
import Prediction
import Replay
import Specifications
import TestSupport
import Testing

/// A predictor of another package, which sees the public interface only.
@Suite("A predictor of one's own")
struct AdopterPredictionTests {
  private let predictors = PredictorCatalog.standard.adding(Cycle.self)

  @Test("it predicts a study live, and is scored on the log of it beside built-in ones")
  func studied() throws {
    let sink = MemorySink()
    let studies = Studies(
      unit: "u", surroundings: Surroundings(sink: sink), predictor: Predictor(Cycle()))
    try studies.define(Study(description: "tabs", optionDescriptions: ["a", "b", "c"]))
    for step in 0..<60 {
      let option = ["a", "b", "c"][step % 3]
      try studies.recordOptionTaken(withDescription: option, in: "tabs")
    }
    let best = try studies.mostLikelyPrediction(in: "tabs")
    #expect(best?.option.description == "a" && best?.confidence == 0.9)

    let folder = try TemporaryFolder()
    let writer = try LogWriter(folder.path("taps.log"))
    var record = EventRecord()
    for event in sink.events {
      try record.load(event)
      try writer.append(record)
    }
    try writer.commit()
    let names = [
      "cycle:trust=0.8", "mixture:experts=(cycle);(last)", "pooled:base=(cycle:trust=1)", "markov",
    ]
    var rules = PredictionRules(predictors: try names.map { try predictors.named($0) })
    rules.baselines = []
    let result = try LogReplay(LogReader(folder.path("taps.log"))).predictions(
      UnitSelection(), rules)
    let hits = result.predictors.map { $0.tallies.scores(study: 0)?.hits }
    #expect(result.predictors.first?.tallies.scores(study: 0)?.events == 60)
    // What all did is the first option's alone, when the second is first taken; and `markov` has seen nothing then.
    #expect(hits == [60, 60, 59, 58] as [Int?], "\(hits)")
  }

  @Test("it is made typed or by its name, with the same errors, also within others")
  func named() throws {
    #expect(try predictors.named("cycle:trust=0.7") == Predictor(try Cycle { $0.trust = 0.7 }))
    #expect(predictors.all.contains { $0.parameters.first?.meaning.hasSuffix("0.5 to 1") == true })
    let typed = #expect(throws: SpecificationError.self) { try Cycle { $0.trust = 2 } }
    let text = #expect(throws: SpecificationError.self) { try predictors.named("cycle:trust=2") }
    #expect(typed == text && typed?.description.contains("trust=2") == true)
    let typing = #expect(throws: SpecificationError.self) { try predictors.named("cyle") }
    #expect(typing?.description.contains("did you mean \"cycle\"?") == true)
    #expect(throws: SpecificationError.self) { try Predictors.named("cycle") }
    #expect(throws: SpecificationError.self) { try predictors.named("pooled:base=(cycle:x=1)") }

    let cycle = Predictor(try Cycle { $0.trust = 0.7 })
    let mixture = try Mixture { $0.experts = [cycle, .last] }
    let within = try predictors.named("mixture:experts=(cycle:trust=0.7);(last)")
    #expect(Predictor(mixture) == within)
    #expect(Predictor(try Pooled { $0.base = within }).description.contains("(cycle:trust=0.7)"))
  }

  @Test("studies are restored from a snapshot where the catalog is given")
  func restored() throws {
    let surroundings = Surroundings(sink: MemorySink())
    let predictor = try predictors.named("mixture:experts=(cycle:trust=0.8);(last)")
    let studies = Studies(unit: "u", surroundings: surroundings, predictor: predictor)
    try studies.define(Study(description: "tabs", optionDescriptions: ["a", "b", "c"]))
    for option in ["a", "b", "a", "b"] {
      try studies.recordOptionTaken(withDescription: option, in: "tabs")
    }
    for isSkipping in [false, true] {
      let restored = try Studies(
        unit: "u", surroundings: surroundings, predictor: predictor,
        restoring: studies.snapshot(), catalog: predictors, skippingInvalid: isSkipping)
      #expect(restored.all == studies.all && restored.leftOut.isEmpty)
      #expect(restored.snapshot() == studies.snapshot())
    }
    let error = #expect(throws: StudyError.self) {
      try Studies(
        unit: "u", surroundings: surroundings, predictor: predictor,
        restoring: studies.snapshot())
    }
    #expect(error?.description.contains("unknown predictor \"cycle\"") == true)
  }

  @Test("what it learned is written, and read again where the catalog is given")
  func coded() throws {
    let key = try #require(PredictorCatalog.userInfoKey)
    for name in ["cycle", "mixture:experts=(cycle);(popular)"] {
      var learning = try predictors.named(name).beginning
      learning.apply(.define(takes: [0, 0], encounters: 0), at: nil)
      learning.take(1, at: 5)
      let data = try JSONEncoder().encode(learning)
      let decoder = JSONDecoder()
      #expect(throws: DecodingError.self) {
        try decoder.decode(Predictor.Learning.self, from: data)
      }
      decoder.userInfo[key] = predictors
      #expect(try decoder.decode(Predictor.Learning.self, from: data) == learning)
    }
  }
}
