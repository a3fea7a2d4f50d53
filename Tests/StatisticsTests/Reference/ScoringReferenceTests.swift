import Testing

@testable import Statistics

@Suite("Reference numbers: scores")
struct ScoringReferenceTests {
  private func scored(_ p: [Double], _ y: [Int], bins: Int) -> (BinaryScores, Calibration) {
    var scores = BinaryScores()
    var calibration = Calibration(bins: bins)
    for (p, y) in zip(p, y) {
      scores.add(p, outcome: y == 1)
      calibration.add(p, outcome: y == 1)
    }
    return (scores, calibration)
  }

  private let outcomes = [1, 1, 0, 1, 1, 0, 1, 0, 0, 0]

  @Test("R26: scores of binary predictions")
  func binary() {
    let p = [0.93, 0.81, 0.72, 0.66, 0.57, 0.44, 0.37, 0.31, 0.23, 0.06]
    let (scores, calibration) = scored(p, outcomes, bins: 5)
    expectClose(scores.brier, 0.1603)
    expectClose(scores.logLoss, 0.480226637992, 1e-11)
    expectClose(calibration.expectedError, 0.08)
    expectClose(calibration.greatestError, 0.19)
  }

  @Test("R27: predictions on the edges of bins")
  func edges() throws {
    let p = [0.9, 0.8, 0.7, 0.65, 0.55, 0.45, 0.35, 0.3, 0.2, 0.05]
    let (scores, calibration) = scored(p, outcomes, bins: 5)
    expectClose(scores.brier, 0.16225)
    expectClose(scores.logLoss, 0.483986770304, 1e-11)
    expectClose(calibration.expectedError, 0.085)
    let parts = try #require(calibration.partition)
    expectClose(parts.reliability, 0.011625)
    expectClose(parts.resolution, 0.0833333333, 1e-9)
    expectClose(parts.uncertainty, 0.25)
  }

  private let rows: [[Double]] = [
    [0.5, 0.2, 0.2, 0.1], [0.1, 0.6, 0.2, 0.1], [0.3, 0.3, 0.3, 0.1], [0.25, 0.25, 0.4, 0.1],
    [0.05, 0.05, 0.1, 0.8], [0.4, 0.35, 0.15, 0.1],
  ]
  private let truth = [0, 1, 2, 0, 3, 1]

  private func mean(_ score: ([Double], Int) -> Double) -> Double {
    zip(rows, truth).reduce(0) { $0 + score($1.0, $1.1) } / Double(rows.count)
  }

  @Test("R28: scores of distributions over options")
  func options() {
    expectClose(mean { ChoiceScores.logLoss($0, taken: $1) }, 0.844534274264, 1e-11)
    expectClose(mean { ChoiceScores.brier($0, taken: $1) }, 0.450833333333, 1e-11)
    expectClose(mean { ChoiceScores.rankedProbability($0, taken: $1) }, 0.112638889, 5e-9)
    var agreement = Agreement([Agreement.Option](repeating: Agreement.Option(), count: 4))
    for (row, taken) in zip(rows, truth) {
      let best = row.indices.max { row[$0] < row[$1] || row[$0] == row[$1] && $0 > $1 } ?? 0
      agreement.options[taken].taken += 1
      agreement.options[best].predicted += 1
      if best == taken { agreement.options[taken].right += 1 }
    }
    expectClose(agreement.accuracy, 0.5)
    expectClose(agreement.macroF1, 0.516666667, 1e-9)
    expectClose(agreement.kappa, 0.307692308, 2e-9)
  }

  @Test(
    "R28: ranks by each tie rule",
    arguments: [
      (.optimistic, 0.833333333, 0.667, 0.876976585), (.pessimistic, 0.694444444, 0.5, 0.771821626),
      (.average, 0.733333333, 0.5, 0.802525710), (.declared, 0.722222222, 0.5, 0.793643251),
    ] as [(TieRule, Double, Double, Double)])
  func ranks(rule: TieRule, reciprocal: Double, hits: Double, gain: Double) {
    expectClose(mean { 1 / rule.rank(of: $1, among: $0) }, reciprocal, 1e-9)
    expectClose(mean { rule.rank(of: $1, among: $0) <= 1 ? 1 : 0 }, hits, 1e-3)
    let gains = mean { row, taken in
      ChoiceScores.discountedGain(rank: rule.rank(of: taken, among: row), k: 3)
    }
    expectClose(gains, gain, 1e-9)
  }

  @Test("R28: the calibration of the most likely option")
  func topLabel() {
    var calibration = Calibration(bins: 5)
    for (row, taken) in zip(rows, truth) {
      let best = row.indices.max { row[$0] < row[$1] || row[$0] == row[$1] && $0 > $1 } ?? 0
      calibration.add(row[best], outcome: best == taken)
    }
    expectClose(calibration.expectedError, 0.2)
  }

  @Test("Mann and Whitney's test agrees with its definition, and with scipy 1.17.1")
  func mannWhitney() throws {
    let (a, b) = (ReferenceSamples.a, ReferenceSamples.b)
    let result = try #require(MannWhitney.test(treatment: b, control: a))
    var wins = 0.0
    for x in b { for y in a { wins += x > y ? 1 : x == y ? 0.5 : 0 } }
    #expect(result.u == wins)
    expectClose(result.pValue, 0.016095680379275525, 1e-11)
    let tied = try #require(
      MannWhitney.test(
        treatment: [1, 2, 2, 3, 3, 3, 7], control: [2, 2, 3, 1, 0, 0], alternative: .greater))
    expectClose(tied.pValue, 0.045049654847583, 1e-11)
    #expect(MannWhitney.test(treatment: [1, 1], control: [1]) == nil)
    #expect(MannWhitney.test(treatment: [], control: [1]) == nil)
  }
}
