import Specifications
import Statistics
import TestSupport
import Testing

@testable import Prediction

@Suite("Skill of a predictor against another one")
struct PredictionSkillTests {
  private func unit(
    events: Int, hits: Int = 0, loss: Double, brier: Double = 1, rank: Double = 0, stage: Int = 0
  ) -> UnitScores {
    var scores = UnitScores()
    (scores.events, scores.hits, scores.logLoss) = (events, hits, loss)
    (scores.brier, scores.reciprocalRank) = (brier, rank)
    scores.stageEvents[stage] = Int32(events)
    scores.stageLogLoss[stage] = loss
    return scores
  }

  @Test("1 less the ratio of the sums, with the interval of the delta method")
  func ratio() throws {
    let ours = [3.0, 1, 4], theirs = [5.0, 2, 3.5]
    var tally = SkillTally()
    var moments = RatioMoments()
    for (a, b) in zip(ours, theirs) {
      tally.add(
        predictor: unit(events: 4, hits: 3, loss: a, rank: 3.5),
        baseline: unit(events: 4, hits: 2, loss: b, rank: 2.5))
      moments.add(a, over: b)
    }
    let skill = tally.skill
    #expect(skill.units == 3)
    #expect(skill.events == 12)
    let logLoss = try #require(skill.logLoss)
    #expect(abs(logLoss.estimate - (1 - 8 / 10.5)) < 1e-15)
    // The ratio 8/10.5: residuals a − Rb, their sum of squares over 2, over 3 units and the mean 3.5 squared.
    let residuals = zip(ours, theirs).map { $0 - 8 / 10.5 * $1 }
    let variance = residuals.reduce(0) { $0 + $1 * $1 } / 2 / 3 / (3.5 * 3.5)
    #expect(abs((logLoss.standardError ?? 0) - variance.squareRoot()) < 1e-12)
    #expect(logLoss.degreesOfFreedom == 2)
    let interval = try #require(logLoss.interval)
    #expect(
      abs(interval.high - logLoss.estimate - 4.302652729911275 * variance.squareRoot()) < 1e-9)
    #expect(logLoss.isReal == false)
    #expect(skill.hitRate?.estimate == 0.25)
    #expect(skill.reciprocalRank?.estimate == 0.25)
    #expect(skill.brier?.estimate == 0)
    let back = tally.reversed
    #expect(abs((back.logLoss?.estimate ?? 0) - (1 - 10.5 / 8)) < 1e-15)
    #expect(back.hitRate?.estimate == -0.25)
  }

  @Test("undefined scores are nil")
  func undefined() {
    var tally = SkillTally()
    #expect(tally.skill.logLoss == nil)
    #expect(tally.byHistory.isEmpty)
    tally.add(predictor: unit(events: 2, loss: 1), baseline: unit(events: 2, loss: 4))
    #expect(tally.skill.logLoss?.estimate == 0.75)
    #expect(tally.skill.logLoss?.interval == nil)
    #expect(tally.skill.logLoss?.isReal == nil)
    tally.add(predictor: unit(events: 2, loss: 1), baseline: unit(events: 3, loss: 4))
    #expect(tally.unpaired == 1)
    #expect(tally.skill.units == 1)
    var perfect = SkillTally()
    perfect.add(predictor: unit(events: 1, loss: 1), baseline: unit(events: 1, loss: 0))
    #expect(perfect.skill.logLoss == nil)
  }

  @Test("a table has every pair in both directions, and neither order nor parts show")
  func table() throws {
    var generator = SeededGenerator(seed: 5)
    let units = (0..<40).map { _ in
      let events = 1 + generator.index(9)
      let stage = generator.index(4)
      return (0..<3).map { _ in
        unit(
          events: events, hits: generator.index(events + 1),
          loss: Double.random(in: 0..<9, using: &generator),
          brier: Double.random(in: 0..<2, using: &generator),
          rank: Double.random(in: 0..<1, using: &generator), stage: stage)
      }
    }
    func table(_ units: some Sequence<[UnitScores]>) -> SkillTable {
      var table = SkillTable(count: 3)
      for unit in units { table.add(unit) }
      return table
    }
    let whole = table(units)
    #expect(whole == table(units.shuffled(using: &generator)))
    var merged = table(units[25...])
    merged.merge(table(units[..<25]))
    #expect(whole == merged)
    for (a, b) in [(0, 1), (0, 2), (1, 2), (2, 1), (2, 0)] {
      var tally = SkillTally()
      for unit in units { tally.add(predictor: unit[a], baseline: unit[b]) }
      let skill = try #require(whole.skill(of: a, against: b))
      #expect(abs((skill.logLoss?.estimate ?? 9) - (tally.skill.logLoss?.estimate ?? 0)) < 1e-12)
      #expect(abs((skill.logLoss?.pValue ?? 9) - (tally.skill.logLoss?.pValue ?? 0)) < 1e-9)
      #expect(skill.hitRate?.estimate == tally.skill.hitRate?.estimate)
      let stages = whole.byHistory(of: a, against: b)
      #expect(stages.map(\.low) == tally.byHistory.map(\.low))
      #expect(stages.map(\.difference.estimate) == tally.byHistory.map(\.difference.estimate))
      #expect(stages.reduce(0) { $0 + $1.events } == skill.events)
    }
    #expect(whole.skill(of: 1, against: 1) == nil)
    #expect(whole.skill(of: 0, against: 3) == nil)
    #expect(whole.byHistory(of: -1, against: 0).isEmpty)
  }
}

