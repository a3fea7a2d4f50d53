import EventLog
import Prediction
import Replay
import Statistics
import Threads

/// The cost of predictions: takes in memory that are predicted, scored and learned, on one thread and on two; and the
/// same takes from a log, including reading, sorting and pairing.
struct PredictSteps {
  private let log: String
  private let takes: [StudyTakes]
  private let units: Int
  private let perUnit: Int

  private static let predictors = ["frequency", "recency", "markov:order=2", "ppm:order=3"]

  /// Generates takes of 1,000 units, and writes a log of as many.
  init(bandolier: String, folder: String, events: Int, seed: UInt64) throws {
    units = 1_000
    perUnit = max(1, events / units)
    log = folder + "/takes.log"
    takes = [0, 1].map {
      StudyTakes(units: 500, perUnit: max(1, events / 1_000), seed: seed, half: $0)
    }
    _ = try ProcessRun([
      bandolier, "generate", "studies:units=\(units)", "--events", "\(units * perUnit)", "--seed",
      "\(seed)", "--log", log,
    ])
  }

  func steps() throws -> [Step] {
    let log = try LogReader(log)
    return try Self.predictors.flatMap { name in
      let predictor = try Predictors.named(name)
      return [
        scoring(predictor, jobs: 1), scoring(predictor, jobs: 2), report(predictor, log),
      ]
    }
  }

  private func scoring(_ predictor: Predictor, jobs: Int) -> Step {
    Step(
      name: "score \(predictor), \(jobs) \(jobs == 1 ? "job" : "jobs")", events: units * perUnit
    ) {
      try Measurement {
        let takes = takes
        _ = try Workers.run(jobs) { job in
          for (half, part) in takes.enumerated() where half % jobs == job {
            part.score(predictor)
          }
        }
      }
    }
  }

  private func report(_ predictor: Predictor, _ log: LogReader) -> Step {
    var rules = PredictionRules(predictors: [predictor])
    rules.baselines = []
    let (replay, wanted) = (LogReplay(log, jobs: 2), rules)
    return Step(name: "predictions of a log, \(predictor), 2 jobs", events: Int(log.eventCount)) {
      try Measurement { _ = try replay.predictions(UnitSelection(), wanted) }
    }
  }
}

/// Synthetic takes of units that follow a Markov chain of order 2 over five options.
private struct StudyTakes: Sendable {
  private let steps: [StudyStep]
  private let perUnit: Int
  private let tables: StudyTables
  private let catalog: StudyCatalog

  init(units: Int, perUnit: Int, seed: UInt64, half: Int) {
    self.perUnit = perUnit
    let options = 5
    catalog = StudyCatalog(
      studies: ["tabs"], options: (0..<options).map { (study: 0, name: "option-\($0)") })
    var tables = StudyTables()
    var table = OptionTable<UInt32>()
    for option in 0..<UInt32(options) { table.append(option) }
    tables.options = [table]
    self.tables = tables
    var random = Xoshiro256(seed: seed, stream: [UInt64(half)])
    var steps: [StudyStep] = []
    steps.reserveCapacity(units * (perUnit + 1))
    for _ in 0..<units {
      steps.append(StudyStep(.define, time: 0))
      var (last, before) = (0, 0)
      for number in 0..<perUnit {
        let isHabit = Draw.unit(using: &random) < 0.7
        let option =
          isHabit ? (last + 2 * before + 1) % options : Int(Draw.unit(using: &random) * 5)
        (last, before) = (option, last)
        steps.append(
          StudyStep(
            .take, time: Int64(number) * 3_600_000_000, place: UInt32(option),
            option: UInt32(option)))
      }
    }
    self.steps = steps
  }

  func score(_ predictor: Predictor) {
    let evaluation = predictor.evaluation(EvaluationPlan(catalog: catalog))
    var start = 0
    while start < steps.count {
      evaluation.apply(steps.span.extracting(start..<start + perUnit + 1), tables)
      _ = evaluation.close(0)
      start += perUnit + 1
    }
  }
}
