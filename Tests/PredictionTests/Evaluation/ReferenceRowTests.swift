import Statistics
import Testing

@testable import Prediction

@Suite("Reference numbers: scores through the tallies")
struct ReferenceRowTests {
  /// The scores of one unit's forecasts; an option beyond the others is novel.
  private func scores(_ rows: [([Double], Int)], bins: Int = 10, thresholds: [Double] = [0.5])
    throws -> PredictionScores
  {
    let count = rows.map(\.0.count).max() ?? 0
    var plan = EvaluationPlan(
      catalog: StudyCatalog(
        studies: ["study"], options: (0...count).map { (study: 0, name: "option \($0)") }))
    (plan.bins, plan.thresholds) = (bins, thresholds)
    var tallies = PredictionTallies(plan)
    var unit = UnitScores()
    for (number, (confidences, taken)) in rows.enumerated() {
      let kind: StudyStep.Kind = taken < confidences.count ? .take : .novelTake
      let step = StudyStep(kind, time: 0, place: UInt32(taken), option: UInt32(taken))
      tallies.score(
        confidences, isBlind: false, step, options: (0..<confidences.count).map { UInt32($0) },
        takesBefore: number, into: &unit)
    }
    tallies.add(unit)
    return try #require(tallies.scores(study: 0))
  }

