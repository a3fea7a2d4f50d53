import Specifications
import Statistics
import TestSupport
import Testing

@testable import Prediction

@Suite("Evaluation says what its definition says")
struct EvaluationTwinTests {
  static let predictors = [
    "beauchamp", "half-life:days=0.001", "last", "markov:order=2", "ppm:order=2", "uniform",
  ]

  private func plan(_ log: RandomStudyLog, _ generator: inout SeededGenerator) -> EvaluationPlan {
    var plan = EvaluationPlan(catalog: log.catalog)
    plan.warmUp = generator.pick([0, 0, 1, 4], or: 0)
    plan.delay = generator.pick([0, 0, 1, 30, 200], or: 0)
    plan.since = generator.pick([.min, .min, 60], or: 0)
    plan.thresholds = [0.2, 0.5, 0.75]
    plan.bins = generator.pick([10, 5, 3], or: 10)
    plan.clip = generator.pick([1e-15, 0.001], or: 1e-15)
    plan.period = generator.pick([30, 77, 1000], or: 77)
    return plan
  }

  @Test("on random logs, in every measure", arguments: LongTests.chunks(3, of: 10))
  func twins(chunk: UInt64) throws {
    for seed in (chunk * 200)..<(chunk * 200 + 200) { try check(seed: seed) }
  }

  private func check(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let log = RandomStudyLog(&generator)
    let plan = plan(log, &generator)
    let name = generator.pick(Self.predictors, or: "uniform")
    let predictor = try Predictors.named(name)
    let naive = NaiveEvaluation(predictor: predictor, plan: plan, tables: log.tables)
    let takes = log.runs.enumerated().flatMap { naive.takes(of: $0, $1) }
    let tallies = sideBySide(predictor, plan, log).tallies
    let groups = Dictionary(grouping: takes) { [$0.step.study, $0.step.value] }
    #expect(
      tallies.groups.map { [$0.study, $0.value] }
        == groups.keys.sorted { ($0[0], $0[1]) < ($1[0], $1[1]) }, "seed \(seed)")
    for (key, takes) in groups {
      let comment = "\(name), seed \(seed), study \(key[0]), value \(key[1])"
      let scores = try #require(tallies.scores(study: key[0], value: key[1]))
      compare(scores.measures(plan), naive.measures(takes), comment)
      compareCurves(scores, takes, plan, comment)
    }
  }

  @Test("every predictor of the catalog, including those that learn across units")
  func pooled() throws {
    for (place, info) in Predictors.all.enumerated() {
      for seed in 0..<20 {
        var generator = SeededGenerator(seed: UInt64(20_000 + place * 100 + seed))
        let log = RandomStudyLog(&generator)
        let plan = plan(log, &generator)
        let predictor = try Predictors.named(info.name)
        let naive = NaiveEvaluation(predictor: predictor, plan: plan, tables: log.tables)
        let tallies = sideBySide(predictor, plan, log).tallies
        let groups = Dictionary(grouping: naive.takesTogether(log.sideBySide)) {
          [$0.step.study, $0.step.value]
        }
        #expect(tallies.groups.count == groups.count, "\(info.name), seed \(seed)")
        for (key, takes) in groups {
          let comment = "\(info.name), seed \(seed), study \(key[0]), value \(key[1])"
          let scores = try #require(tallies.scores(study: key[0], value: key[1]), "\(comment)")
          compare(scores.measures(plan), naive.measures(takes), comment)
        }
      }
    }
  }

  private func compare(_ ours: [Measure], _ theirs: [Measure], _ comment: String) {
    #expect(ours.map(\.name) == theirs.map(\.name))
    for (a, b) in zip(ours, theirs) where !areAlike(a.value, b.value) {
      let (a, ours, theirs) = (a.name, String(describing: a.value), String(describing: b.value))
      Issue.record("\(comment): \(a) is \(ours), not \(theirs)")
    }
  }

  private func areAlike(_ a: Double?, _ b: Double?) -> Bool {
    a == b || abs((a ?? .nan) - (b ?? .nan)) < 1e-9
  }

  private func compareCurves(
    _ scores: PredictionScores, _ takes: [ScoredTake], _ plan: EvaluationPlan, _ comment: String
  ) {
    let (history, time) = (scores.byHistory, scores.byPeriod)
    let curves: [(LearningCurve, (LearningPoint, ScoredTake) -> Bool)] = [
      (history, { Int64($1.takesBefore) >= $0.low && Int64($1.takesBefore) <= $0.high ?? .max }),
      (
        history.cumulative,
        { Int64($1.takesBefore) >= $0.low && Int64($1.takesBefore) <= $0.high ?? .max }
      ),
      (time, { $1.step.time >= $0.low && $1.step.time < $0.high ?? .max }),
      (time.rolling(3), { $1.step.time >= $0.low && $1.step.time < $0.high ?? .max }),
      (time.cumulative, { $1.step.time >= $0.low && $1.step.time < $0.high ?? .max }),
    ]
    for (number, (curve, isInside)) in curves.enumerated() {
      for point in curve.points {
        let inside = takes.filter { isInside(point, $0) }
        let n = Double(inside.count)
        let isRight =
          point.events == inside.count && point.hits == inside.count(where: \.isHit)
          && areAlike(
            point.logLoss, n > 0 ? inside.reduce(0) { $0 + $1.loss(plan.clip) } / n : nil)
          && areAlike(point.brier, n > 0 ? inside.reduce(0) { $0 + $1.brier } / n : nil)
        if !isRight { Issue.record("\(comment), curve \(number) at \(point.low): \(point)") }
      }
    }
    #expect(history.points.reduce(0) { $0 + $1.events } == takes.count, "\(comment)")
    #expect(time.points.reduce(0) { $0 + $1.events } == takes.count, "\(comment)")
  }

  /// All runs at once, by time.
  private func sideBySide(_ predictor: Predictor, _ plan: EvaluationPlan, _ log: RandomStudyLog)
    -> (tallies: PredictionTallies, units: [[UnitScores]])
  {
    let evaluation = predictor.evaluation(plan)
    evaluation.apply(log.sideBySide.span, log.tables)
    let units = log.runs.indices.map { evaluation.close($0) }
    return (evaluation.tallies, units)
  }

  /// One run after the other.
  private func inTurn(
    _ predictor: Predictor, _ plan: EvaluationPlan, _ log: RandomStudyLog, _ runs: [Int]
  ) -> (tallies: PredictionTallies, units: [[UnitScores]]) {
    let evaluation = predictor.evaluation(plan)
    let units = runs.map { run in
      let steps = log.runs[run].map { step in
        var step = step
        step.run = 0
        return step
      }
      evaluation.apply(steps.span, log.tables)
      return evaluation.close(0)
    }
    return (evaluation.tallies, units)
  }

  private func content(_ tallies: PredictionTallies) -> [StudyTally] {
    tallies.groups.compactMap { tallies.scores(study: $0.study, value: $0.value)?.tally }
  }

  @Test("neither the order of the runs nor threads show in a single bit", arguments: 0..<10)
  func order(chunk: Int) throws {
    for seed in (chunk * 15)..<(chunk * 15 + 15) {
      var generator = SeededGenerator(seed: UInt64(10_000 + seed))
      let log = RandomStudyLog(&generator)
      let plan = plan(log, &generator)
      let predictor = try Predictors.named(generator.pick(Self.predictors, or: "last"))
      let together = sideBySide(predictor, plan, log)
      let alone = inTurn(predictor, plan, log, Array(log.runs.indices))
      let turned = inTurn(predictor, plan, log, log.runs.indices.reversed())
      #expect(together.units == alone.units, "seed \(seed)")
      #expect(alone.units == turned.units.reversed(), "seed \(seed)")
      #expect(content(together.tallies) == content(alone.tallies), "seed \(seed)")
      #expect(content(alone.tallies) == content(turned.tallies), "seed \(seed)")
      let cut = generator.index(log.runs.count + 1)
      let first = inTurn(predictor, plan, log, Array(0..<cut)).tallies
      var second = inTurn(predictor, plan, log, Array(cut..<log.runs.count)).tallies
      second.merge(first)
      #expect(content(second) == content(alone.tallies), "seed \(seed)")
    }
  }
}

