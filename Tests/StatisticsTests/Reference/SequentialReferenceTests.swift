import Foundation
import Testing

@testable import Statistics

@Suite("Reference numbers: sequential and Bayesian")
struct SequentialReferenceTests {
  private let control = ReferenceSamples.control
  private let treatment = ReferenceSamples.treatment

  private var difference: (estimate: Double, variance: Double) {
    (0.13 - 0.1, 0.13 * 0.87 / 1000 + 0.1 * 0.9 / 1000)
  }

  @Test("R10: the normal posterior of a difference and of a relative lift")
  func normalPosterior() throws {
    let (d, v) = difference
    let absolute = try #require(NormalPosterior(estimate: d, standardError: v.squareRoot()))
    expectClose(absolute.chanceToWin, 0.982357339875, 1e-11)
    expectClose(absolute.lossOfControl, 0.0300908995202, 1e-11)
    expectClose(absolute.lossOfTreatment, 9.08995201954e-05, 1e-10)
    expectInterval(absolute.credibleInterval(), 0.00206793443938, 0.0579320655606)
    let t = try #require(SampleMean(treatment))
    let c = try #require(SampleMean(control))
    let lift = try #require(RelativeLift.deltaZ(treatment: t, control: c))
    let error = try #require(lift.standardError)
    let relative = try #require(NormalPosterior(estimate: lift.estimate, standardError: error))
    expectClose(relative.mean, 0.3, 1e-11)
    expectClose(relative.standardDeviation, 0.162849623887, 1e-11)
    expectClose(relative.chanceToWin, 0.967276341730, 1e-11)
    expectClose(relative.lossOfControl, 0.302089064859, 1e-11)
    expectClose(relative.lossOfTreatment, 0.00208906485859, 1e-10)
    expectInterval(relative.credibleInterval(), -0.0191793977136, 0.619179397714)
    let shrunk = try #require(
      NormalPosterior(estimate: lift.estimate, standardError: error, prior: (0, 0.09)))
    expectClose(shrunk.mean, 0.231719876416, 1e-11)
    expectClose(shrunk.standardDeviation, 0.143122454825, 1e-11)
    expectClose(shrunk.chanceToWin, 0.947279842589, 1e-11)
  }

  @Test("R11: Beta posteriors")
  func betaPosterior() {
    let a = BetaPosterior(control)
    let b = BetaPosterior(treatment)
    expectClose(b.chanceToBeat(a), 0.982165066118, 1e-11)
    expectClose(a.expectedGain(over: b), 9.23744917e-05, 1e-8)
    expectClose(b.expectedGain(over: a), 0.0300324942520, 1e-11)
    let small = BetaPosterior(alpha: 2, beta: 3)
    expectClose(BetaPosterior(alpha: 4, beta: 2).chanceToBeat(small), 5.0 / 6, 1e-11)
    let best = BetaPosterior.chancesToBeBest([
      BetaPosterior(alpha: 3, beta: 9), BetaPosterior(alpha: 5, beta: 7),
      BetaPosterior(alpha: 4, beta: 8),
    ])
    for (value, reference) in zip(best, [0.112639915527, 0.600443528188, 0.286916556285]) {
      expectClose(value, reference, 1e-11)
    }
  }

  @Test("R13: a ratio metric by the delta method")
  func ratioMetric() throws {
    var a = RatioMoments()
    var b = RatioMoments()
    let (mA, dA): ([Double], [Double]) = ([3, 0, 5, 2, 8, 1, 0, 4], [2, 1, 3, 1, 4, 1, 1, 2])
    let (mB, dB): ([Double], [Double]) = (
      [4, 1, 6, 3, 9, 2, 0, 5, 7], [2, 1, 2, 2, 4, 1, 1, 2, 3]
    )
    for (m, d) in zip(mA, dA) { a.add(m, over: d) }
    for (m, d) in zip(mB, dB) { b.add(m, over: d) }
    let (control, treatment) = (try #require(a.ratio), try #require(b.ratio))
    expectClose(control.mean, 1.53333333333, 1e-11)
    expectClose(treatment.mean, 2.05555555556, 1e-11)
    expectClose(control.variance, 0.395152028219, 1e-11)
    expectClose(treatment.variance, 0.382716049383, 1e-11)
    let result = MeanTest.welch(treatment: treatment, control: control)
    expectClose(result.estimate, 0.522222222222, 1e-11)
    expectClose(result.standardError, 0.303179829498, 1e-11)
    expectClose(result.statistic, 1.72248339570, 1e-11)
    expectClose(result.pValue, 0.105940320940, 1e-11)
    expectInterval(result.interval, -0.125122588375, 1.16956703282)
  }

  @Test("R14: CUPED with both kinds of theta")
  func cuped() {
    var a = CupedMoments()
    var b = CupedMoments()
    for (y, x) in zip(ReferenceSamples.a, ReferenceSamples.preA) { a.add(y, covariate: x) }
    for (y, x) in zip(ReferenceSamples.b, ReferenceSamples.preB) { b.add(y, covariate: x) }
    expectClose(Cuped.theta(treatment: b, control: a), 1.20800524934, 1e-11)
    let pooled = Cuped.compare(treatment: b, control: a)
    expectClose(pooled?.estimate, 0.636325459318, 1e-11)
    expectClose(pooled?.pValue, 0.00475273300957, 1e-10)
    expectInterval(pooled?.interval, 0.226890623709, 1.04576029493)
    expectClose(Cuped.theta(treatment: b, control: a, .withinGroups), 1.11666666667, 1e-11)
    let within = Cuped.compare(treatment: b, control: a, theta: .withinGroups)
    expectClose(within?.estimate, 0.773333333333, 1e-11)
  }

  @Test("R16: the mixture sequential probability ratio test")
  func mixture() {
    let (d, v) = difference
    let narrow = MixtureTest(priorVariance: 1e-4)
    expectClose(narrow.likelihoodRatio(estimate: d, variance: v), 1.70032026652, 1e-11)
    expectClose(narrow.pValue(estimate: d, variance: v), 0.588124496124, 1e-11)
    let wide = MixtureTest(priorVariance: 1e-3)
    expectClose(wide.likelihoodRatio(estimate: d, variance: v), 2.59126035470, 1e-11)
    expectClose(wide.pValue(estimate: d, variance: v), 0.385912591988, 1e-11)
  }

  @Test("R16: the rule with a mixing variance proportional to the estimate's")
  func scaledMixture() {
    let (d, v) = difference
    let rule = ScaledMixtureRule()
    expectClose(rule.mixingVariance(v), 3.90100143e-4, 2e-9)
    expectClose(rule.criticalValue, 3.58451535975, 1e-11)
    expectInterval(
      rule.interval(estimate: d, variance: v), -0.0210840601263, 0.0810840601263)
    expectClose(rule.pValue(estimate: d, variance: v), 0.249722842768, 1e-11)
  }

  @Test("the sequential test of sample ratios is a Dirichlet-multinomial Bayes factor")
  func sequentialRatios() throws {
    var test = try #require(SequentialSampleRatio(shares: [1, 3], concentration: 8))
    for variant in [0, 1, 1, 0, 0] { test.add(variant) }
    // B(2 + 3, 6 + 2)/B(2, 6) over ¼³·¾²: Γ(5)Γ(8)/Γ(13)·Γ(8)/(Γ(2)Γ(6)).
    let marginal = 24.0 * 5040 / 479_001_600 * 5040 / 120
    let fixed = 0.25 * 0.25 * 0.25 * 0.75 * 0.75
    expectClose(exp(test.logBayesFactor), marginal / fixed, 1e-12)
    #expect(test.pValue <= 1)
    var mismatch = try #require(SequentialSampleRatio(shares: [1, 1]))
    for number in 0..<20_000 { mismatch.add(number % 5 < 3 ? 0 : 1) }
    #expect(mismatch.pValue < 1e-6)
    #expect(SequentialSampleRatio(shares: [1, 0]) == nil)
  }

  @Test("the sequential test of final counts is that of the units one by one, in any order")
  func finalRatios() throws {
    let counts = [620, 350, 30]
    var test = try #require(SequentialSampleRatio(shares: [6, 3, 1], concentration: 50))
    for (variant, count) in counts.enumerated() { for _ in 0..<count { test.add(variant) } }
    let final = try #require(
      SequentialSampleRatio.test(counts: counts, shares: [6, 3, 1], concentrations: [50]))
    expectClose(final.logBayesFactor, test.logBayesFactor, 1e-9)
    expectClose(final.pValue, exp(-test.logBayesFactor), 1e-9)
    #expect(test.pValue <= final.pValue)
    let factors = [2.0, 50].compactMap {
      SequentialSampleRatio.test(counts: counts, shares: [6, 3, 1], concentrations: [$0])
    }.map { exp($0.logBayesFactor) }
    let mixed = try #require(
      SequentialSampleRatio.test(counts: counts, shares: [6, 3, 1], concentrations: [2, 50]))
    expectClose(exp(mixed.logBayesFactor), (factors[0] + factors[1]) / 2, 1e-9)
    #expect(SequentialSampleRatio.test(counts: [0, 0], shares: [1, 1])?.pValue == 1)
    #expect(SequentialSampleRatio.test(counts: [1, 1], shares: [1, 1], concentrations: []) == nil)
    #expect(
      SequentialSampleRatio.test(counts: [1, 1], shares: [1, 1], concentrations: [0]) == nil)
    #expect(SequentialSampleRatio.test(counts: [1], shares: [1, 1]) == nil)
    #expect(SequentialSampleRatio.test(counts: [1, -1], shares: [1, 1]) == nil)
    #expect(SequentialSampleRatio.test(counts: [1, 1], shares: [1, 0]) == nil)
  }

  @Test("the statistic of group means has expectation groups − 1 over all assignments")
  func homogeneity() throws {
    let values = [0.0, 0, 1, 3, 3, 10]
    var total = 0.0
    var deals = 0
    // Every way to deal six values to groups of three, two and one.
    for first in 0..<64 where first.nonzeroBitCount == 3 {
      for second in 0..<64 where second.nonzeroBitCount == 2 && first & second == 0 {
        let groups = [first, second, 63 & ~first & ~second].map { mask in
          Moments(values.indices.filter { mask >> $0 & 1 == 1 }.map { values[$0] })
        }
        let test = try #require(MeanHomogeneity.chiSquared(groups))
        #expect(test.degreesOfFreedom == 2)
        total += test.statistic
        deals += 1
      }
    }
    expectClose(total / Double(deals), 2, 1e-12)
    let apart = MeanHomogeneity.chiSquared([Moments([1, 1, 1]), Moments([3, 3, 3]), Moments()])
    // Means 1 and 3 around 2, and variance 6/5: 6 / 1.2.
    expectClose(apart?.statistic ?? 0, 5, 1e-12)
    expectClose(apart?.pValue ?? 0, 0.025347318677468, 1e-12)
    #expect(MeanHomogeneity.chiSquared([Moments([1, 1]), Moments([1, 1])]) == nil)
    #expect(MeanHomogeneity.chiSquared([Moments([1, 2])]) == nil)
  }

  @Test("post-stratification, and a guardrail")
  func strataAndGuardrails() throws {
    let a = SampleMean(count: 10, mean: 1, variance: 2)
    let b = SampleMean(count: 20, mean: 2, variance: 3)
    let strata = [
      PostStratification.Stratum(share: 1, treatment: b, control: a),
      PostStratification.Stratum(share: 3, treatment: a, control: a),
    ]
    let result = try #require(PostStratification.compare(strata))
    expectClose(result.estimate, 0.25)
    expectClose(result.standardError, (0.35 / 16 + 0.4 * 9 / 16).squareRoot())
    let kept = Guardrail.nonInferiority(treatment: a, control: a, margin: 1)
    #expect(kept.estimate == 0)
    expectClose(
      kept.pValue, StudentT(degreesOfFreedom: 18).upperTail(1 / 0.4.squareRoot()), 1e-12)
  }

  @Test("R17: asymptotic confidence sequences")
  func asymptotic() {
    let (d, v) = difference
    let late = AsymptoticSequence(tightestAt: 5000)
    expectClose(late.rho, 0.0398400667714, 1e-11)
    expectInterval(
      late.interval(estimate: d, standardError: v.squareRoot(), count: 2000), -0.0145179621023,
      0.0745179621023)
    expectClose(
      late.pValue(estimate: d, standardError: v.squareRoot(), count: 2000), 0.378931507586, 1e-11)
    let early = AsymptoticSequence(tightestAt: 2000)
    expectInterval(
      early.interval(estimate: d, standardError: v.squareRoot(), count: 2000), -0.0132557216245,
      0.0732557216245)
    expectClose(
      early.pValue(estimate: d, standardError: v.squareRoot(), count: 2000), 0.417837953242, 1e-11)
  }

  @Test("boundaries of unequal, dense and late looks spend the level, by another integration in NumPy to 1e-9")
  func unequalLooks() {
    let cases: [([Double], GroupSequential.Spending, [Double])] = [
      ([0.1, 0.15, 0.7, 1], .obrienFleming, [6.99135170708, 5.66968261672, 2.43799512378, 1.99993051644]),
      ([0.1, 0.15, 0.7, 1], .pocock, [2.65511004797, 2.75667455649, 2.17390298777, 2.28967316755]),
      (
        [0.3, 0.31, 0.32, 0.33, 0.9], .pocock,
        [2.31183530578, 2.50557062514, 2.56886328372, 2.60508216087, 2.18095446234]
      ),
      // More information than planned.
      ([0.75, 1.5], .pocock, [2.03950706374, 2.41975532256]),
    ]
    for (information, spending, expected) in cases {
      let boundaries = GroupSequential.boundaries(information: information, spending: spending)
      for (boundary, value) in zip(boundaries, expected) { expectClose(boundary, value, 1e-8) }
    }
    let dense = GroupSequential.boundaries(
      information: (1...20).map { Double($0) / 20 }, spending: .obrienFleming)
    expectClose(dense[9], 3.02441081896, 1e-8)
    expectClose(dense[19], 2.12282938983, 1e-8)
  }

  @Test("R19: group sequential boundaries of five looks")
  func groupSequential() {
    let looks = [0.2, 0.4, 0.6, 0.8, 1]
    let cases: [([Double], [Double])] = [
      (
        GroupSequential.boundaries(information: looks, spending: .obrienFleming),
        [4.87688, 3.35701, 2.68028, 2.28982, 2.03103]
      ),
      (
        GroupSequential.boundaries(information: looks, spending: .pocock),
        [2.43798, 2.42681, 2.41019, 2.39665, 2.38598]
      ),
      (GroupSequential.pocock(count: 5), [Double](repeating: 2.41318, count: 5)),
      (GroupSequential.obrienFleming(count: 5), [4.56174, 3.22564, 2.63372, 2.28087, 2.04007]),
      (
        GroupSequential.boundaries(information: looks, spending: .power(2)),
        [3.09023, 2.71411, 2.47277, 2.27986, 2.11403]
      ),
      (
        GroupSequential.boundaries(information: looks, spending: .power(2), twoSided: false),
        [2.87816, 2.47023, 2.20095, 1.98182, 1.79024]
      ),
    ]
    for (values, references) in cases {
      for (value, reference) in zip(values, references) { expectClose(value, reference, 4e-6) }
    }
  }
}