  private func expect(
    _ value: Double?, _ expected: Double, _ tolerance: Double = 1e-12,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      abs((value ?? .nan) - expected) <= tolerance,
      "\(String(describing: value)), not \(expected)", sourceLocation: sourceLocation)
  }

  private let outcomes = [1, 1, 0, 1, 1, 0, 1, 0, 0, 0]
  private let r26 = [0.93, 0.81, 0.72, 0.66, 0.57, 0.44, 0.37, 0.31, 0.23, 0.06]
  private let r27 = [0.9, 0.8, 0.7, 0.65, 0.55, 0.45, 0.35, 0.3, 0.2, 0.05]

  /// Two options, of which the first one is taken where the outcome is 1.
  private func pairs(_ p: [Double]) -> [([Double], Int)] {
    zip(p, outcomes).map { ([$0, 1 - $0], 1 - $1) }
  }

  /// A single option, with another one taken where the outcome is 0: what is calibrated is its confidence.
  private func singles(_ p: [Double]) -> [([Double], Int)] {
    zip(p, outcomes).map { ([$0], 1 - $1) }
  }

  @Test("R26: binary predictions; the Brier score is that of both options, twice as large")
  func binary() throws {
    let both = try scores(pairs(r26))
    expect(both.brier, 2 * 0.1603)
    expect(both.logLoss, 0.480226637992, 1e-11)
    expect(both.logLossBits, 0.480226637992 / 0.693147180559945, 1e-11)
    let single = try scores(singles(r26), bins: 5)
    expect(single.calibrationError, 0.08)
    expect(single.greatestCalibrationError, 0.19)
    #expect(single.novel == 5)
  }

  @Test("R27: confidences on the edges of bins")
  func edges() throws {
    let both = try scores(pairs(r27))
    expect(both.brier, 2 * 0.16225)
    expect(both.logLoss, 0.483986770304, 1e-11)
    let single = try scores(singles(r27), bins: 5)
    expect(single.calibrationError, 0.085)
    expect(single.adaptiveCalibrationError, 0.125)
    let parts = try #require(single.murphy)
    expect(parts.reliability, 0.011625)
    expect(parts.resolution, 0.0833333333, 1e-9)
    expect(parts.uncertainty, 0.25)
  }

  private let r28: [([Double], Int)] = [
    ([0.5, 0.2, 0.2, 0.1], 0), ([0.1, 0.6, 0.2, 0.1], 1), ([0.3, 0.3, 0.3, 0.1], 2),
    ([0.25, 0.25, 0.4, 0.1], 0), ([0.05, 0.05, 0.1, 0.8], 3), ([0.4, 0.35, 0.15, 0.1], 1),
  ]

  @Test("R28: distributions over options")
  func options() throws {
    let scores = try scores(r28, bins: 5)
    expect(scores.logLoss, 0.844534274264, 1e-11)
    expect(scores.brier, 0.450833333333, 1e-11)
    expect(scores.rankedProbability, 0.112638889, 5e-9)
    expect(scores.macroF1, 0.516666667, 1e-9)
    expect(scores.kappa, 0.307692308, 2e-9)
    expect(scores.calibrationError, 0.2)
    expect(scores.hitRate(), 0.5)
    #expect(scores.hits == 3)
  }

  @Test(
    "R28: ranks by each tie rule",
    arguments: [
      (.optimistic, 0.833333333, 0.667, 0.876976585), (.pessimistic, 0.694444444, 0.5, 0.771821626),
      (.average, 0.733333333, 0.5, 0.802525710), (.declared, 0.722222222, 0.5, 0.793643251),
    ] as [(TieRule, Double, Double, Double)])
  func ranks(rule: TieRule, reciprocal: Double, hits: Double, gain: Double) throws {
    let scores = try scores(r28)
    expect(scores.meanReciprocalRank(rule), reciprocal, 1e-9)
    expect(scores.hitRate(at: 1, rule), hits, 1e-3)
    expect(scores.discountedGain(at: 3, rule), gain, 1e-9)
  }

  @Test("a confidence of just the threshold is not above it")
  func thresholds() throws {
    // Study vector BE-R2: 1/2 is not above 0.5, 2/3 is; and BE-V18 for 0.6 and 3/5.
    let scores = try scores(
      [([0.5, 0.1], 0), ([2.0 / 3, 0.1], 0), ([0.6, 0.1], 1)], thresholds: [0.6, 0.5, 0.5, .nan])
    #expect(scores.confident.map(\.threshold) == [0.5, 0.6])
    #expect(scores.confident.map(\.acted) == [2, 1])
    #expect(scores.confident.map(\.right) == [1, 1])
    #expect(scores.confident[0].coverage == 2.0 / 3)
    #expect(scores.confident[0].accuracy == 0.5)
    #expect(
      scores.confident[1].accuracyInterval == Proportion(successes: 1, trials: 1).wilsonInterval())
  }

  @Test("a novel option is a miss in every measure")
  func novel() throws {
    let scores = try scores([([0.5, 0.25], 2)])
    #expect(scores.novel == 1)
    expect(scores.brier, 0.25 + 0.0625 + 1)
    expect(scores.logLoss, 34.538776394910684)
    // Three options: (0.5² + 0.75²)/2.
    expect(scores.rankedProbability, 0.40625)
    for rule in TieRule.allCases {
      #expect(scores.meanReciprocalRank(rule) == 0)
      #expect(scores.hitRate(at: 9, rule) == 0)
      #expect(scores.discountedGain(at: 9, rule) == 0)
    }
    #expect(scores.normalisedEntropy == nil)
    #expect(scores.entropy == 0)
  }

  @Test("where there was no option nothing is calibrated or acted on")
  func empty() throws {
    let scores = try scores([([], 0)])
    #expect(scores.events == 1)
    expect(scores.brier, 1)
    #expect(scores.rankedProbability == 0)
    #expect(scores.calibrationError == nil)
    #expect(scores.adaptiveCalibrationError == nil)
    #expect(scores.murphy == nil)
    #expect(scores.confident[0].coverage == 0)
    #expect(scores.confident[0].accuracy == nil)
    #expect(scores.confident[0].accuracyInterval == nil)
    #expect(scores.kappa == 0)
  }

  @Test("odd confidences trap nowhere")
  func odd() throws {
    let rows: [([Double], Int)] = [
      ([.nan, 0.5], 0), ([.nan], 0), ([.infinity, -.infinity], 0), ([-1, -2], 1), ([1e300, 2], 1),
    ]
    let scores = try scores(rows)
    #expect(scores.events == 5)
    #expect(scores.logLoss?.isFinite == true)
    #expect(scores.reliability.reduce(0) { $0 + $1.count } == 4)
  }

  @Test("many options have ranks as well")
  func many() throws {
    let confidences = (0..<300).map { 1 / Double($0 + 2) }
    let scores = try scores([(confidences, 299), (confidences, 0)])
    expect(scores.meanReciprocalRank(.average), (1.0 / 300 + 1) / 2)
    #expect(scores.hitRate(at: 299) == 0.5)
    #expect(scores.hitRate(at: 300) == 1)
  }

  @Test("deciles hold a tenth each, the least confident first, with intervals")
  func deciles() throws {
    let rows = (0..<100).map { ([Double($0) / 100, 0], $0 % 2) }
    let scores = try scores(rows)
    #expect(scores.deciles.map(\.count) == [Int](repeating: 10, count: 10))
    expect(scores.deciles[3].confidence, 0.345, 1e-12)
    #expect(scores.reliability.map(\.count) == [Int](repeating: 10, count: 10))
    #expect(scores.reliability[3].low == 0.3)
    #expect(scores.reliability[3].interval == Proportion(successes: 5, trials: 10).wilsonInterval())
  }
}
