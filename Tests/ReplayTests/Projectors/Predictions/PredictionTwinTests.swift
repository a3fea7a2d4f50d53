import EventLog
import Events
import Prediction
import TestSupport
import Testing

@testable import Replay

@Suite("Predictions of small random logs")
struct PredictionTwinTests {
  /// What is asked of a log.
  struct Question: CustomStringConvertible {
    var rules: PredictionRules
    var selection = UnitSelection()

    init(_ random: inout SeededGenerator, of source: PredictionRules.Source) throws {
      let names = [
        "beauchamp", "half-life:days=2", "markov:order=1", "ppm:order=2", "last", "popular",
        "pooled", "logistic:bits=8", "mixture:experts=(last);(logistic:bits=8)",
      ]
      rules = PredictionRules(
        predictors: [try Predictors.named(names[random.index(names.count)])])
      rules.source = source
      if random.chance(0.3) { rules.studies = ["s0"] }
      if random.chance(0.4) { rules.plan.warmUp = random.index(3) }
      if random.chance(0.4) { rules.plan.delay = Int64(random.index(4)) * PredictionWorld.day / 4 }
      if random.chance(0.3) { selection.since = PredictionWorld.day * 2 }
      if random.chance(0.2) { selection.until = PredictionWorld.day * 3 }
      let dimensions: [Dimension?] = [
        nil, nil, .day, .context("country"), .data(kind: "custom", key: "k"),
        .data(kind: "device", key: nil), .policy,
      ]
      selection.dimension = dimensions[random.index(dimensions.count)]
    }

    var description: String {
      "\(rules.predictors) \(rules.source) \(rules.studies ?? []) warm-up \(rules.plan.warmUp), "
        + "delay \(rules.plan.delay), \(selection)"
    }
  }

  /// Threads cost more than what they do here.
  static let forms = ReplayForm.all.filter { $0.jobs < 10 }

  static func sums(_ result: PredictionResult, _ predictor: Predictor)
    -> [NaivePredictions.Key: NaivePredictions.Sums]
  {
    var sums: [NaivePredictions.Key: NaivePredictions.Sums] = [:]
    guard let scored = result.predictors.first(where: { $0.predictor == predictor }) else {
      return [:]
    }
    for (study, value) in scored.tallies.groups {
      guard let scores = scored.tallies.scores(study: study, value: value), scores.events > 0
      else { continue }
      let n = Double(scores.events)
      let key = NaivePredictions.Key(
        study: result.plan.catalog.studies[Int(study)],
        value: result.plan.catalog.values[Int(value)])
      sums[key] = NaivePredictions.Sums(
        events: scores.events, hits: scores.hits, novel: scores.novel,
        logLoss: (scores.logLoss ?? 0) * n, brier: (scores.brier ?? 0) * n)
    }
    return sums
  }

  static func isClose(_ a: NaivePredictions.Sums?, _ b: NaivePredictions.Sums?) -> Bool {
    guard let a, let b else { return a == b }
    return a.events == b.events && a.hits == b.hits && a.novel == b.novel
      && abs(a.logLoss - b.logLoss) < 1e-9 * max(1, abs(b.logLoss))
      && abs(a.brier - b.brier) < 1e-9 * max(1, abs(b.brier))
  }

  /// Whether a result says the same as another one, to the last bit.
  static func isSame(_ a: PredictionResult, _ b: PredictionResult) -> Bool {
    guard a.ledger == b.ledger, a.plan.catalog.studies == b.plan.catalog.studies,
      a.plan.catalog.options == b.plan.catalog.options,
      a.plan.catalog.values == b.plan.catalog.values
    else { return false }
    for (mine, other) in zip(a.predictors, b.predictors) where !isSame(mine, other) {
      return false
    }
    return a.plan.catalog.studies.indices.allSatisfy {
      let study = UInt32($0)
      return a.skills(ofAllValuesOf: study) == b.skills(ofAllValuesOf: study)
    }
  }

