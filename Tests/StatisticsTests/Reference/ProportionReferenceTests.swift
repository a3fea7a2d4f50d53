import Testing

@testable import Statistics

@Suite("Reference numbers: proportions")
struct ProportionReferenceTests {
  private let control = ReferenceSamples.control
  private let treatment = ReferenceSamples.treatment

  @Test("R4: two proportions, each test by its name")
  func twoProportions() {
    let pooled = ProportionTest.pooledZ(treatment: treatment, control: control)
    expectClose(pooled?.statistic, 2.10274060562, 1e-11)
    expectClose(pooled?.pValue, 0.0354884504665, 1e-11)
    let chi = ProportionTest.chiSquared(treatment: treatment, control: control)
    expectClose(chi?.statistic, 4.42151805453, 1e-11)
    expectClose(chi?.pValue, 0.0354884504665, 1e-11)
    let yates = ProportionTest.chiSquared(treatment: treatment, control: control, yates: true)
    expectClose(yates?.statistic, 4.13166298207, 1e-11)
    expectClose(yates?.pValue, 0.0420879717672, 1e-11)
    expectClose(
      ProportionTest.fisher(treatment: treatment, control: control), 0.0419045483837, 1e-10)
    let unpooled = ProportionTest.unpooledZ(treatment: treatment, control: control)
    expectClose(unpooled?.pValue, 0.0352853202505, 1e-11)
    expectInterval(unpooled?.interval, 0.00206793443938, 0.0579320655606)
    if let t = SampleMean(treatment), let c = SampleMean(control) {
      let welch = MeanTest.welch(treatment: t, control: c)
      expectClose(welch.pValue, 0.0354114902575, 1e-11)
      expectInterval(welch.interval, 0.00205078429095, 0.0579492157091)
    }
  }

  @Test("the mid-p version of Fisher's test counts half of the observed table, as SciPy 1.17 does by hand")
  func midP() {
    let tables = [
      (0, 1_000, 5, 1_000, 0.0155468946290872), (1, 100, 0, 900, 0.95), (3, 40, 9, 30, 0.009059589971930616),
    ]
    for (x, n, y, m, lower) in tables {
      let (p, q) = (Proportion(successes: x, trials: n), Proportion(successes: y, trials: m))
      let two = ProportionTest.midP(treatment: p, control: q)
      expectClose(two?.pValue, 2 * min(lower, 1 - lower), 1e-10)
      expectClose(two?.statistic, StandardNormal.quantile(lower), 1e-9)
      let less = ProportionTest.midP(treatment: p, control: q, alternative: .less)
      expectClose(less?.pValue, lower, 1e-10)
      let greater = ProportionTest.midP(treatment: p, control: q, alternative: .greater)
      expectClose(greater?.pValue, 1 - lower, 1e-9)
    }
    let none = Proportion(successes: 0, trials: 5_000)
    let all = Proportion(successes: 2_000, trials: 5_000)
    let far = ProportionTest.midP(treatment: all, control: none)
    #expect((far?.statistic ?? 0) > 37 && (far?.statistic ?? 40) < 38)
  }

  @Test("the interval is one-sided where the alternative is", arguments: Alternative.allCases)
  func sides(alternative: Alternative) {
    let pooled = ProportionTest.pooledZ(
      treatment: treatment, control: control, alternative: alternative)
    let unpooled = ProportionTest.unpooledZ(
      treatment: treatment, control: control, alternative: alternative)
    #expect(pooled?.interval == unpooled?.interval)
    #expect(pooled?.interval?.low == -.infinity || alternative != .less)
    #expect(pooled?.interval?.high == .infinity || alternative != .greater)
  }

  @Test("R5: intervals of the difference and of the ratio")
  func intervals() {
    expectInterval(
      ProportionDifference.newcombe(treatment: treatment, control: control), 0.00200234871528,
      0.0580704850222)
    expectInterval(
      ProportionDifference.agrestiCaffo(treatment: treatment, control: control), 0.00195472377868,
      0.0579255157422)
    // The score equation solved to 40 digits, with the likelihood maximised directly. statsmodels 0.15.0
    // gives .00204182108345 and .0580387940378: its cubic has count0 · diff where Miettinen and Nurminen
    // have nobs0 · diff, so its restricted estimate does not maximise the likelihood.
    expectInterval(
      ProportionDifference.miettinenNurminen(treatment: treatment, control: control),
      0.00204159721175496, 0.0581724736599133)
    expectInterval(
      ProportionRatio.log(treatment: treatment, control: control), 1.01698427097, 1.66177594702)
    expectInterval(
      ProportionRatio.score(treatment: treatment, control: control), 1.01780285380, 1.66135916560)
  }

  @Test("R7: intervals of one proportion")
  func oneProportion() {
    expectInterval(treatment.wilsonInterval(), 0.110563774625, 0.152268026654)
    expectInterval(treatment.clopperPearsonInterval(), 0.109769312454, 0.152436494600)
    expectInterval(treatment.jeffreysInterval(), 0.110233836076, 0.151904005640)
    expectInterval(treatment.agrestiCoullInterval(), 0.110515942215, 0.152315859065)
    expectInterval(treatment.waldInterval(), 0.109156080200, 0.150843919800)
    let none = Proportion(successes: 0, trials: 20)
    expectClose(none.wilsonInterval()?.high, 0.161125158053, 1e-11)
    expectClose(none.clopperPearsonInterval()?.high, 0.168433470983, 1e-11)
    #expect(none.clopperPearsonInterval()?.low == 0)
    let all = Proportion(successes: 20, trials: 20)
    expectClose(all.clopperPearsonInterval()?.low, 1 - 0.168433470983, 1e-11)
    #expect(Proportion(successes: 0, trials: 0).jeffreysInterval() == nil)
  }
}
