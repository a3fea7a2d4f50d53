import Statistics
import Testing

/// References: mpmath with 50 digits.
@Suite struct StandardNormalTests {
  static let cdfReferences: [(Double, Double)] = [
    (-37.5, 4.6053530095819548e-308), (-30.0, 4.9067139271481871e-198),
    (-20.3, 6.4292444676983463e-92), (-12.7, 2.9564853648520501e-37),
    (-8.0, 6.2209605742717841e-16), (-5.1, 1.6982674071476015e-7), (-3.3, 0.00048342414238377751),
    (-1.96, 0.024997895148220436), (-1.0, 0.15865525393145705), (-0.3, 0.38208857781104737),
    (-1e-09, 0.49999999960105772), (0.0, 0.5), (0.7, 0.75803634777692697),
    (1.5, 0.93319279873114193), (4.0, 0.99996832875816688), (8.2, 0.99999999999999988),
  ]

  @Test(arguments: cdfReferences)
  func theCdfIsGoodTo5e16(x: Double, expected: Double) {
    #expect(relativeError(StandardNormal.cdf(x), expected) <= 5e-16)
    #expect(StandardNormal.upperTail(-x) == StandardNormal.cdf(x))
  }

  static let quantileReferences: [(Double, Double)] = [
    (1e-300, -37.047096299361199), (1e-100, -21.273453560965324), (1e-20, -9.2623400897984076),
    (1e-09, -5.9978070150076869), (1e-05, -4.2648907939228246), (0.001, -3.0902323061678135),
    (0.025, -1.9599639845400542), (0.0749, -1.4402382675279637), (0.0751, -1.43882539275254),
    (0.2, -0.84162123357291417), (0.4999999, -2.5066282747031065e-7),
    (0.5000001, 2.5066282733116483e-7), (0.75, 0.67448975019608174), (0.975, 1.9599639845400539),
    (0.99999, 4.2648907939238408),
  ]

  @Test(arguments: quantileReferences)
  func theQuantileIsGoodTo5e16(p: Double, expected: Double) {
    #expect(relativeError(StandardNormal.quantile(p), expected) <= 5e-16)
  }

  @Test func theEndsAreInfinite() {
    #expect(StandardNormal.quantile(0) == -.infinity)
    #expect(StandardNormal.quantile(0.5) == 0)
    #expect(StandardNormal.quantile(1) == .infinity)
    #expect(StandardNormal.cdf(-.infinity) == 0)
    #expect(StandardNormal.cdf(.infinity) == 1)
    #expect(StandardNormal.cdf(.nan).isNaN)
  }

  @Test func theDensityAtZeroIsOneOverTheRootOfTwoPi() {
    #expect(relativeError(StandardNormal.density(0), 0.39894228040143268) <= 1e-16)
    #expect(relativeError(StandardNormal.density(3), 0.0044318484119380075) <= 1e-15)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func theQuantileRisesWithTheProbability(seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    let sorted = (0..<2000).map { _ in Draw.openUnit(using: &generator) }.sorted()
    for (p, q) in zip(sorted, sorted.dropFirst()) where p < q {
      #expect(StandardNormal.quantile(p) <= StandardNormal.quantile(q), "\(p) \(q)")
    }
  }
}
