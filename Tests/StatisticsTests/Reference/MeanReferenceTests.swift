import Testing

@testable import Statistics

/// Reference numbers from scipy, statsmodels, tea-tasting, gbstats and confidence, to the digits printed.
@Suite("Reference numbers: means")
struct MeanReferenceTests {
  private let a = ReferenceSamples.meanA
  private let b = ReferenceSamples.meanB

  @Test("R1: Welch's t test")
  func welch() throws {
    expectClose(a.mean, 12.01)
    expectClose(b.mean, 14.4583333333, 1e-11)
    expectClose(a.variance, 3.9454444444, 2e-11)
    expectClose(b.variance, 3.5281060606, 2e-11)
    let result = MeanTest.welch(treatment: b, control: a)
    expectClose(result.estimate, 2.4483333333, 2e-11)
    expectClose(result.standardError, 0.829791107947, 1e-12)
    expectClose(result.statistic, 2.95054178080, 1e-11)
    expectClose(result.degreesOfFreedom, 18.8477929498, 1e-11)
    expectClose(result.pValue, 0.00826175143887, 1e-11)
    expectClose(result.interval?.low, 0.710610813667, 1e-11)
    expectClose(result.interval?.high, 4.18605585300, 1e-11)
    let oneSided = MeanTest.welch(treatment: b, control: a, alternative: .greater)
    expectClose(oneSided.pValue, 0.00413087571943, 1e-11)
    let other = MeanTest.welch(treatment: a, control: b, alternative: .less)
    expectClose(other.pValue, 0.00413087571943, 1e-11)
  }

  @Test("R2: the pooled t test and its effect sizes")
  func pooled() {
    let result = MeanTest.pooled(treatment: b, control: a)
    expectClose(result.statistic, 2.96631543806, 1e-11)
    #expect(result.degreesOfFreedom == 20)
    expectClose(result.pValue, 0.00763250031903, 1e-11)
    expectClose(MeanTest.cohensD(treatment: b, control: a), 1.27010039012, 1e-11)
    expectClose(MeanTest.hedgesG(treatment: b, control: a), 1.22186872974, 1e-11)
  }

  @Test("R6: relative lift, by four methods and two distributions")
  func lift() {
    let deltaT = RelativeLift.deltaT(treatment: b, control: a)
    expectClose(deltaT?.estimate, 0.203857896198, 1e-11)
    expectClose(deltaT?.standardError, 0.0774762759523, 1e-11)
    expectClose(deltaT?.pValue, 0.0165216263752, 1e-11)
    expectInterval(deltaT?.interval, 0.0416095084133, 0.366106283982)
    let logT = RelativeLift.logT(treatment: b, control: a)
    expectInterval(logT?.interval, 0.0509864968682, 0.378965227961)
    let fieller = RelativeLift.fieller(treatment: b, control: a)
    expectInterval(fieller?.interval, 0.0634527428736, 0.369831174793)
    let deltaZ = RelativeLift.deltaZ(treatment: b, control: a)
    expectInterval(deltaZ?.interval, 0.0520071856748, 0.355708606720)
    let logZ = RelativeLift.logZ(treatment: b, control: a)
    expectInterval(logZ?.interval, 0.0611938770685, 0.365701278112)
  }

  @Test("R36: values that are large beside their spread keep their variance")
  func numericTrap() {
    let values: [Double] = [1_000_000_004, 1_000_000_007, 1_000_000_013, 1_000_000_016]
    expectClose(Moments(values).variance, 30)
  }

  @Test("without spread there is no test, and the interval is the estimate")
  func noSpread() {
    let flat = SampleMean(count: 3, mean: 2, variance: 0)
    let result = MeanTest.welch(treatment: flat, control: flat)
    #expect(result.pValue == nil && result.interval == Interval(0, 0))
    let zero = SampleMean(count: 3, mean: 0, variance: 1)
    #expect(RelativeLift.deltaT(treatment: flat, control: zero) == nil)
    #expect(RelativeLift.logT(treatment: zero, control: flat) == nil)
    let unsure = SampleMean(count: 3, mean: 0.1, variance: 1)
    let fieller = RelativeLift.fieller(treatment: flat, control: unsure)
    #expect(fieller?.interval == nil)
  }

  @Test("degrees of freedom do not depend on the scale", arguments: [1e-150, 1e-100, 1e100, 1e150])
  func scale(scale: Double) {
    let a = SampleMean(count: 10, mean: 0, variance: 4 * scale * scale)
    let b = SampleMean(count: 12, mean: scale, variance: 3 * scale * scale)
    expectClose(
      MeanTest.welch(treatment: b, control: a).degreesOfFreedom,
      0.65 * 0.65 / (0.16 / 9 + 0.0625 / 11), 1e-12)
  }
}