extension PredictionScores {
  /// The same measures, in the same order, as those of the model.
  func measures(_ plan: EvaluationPlan) -> [Measure] {
    let n = Double(events)
    var result: [Measure] = [
      ("events", n), ("units", Double(units)), ("novel", Double(novel) / n),
      ("blind", Double(blind) / n), ("log loss", logLoss), ("Brier", brier),
      ("RPS", rankedProbability),
    ]
    for rule in TieRule.allCases {
      result.append(("MRR \(rule)", meanReciprocalRank(rule)))
      for k in [1, 3] {
        result.append(("hits@\(k) \(rule)", hitRate(at: k, rule)))
        result.append(("NDCG@\(k) \(rule)", discountedGain(at: k, rule)))
      }
    }
    for row in confident {
      result.append(("coverage \(row.threshold)", row.coverage))
      result.append(("accuracy \(row.threshold)", row.accuracy))
    }
    return result + [
      ("ECE", calibrationError), ("MCE", greatestCalibrationError),
      ("reliability", murphy?.reliability), ("resolution", murphy?.resolution),
      ("kappa", kappa), ("macro F1", macroF1), ("normalised entropy", normalisedEntropy),
      ("hits by unit", unitMeans?.hitRate), ("MRR by unit", unitMeans?.reciprocalRank),
      ("log loss by unit", unitMeans?.logLoss), ("Brier by unit", unitMeans?.brier),
    ]
  }
}