@Suite("Advice on predictors")
struct PredictionAdviceTests {
  private let catalog = StudyCatalog(studies: ["s"], options: [(0, "a"), (0, "b"), (0, "c")])

  /// Units that take a, b, a, b, ... and what predictors make of that.
  private func advice(_ names: [String], baselines: Set<String>, units: Int, takes: Int = 40) throws
    -> PredictionAdvice?
  {
    let plan = EvaluationPlan(catalog: catalog)
    var tables = StudyTables()
    var options = OptionTable<UInt32>()
    for option in 0..<3 { options.append(UInt32(option)) }
    tables.options = [options]
    let evaluations = try names.map { try Predictors.named($0).evaluation(plan) }
    var table = SkillTable(count: names.count)
    for unit in 0..<units {
      var generator = SeededGenerator(seed: UInt64(unit))
      let steps =
        [StudyStep(.define, time: 0)]
        + (0..<takes).map { number in
          let option = UInt32(generator.chance(0.1) ? 2 : number % 2)
          return StudyStep(.take, time: Int64(number), place: option, option: option)
        }
      let scores = evaluations.map { evaluation in
        evaluation.apply(steps.span, tables)
        return evaluation.close(0)
      }
      if scores.allSatisfy({ $0.count == 1 }) { table.add(scores.map { $0[0] }) }
    }
    let candidates = zip(names, evaluations).compactMap { name, evaluation in
      evaluation.tallies.scores(study: 0).map {
        PredictionAdvice.Candidate(name: name, isBaseline: baselines.contains(name), scores: $0)
      }
    }
    return PredictionAdvice(candidates, table)
  }

  @Test("names the best predictor, how sure that is, and how much history it needs")
  func words() throws {
    let advice = try #require(
      try advice(["uniform", "ppm:order=1", "ppm:order=0"], baselines: ["uniform"], units: 20))
    #expect(advice.candidates[advice.best].name == "ppm:order=1")
    #expect(advice.runnerUp.map { advice.candidates[$0].name } == "ppm:order=0")
    #expect(advice.bestBaseline == 0)
    #expect(advice.isReal == true)
    #expect(advice.historyNeeded == .takes(2))
    #expect(advice.bestByHits == advice.best)
    #expect(
      advice.sentences == [
        "Use ppm:order=1: its log loss of 0.649 nats is the lowest of 3 predictors over 800 takes of 20 units.",
        "That is 41.0 % (95 % interval 36.9 % to 45.0 %, a real difference) below the best baseline, uniform.",
        "It is 37.2 % (95 % interval 34.0 % to 40.3 %, a real difference) below the runner-up, ppm:order=0.",
        "A unit needs 2 takes before its prediction beats uniform.",
      ])
  }

  @Test("states that nothing beats the baseline, or that there is a single unit")
  func baseline() throws {
    let worse = try #require(
      try advice(["last", "uniform"], baselines: ["uniform"], units: 5))
    #expect(worse.overBaseline == nil)
    #expect(worse.historyNeeded == .unknown)
    #expect(
      worse.sentences.first
        == "No predictor beats the baseline uniform: its log loss of 1.099 nats is the lowest of 2 predictors over 200 takes of 5 units."
    )
    let single = try #require(
      try advice(["uniform", "ppm:order=1"], baselines: ["uniform"], units: 1))
    #expect(single.isReal == nil)
    #expect(
      single.sentences.contains(
        "That is 36.0 % (a single unit, so no interval) below the best baseline, uniform."))
    let alone = try #require(try advice(["last"], baselines: [], units: 2))
    #expect(alone.sentences.count == 1)
    #expect(try advice(["last"], baselines: [], units: 0) == nil)
  }

  @Test("prefers a baseline to an equally good predictor")
  func ties() throws {
    // Where every encounter is a take both count the same.
    let advice = try #require(
      try advice(["markov:order=0", "beauchamp"], baselines: ["beauchamp"], units: 5))
    #expect(advice.candidates[0].scores.logLoss == advice.candidates[1].scores.logLoss)
    #expect(advice.best == 1 && advice.runnerUp == 0)
    #expect(advice.sentences.first?.hasPrefix("No predictor beats the baseline beauchamp") == true)
    #expect(advice.sentences.count == 2)
  }

  private func stage(_ low: Int, _ estimate: Double, _ interval: Interval?) -> StageSkill {
    StageSkill(
      low: low, high: nil, units: 5, events: 9,
      difference: Difference(estimate: estimate, interval: interval))
  }

  @Test("the history that is needed ends where the baseline is beaten for good")
  func history() {
    let (won, lost) = (Interval(0.1, 0.3), Interval(-0.3, -0.1))
    #expect(PredictionAdvice.historyNeeded([]) == .unknown)
    #expect(
      PredictionAdvice.historyNeeded([stage(0, -0.2, lost), stage(1, 0.2, won)]) == .takes(1))
    #expect(PredictionAdvice.historyNeeded([stage(0, 0.2, won), stage(1, -0.2, lost)]) == .never)
    // A last stage that may be chance spoils nothing.
    #expect(PredictionAdvice.historyNeeded([stage(0, 0.2, won), stage(1, -0.2, nil)]) == .takes(0))
    #expect(PredictionAdvice.historyNeeded([stage(0, -0.1, nil), stage(4, 0.2, nil)]) == .takes(4))
  }
}
