import DecidingCore
import Events
import Prediction
import TestSupport
import Testing

@testable import DecidingStudies

@Suite("Studies: what is known of the unit, and of all units")
struct StudiesPoolTests {
  @Test("data points tell a predictor what the unit will take, live and replayed")
  func dataPoints() throws {
    let world = ManualWorld()
    let studies = try world.studies("A", "B", "C", by: try .logistic(rate: 0.5))
    var generator = SeededGenerator(seed: 1)
    for number in 0..<120 {
      let isHome = generator.chance(0.5)
      try studies.recordDataPoint(kind: "custom", key: "place", value: isHome ? "home" : "work")
      try studies.recordDataPoint(kind: "custom", key: "battery", value: .number(Double(number)))
      try studies.recordOptionTaken(withDescription: isHome ? "C" : "B", in: "s")
    }
    for front in [studies, world.replayed(studies.predictor)] {
      for (place, option) in [("home", "C"), ("work", "B")] {
        try front.recordDataPoint(kind: "custom", key: "place", value: .text(place))
        let best = try #require(try front.mostLikelyPrediction(in: "s"))
        #expect(best.option.description == option && best.confidence > 0.6)
        #expect(try front.suggestion(in: "s").prediction == best)
        let value = try #require(front["s"])
        #expect(value.features.count == 2)
        #expect(value.mostLikelyPrediction(at: world.time.now) == best)
      }
    }
    let restored = try Studies(
      unit: "u", surroundings: world.surroundings, predictor: studies.predictor,
      restoring: studies.snapshot())
    #expect(restored.state == studies.state && restored.snapshot() == studies.snapshot())
  }

  @Test("a data point that says what was taken is refused as one that does not")
  func reserved() throws {
    let world = ManualWorld()
    let studies = try world.studies("A")
    for kind in ["optionTaken", "optionEncountered"] {
      #expect(throws: StudyError.reservedKind(kind)) {
        try studies.recordDataPoint(kind: kind, key: "s", value: "A")
      }
    }
    world.sink.refuse(true)
    #expect {
      try studies.recordDataPoint(kind: "custom")
    } throws: {
      MoodySink.isRefusal($0)
    }
    #expect(world.events.count == 1 && studies["s"]?.features == [])
  }

  @Test(
    "what all units of a log do is known once it is shared",
    arguments: [
      "popular", "pooled:base=(markov:order=1),context=1", "logistic",
      "mixture:experts=(beauchamp);(popular)",
    ])
  func shared(text: String) throws {
    let predictor = try Predictors.named(text)
    let pool = try #require(Self.learned(by: predictor))
    let world = ManualWorld()
    let studies = try world.studies("A", "B", "C", by: predictor)
    #expect(try studies.mostLikelyPrediction(in: "s")?.option.description == "A")
    #expect(!studies.share(pool, in: "t") && !studies.share(NoPool(), in: "s"))
    #expect(studies.share(pool, in: "s"))
    let best = try #require(try studies.mostLikelyPrediction(in: "s"))
    #expect(best.option.description == "C" && best.reason == .counts)
    // It stays with the study when that is defined anew, or restored.
    try studies.setOptions(withDescriptions: ["B", "C"], in: "s")
    #expect(try studies.mostLikelyPrediction(in: "s")?.option.description == "C")
    let restored = try Studies(
      unit: "u", surroundings: world.surroundings, predictor: predictor,
      restoring: studies.snapshot())
    #expect(restored.state == studies.state)
    #expect(try restored.mostLikelyPrediction(in: "s")?.option.description == "C")
    // The front learns from there on.
    try studies.recordOptionTaken(withDescription: "B", in: "s")
    let common = try #require(studies.common(in: "s"))
    #expect(predictor.takes(common) && studies.common(in: "t") == nil)
  }

  /// What three units have in common that take C, as a log's evaluation learns it.
  private static func learned(by predictor: Predictor) -> (any OptionPool)? {
    let catalog = StudyCatalog(studies: ["s"], options: [(0, "A"), (0, "B"), (0, "C")])
    let evaluation = predictor.evaluation(EvaluationPlan(catalog: catalog))
    var tables = StudyTables()
    var table = OptionTable<UInt32>()
    for option in 0..<3 as Range<UInt32> { table.append(option) }
    tables.options = [table]
    var steps = (0..<3).map { StudyStep(.define, time: 0, run: UInt32($0)) }
    for number in 0..<30 {
      let run = UInt32(number % 3)
      steps.append(StudyStep(.take, time: Int64(number), run: run, place: 2, option: 2))
    }
    evaluation.apply(steps.span, tables)
    for run in 0..<3 { _ = evaluation.close(run) }
    return evaluation.pool(0)
  }
}
