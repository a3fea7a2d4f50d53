import Specifications
import TestSupport
import Testing

@testable import Prediction

@Suite("Runs in slices score what all runs together do")
struct RunSliceTests {
  static let predictors = [
    "popular", "popular:smoothing=0", "pooled", "pooled:base=(markov:order=1),context=1",
    "pooled:base=(ppm),context=2,strength=0.5", "pooled:base=(popular),context=4",
    "pooled:base=(pooled:base=(beauchamp),context=3),context=1",
    "mixture:experts=(last);(popular);(pooled:base=(last),context=2)",
  ]

  @Test("to the last bit, with every pool that learns from last takes", arguments: 0..<10)
  func slices(chunk: Int) throws {
    for (number, name) in Self.predictors.enumerated() {
      let predictor = try Predictors.named(name)
      #expect(predictor.poolContext != nil, "\(name)")
      for seed in chunk * 20..<chunk * 20 + 20 {
        try check(predictor, seed: UInt64(number * 1000 + seed))
      }
    }
  }

  private func check(_ predictor: Predictor, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let log = RandomStudyLog(&generator)
    var plan = EvaluationPlan(catalog: log.catalog)
    plan.warmUp = generator.pick([0, 0, 1, 4], or: 0)
    plan.since = generator.pick([.min, .min, 60], or: 0)
    let whole = evaluate(predictor, plan, .all, log)
    let expected = log.runs.indices.map { whole.close($0) }
    let count = 2 + generator.index(4)
    let slices = (0..<count).map { evaluate(predictor, plan, RunSlice($0, of: count), log) }
    let units = log.runs.indices.map { slices[$0 % count].close($0 / count) }
    #expect(units == expected, "\(predictor), seed \(seed)")
    var tallies = PredictionTallies(plan)
    for slice in slices { tallies.merge(slice.tallies) }
    #expect(content(tallies) == content(whole.tallies), "\(predictor), seed \(seed)")
    for (slice, study) in slices.flatMap({ slice in (0..<2).map { (slice, UInt32($0)) } }) {
      #expect(
        isEqual(slice.pool(study), whole.pool(study)), "\(predictor), seed \(seed), study \(study)")
    }
  }

  private func evaluate(
    _ predictor: Predictor, _ plan: EvaluationPlan, _ slice: RunSlice, _ log: RandomStudyLog
  ) -> PredictorEvaluation {
    let evaluation = predictor.evaluation(plan, slice)
    let steps = log.sideBySide
    let half = steps.count / 2
    for part in [Array(steps[..<half]), Array(steps[half...])] {
      evaluation.apply(part.span, log.tables)
    }
    return evaluation
  }

  private func content(_ tallies: PredictionTallies) -> [StudyTally] {
    tallies.groups.compactMap { tallies.scores(study: $0.study, value: $0.value)?.tally }
  }

  private func isEqual(_ a: (any OptionPool)?, _ b: (any OptionPool)?) -> Bool {
    a.map { isSame($0, b) } ?? (b == nil)
  }

  private func isSame<Pool: OptionPool>(_ a: Pool, _ b: (any OptionPool)?) -> Bool {
    b as? Pool == a
  }

  @Test("pools that need more of a unit cannot be sliced")
  func whole() throws {
    for name in ["logistic", "mixture:experts=(popular);(logistic)", "pooled:base=(logistic)"] {
      #expect(try Predictors.named(name).poolContext == nil)
    }
    #expect(try Predictors.named("pooled:base=(pooled:context=3),context=1").poolContext == 3)
  }

  @Test("a pool that needs more last takes than are kept cannot be sliced")
  func longContext() {
    let contexts = [-1, 0, RecentTakes.most, RecentTakes.most + 1]
    let kept = contexts.map { Predictor(LongContext(poolContext: $0)).poolContext }
    #expect(kept == [nil, 0, RecentTakes.most, nil])
  }

  @Test("last takes have a code for each number of them", arguments: 0..<10)
  func recent(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for length in 0...RecentTakes.most {
      var (recent, codes) = (RecentTakes(), [UInt64]())
      for _ in 0..<20 {
        let code = UInt64(generator.index(3))
        recent.append(code, keeping: length)
        codes = Array((codes + [code]).suffix(length))
        #expect(recent.count == codes.count)
        for number in 0...codes.count {
          let key = codes.suffix(number).reduce(UInt64(number)) { Feature.code($0, $1) }
          #expect(recent.key(number) == key)
        }
        #expect((0...4).map { recent[$0] } == (0...4).map { codes.dropLast($0).last })
      }
    }
  }
}

/// The most popular options, by a pool that asks for some last takes.
private struct LongContext: OptionPredictor {
  static let info = SpecificationInfo("long", "the most popular", source: "a test")
  private let base = MostPopular()
  private(set) var poolContext: Int?

  init() {}
  init(poolContext: Int?) { self.poolContext = poolContext }

  var beginning: MostPopular.Learning { base.beginning }
  var emptyPool: OptionTally { base.emptyPool }
}