  private static func isSame(_ a: PredictionResult.Scored, _ b: PredictionResult.Scored) -> Bool {
    let groups = a.tallies.groups
    return a.predictor == b.predictor && groups.elementsEqual(b.tallies.groups, by: ==)
      && groups.allSatisfy { study, value in
        let mine = a.tallies.scores(study: study, value: value)
        let other = b.tallies.scores(study: study, value: value)
        return mine?.logLoss == other?.logLoss && mine?.brier == other?.brier
          && mine?.hits == other?.hits && mine?.unitMeans == other?.unitMeans
          && mine?.meanReciprocalRank() == other?.meanReciprocalRank()
      }
  }

  @Test(
    "the scores match the definitions", arguments: PredictionRules.Source.allCases,
    LongTests.twins)
  func definitions(source: PredictionRules.Source, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let events = PredictionWorld.events(&random)
    var question = try Question(&random, of: source)
    question.rules.baselines = []
    let form = Self.forms[random.index(Self.forms.count)]
    let log = try WorldLog(committedOnce: events, perFrame: form.perFrame)
    let result = try form.replay(log).predictions(question.selection, question.rules)
    let until = question.selection.until ?? .max
    let wanted = events.filter { $0.time.microseconds < until }
    for predictor in question.rules.predictors {
      var naive = NaivePredictions(
        predictor, question.rules, since: question.selection.since ?? .min,
        by: question.selection.dimension)
      naive.take(wanted)
      let sums = Self.sums(result, predictor)
      for key in Set(sums.keys).union(naive.sums.keys) {
        #expect(
          Self.isClose(sums[key], naive.sums[key]),
          "seed \(seed), \(predictor), \(question), \(form): \(key)")
      }
    }
  }

  @Test("the context of a decision of an experiment that is not asked for is known for that decision only")
  func contextOfOthers() throws {
    func made(_ time: Int64, _ experiment: ExperimentID, _ context: Attributes?) -> Event {
      event(
        time, "u",
        .decision(
          Decision(
            experiment: experiment, variant: "a", choices: ["a", "b"], context: context)))
    }
    let asked = [made(1, "s0", ["age": 2]), made(3, "s0", nil), made(4, "s0", ["age": 1])]
    var rules = PredictionRules(predictors: [try Predictors.named("logistic:bits=8")])
    (rules.source, rules.studies, rules.baselines) = (.decisions, ["s0"], [])
    let sums = try [asked, asked + [made(2, "s1", ["age": 5])]].map { events in
      let log = try WorldLog(events)
      return Self.sums(
        try LogReplay(log.reader).predictions(UnitSelection(), rules), rules.predictors[0])
    }
    #expect(sums[0] == sums[1] && !sums[0].isEmpty)
  }

  @Test(
    "results do not depend on threads, frames and memory",
    arguments: PredictionRules.Source.allCases)
  func forms(source: PredictionRules.Source) throws {
    for seed in 0..<15 as Range<UInt64> {
      var random = SeededGenerator(seed: 1_000 + seed)
      let events = PredictionWorld.events(&random, count: 120)
      let question = try Question(&random, of: source)
      var first: PredictionResult?
      for form in Self.forms {
        let log = try WorldLog(committedOnce: events, perFrame: form.perFrame)
        let result = try form.replay(log).predictions(question.selection, question.rules)
        if let first {
          #expect(Self.isSame(first, result), "seed \(seed), \(question), \(form)")
        } else {
          first = result
        }
      }
    }
  }

  @Test("a predictor without a pool gives the same unit by unit and over all units together")
  func order() throws {
    for seed in 0..<50 as Range<UInt64> {
      var random = SeededGenerator(seed: 2_000 + seed)
      let log = try WorldLog(PredictionWorld.events(&random))
      var question = try Question(&random, of: random.chance(0.5) ? .studies : .decisions)
      question.rules.predictors = [
        try Predictors.named(["ppm:order=2", "half-life:days=2"][random.index(2)])
      ]
      question.rules.baselines = []
      let replay = LogReplay(log.reader, jobs: 2)
      let result = try replay.predictions(question.selection, question.rules)
      let walk = PredictionWalk(
        replay: replay,
        studies: try replay.studies(question.selection, question.rules, for: question.rules.all),
        plan: result.plan, predictors: question.rules.predictors)
      let slices = try walk.slices()
      let evaluation = question.rules.predictors[0].evaluation(result.plan)
      try slices.forEach { evaluation.apply($0, slices.tables) }
      for run in 0..<slices.runCount { _ = evaluation.close(run) }
      var other = result.predictors[0]
      other.tallies = evaluation.tallies
      #expect(Self.isSame(result.predictors[0], other), "seed \(seed), \(question)")
    }
  }

  @Test("the final pool has learned from all takes")
  func pools() throws {
    func isSame<Pool: OptionPool>(_ pool: Pool, _ other: any OptionPool) -> Bool {
      (other as? Pool) == pool
    }
    for seed in 0..<40 as Range<UInt64> {
      var random = SeededGenerator(seed: 3_000 + seed)
      let events = PredictionWorld.events(&random)
      let log = try WorldLog(committedOnce: events, perFrame: 7)
      let names = ["popular", "logistic:bits=8"]
      let predictor = try Predictors.named(names[random.index(2)])
      var rules = PredictionRules(predictors: [predictor])
      rules.source = random.chance(0.5) ? .studies : .decisions
      var naive = NaivePredictions(predictor, rules)
      naive.take(events)
      let pool = try LogReplay(log.reader, jobs: 3).pool(
        of: predictor, study: "s0", source: rules.source)
      if let expected = naive.pools["s0"] {
        #expect(pool.map { isSame($0, expected) } == true, "seed \(seed), \(predictor)")
      } else {
        #expect(pool == nil, "seed \(seed), \(predictor)")
      }
    }
  }

  @Test("unreadable events are counted")
  func ledger() throws {
    let configuration = { (text: String) in
      Payload.configurationApplied(
        ConfigurationApplied(
          system: "studies", experiment: "s", reason: "defined",
          configuration: JSONText(validated: text)))
    }
    let log = try WorldLog([
      event(0, "", configuration(#"{"options":[]}"#)),
      event(1, "u", configuration(#"{"options":3}"#)),
      dataPoint(2, "u", kind: "optionTaken", key: nil, value: "a"),
      dataPoint(3, "u", kind: "optionTaken", key: "s", value: ""),
      dataPoint(4, "u", kind: "optionEncountered", key: "s", value: nil),
      dataPoint(5, "u", kind: "optionTaken", key: "s", value: "a"),
      dataPoint(6, "u", kind: "optionEncountered", key: "s", value: nil),
      dataPoint(7, "w", kind: "optionTaken", key: "s", value: "a"),
      decision(8, "u", "v", status: .repeated), decision(9, "u", "v", status: .provisional),
      decision(10, "w", "v"),
    ])
    var expected = PredictionLedger()
    (expected.units, expected.runs, expected.takes, expected.novelTakes) = (2, 2, 2, 2)
    (expected.encounters, expected.emptyEncounters) = (2, 1)
    (expected.configurations, expected.unreadableConfigurations) = (1, 1)
    (expected.withoutStudy, expected.withoutOption) = (1, 1)
    var rules = PredictionRules(predictors: [])
    let replay = LogReplay(log.reader, jobs: 2)
    #expect(try replay.predictions(UnitSelection(), rules).ledger == expected)
    rules.source = .decisions
    expected = PredictionLedger()
    (expected.units, expected.runs, expected.takes, expected.novelTakes) = (2, 1, 1, 1)
    (expected.repeatedDecisions, expected.unconfirmedDecisions) = (1, 1)
    #expect(try replay.predictions(UnitSelection(), rules).ledger == expected)
  }
}
