import EventLog
import Events
import Prediction
import Scenarios
import Specifications
import TestSupport
import Testing

@testable import Replay

@Suite("Predictions of a known process")
struct KnownChainTests {
  @Test(
    "on a Markov chain of order 2 the predictor of that order wins, near the entropy rate",
    arguments: [
      // Without smoothing what never followed costs all that it can: only what comes later is near.
      (takes: 30_001, warmUp: 3_000, smoothing: ""),
      (takes: 40_001, warmUp: 0, smoothing: ",smoothing=5"),
    ])
  func order2(takes: Int, warmUp: Int, smoothing: String) throws {
    var generator = try ScenarioCatalog.standard.named("studies:units=2,options=3,order=2").generator(
      events: takes, seed: 11)
    let folder = try TemporaryFolder()
    let writer = try LogWriter(folder.path("log"))
    var record = EventRecord()
    while generator.next(into: &record) { try writer.append(record) }
    try writer.commit()
    let names =
      (0...3).map { "markov:order=\($0)\(smoothing)" } + ["beauchamp", "last", "ppm:order=3"]
    var rules = PredictionRules(predictors: try names.map { try Predictors.named($0) })
    rules.plan.warmUp = warmUp
    let replay = LogReplay(try LogReader(folder.path("log")), jobs: 2)
    let result = try replay.predictions(UnitSelection(), rules)
    let truth = generator.truth.studies[0]
    let losses = result.predictors.map { $0.tallies.scores(study: 0)?.logLoss ?? .infinity }
    #expect(result.plan.catalog.studies == [truth.study])
    #expect(result.plan.catalog.options == truth.options)
    #expect(losses.min() == losses[2], "\(losses)")
    #expect(abs(losses[2] - truth.entropyRate) < 0.01 * truth.entropyRate, "\(losses), \(truth)")
    let advice = try #require(result.advice(study: 0))
    #expect(advice.candidates[advice.best].name == names[2])
    #expect(advice.isReal != false)
  }
}
