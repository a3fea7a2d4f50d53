import Testing

@testable import Statistics

@Suite("Reference numbers: design and checks")
struct DesignReferenceTests {
  @Test(
    "R8: sample ratio mismatch",
    arguments: [
      ([5100, 4900], [1, 1], 4, 0.0455002638964), ([5200, 4800], [1, 1], 16, 6.33424836662e-05),
      ([166_080, 171_180, 166_300], [1, 1, 1], 99.0404321233, 3.11632986544e-22),
      ([800, 9200], [0.1, 0.9], 44.4444444444, 2.61678493721e-11),
    ] as [([Int], [Double], Double, Double)])
  func sampleRatio(counts: [Int], shares: [Double], statistic: Double, pValue: Double) {
    let result = SampleRatio.chiSquared(counts: counts, shares: shares)
    expectClose(result?.statistic, statistic, 2e-12)
    expectClose(result?.pValue, pValue, 5e-12)
    #expect(result?.degreesOfFreedom == counts.count - 1)
  }

  @Test("sample ratios without units, and with an unexpected variant")
  func oddRatios() {
    #expect(SampleRatio.chiSquared(counts: [0, 0], shares: [1, 1]) == nil)
    #expect(SampleRatio.chiSquared(counts: [5], shares: [1]) == nil)
    let stray = SampleRatio.chiSquared(counts: [5, 5, 1], shares: [1, 1, 0])
    #expect(stray?.pValue == 0 && stray?.statistic == .infinity)
  }

  @Test("R21: p-values adjusted for their number")
  func multiplicity() {
    let p = [0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205, 0.212, 0.216]
    let expected: [(Multiplicity, [Double], Double)] = [
      (
        .benjaminiHochberg,
        [0.01, 0.04, 0.084, 0.084, 0.084, 0.1, 0.105714286, 0.216, 0.216, 0.216], 5e-9
      ),
      (.holm, [0.01, 0.072, 0.312, 0.312, 0.312, 0.312, 0.312, 0.615, 0.615, 0.615], 1e-12),
      (.hochberg, [0.01, 0.072] + [Double](repeating: 0.216, count: 8), 1e-12),
      (
        .hommel,
        [0.01, 0.072] + [Double](repeating: 0.185, count: 3) + [Double](repeating: 0.216, count: 5),
        1e-12
      ),
      (
        .benjaminiYekutieli,
        [
          0.0292896825, 0.1171587302, 0.2460333333, 0.2460333333, 0.2460333333, 0.2928968254,
          0.3096337868, 0.6326571429, 0.6326571429, 0.6326571429,
        ], 2e-9
      ),
    ]
    for (method, values, error) in expected {
      for (value, reference) in zip(method.adjusted(p), values) {
        expectClose(value, reference, error)
      }
      let mixed = [3, 0, 9, 5].map { p[$0] }
      let sorted = method.adjusted(mixed.sorted())
      let again = method.adjusted(mixed)
      #expect([1, 0, 3, 2].map { sorted[$0] } == again)
    }
    expectClose(Multiplicity.bonferroni.adjusted(p)[2], 0.39)
    #expect(Multiplicity.bonferroni.adjusted(p)[9] == 1)
    #expect(Multiplicity.hommel.adjusted([]) == [])
  }

  @Test("R22: power and sample size")
  func power() {
    // The references were solved to about 6e-9: at 393.405693 the power is 0.799999998, by mpmath too.
    expectClose(Power.tCount(effect: 0.2), 393.405693, 1e-8)
    expectClose(Power.zCount(effect: 0.2), 392.443987, 3e-9)
    // The reference prints 10 digits here, and 12 below.
    expectClose(Power.unpooledCount(0.1, 0.12), 3838.10219, 3e-9)
    expectClose(Power.pooledCount(0.1, 0.12), 3840.84748, 3e-9)
    expectClose(Power.arcsineCount(0.1, 0.12), 3834.59574, 3e-9)
    expectClose(Power.t(count: 100, effect: 0.3), 0.560059253581, 1e-11)
    expectClose(Power.zEffect(count: 5000), 0.0560317044, 2e-9)
    expectClose(Power.exactZCount(effect: 0.2), 392.443023, 1e-8)
    expectClose(Power.z(count: 392.443023, effect: 0.2), 0.8, 1e-8)
    expectClose(Power.t(count: 5000, effect: Power.tEffect(count: 5000)), 0.8, 1e-11)
    #expect(Power.zCount(effect: 0) == nil)
  }

  @Test("R24: quantiles by type")
  func quantiles() {
    let sorted = ReferenceSamples.a.sorted()
    let expected: [(QuantileType, [Double])] = [
      (.linear, [9.68, 12.0, 14.38]), (.weibull, [8.72, 12, 15.02]), (.hazen, [9.2, 12, 14.7]),
      (.medianUnbiased, [9.04, 12, 14.8066667]), (.inverse, [8.6, 11.9, 14.3]),
    ]
    for (type, values) in expected {
      for (p, value) in zip([0.1, 0.5, 0.9], values) {
        expectClose(type.quantile(p, of: sorted), value, 3e-9)
      }
    }
    #expect(QuantileType.linear.quantile(0, of: sorted) == 8.6)
    #expect(QuantileType.linear.quantile(1, of: sorted) == 15.1)
    #expect(QuantileType.linear.quantile(0.5, of: []) == nil)
  }
}
