import Testing

@testable import Statistics

/// References: mpmath with 50 digits.
@Suite struct SpecialFunctionsTests {
  static let logBetaReferences: [(Double, Double, Double)] = [
    (0.001, 0.002, 7.3132171044172354), (0.5, 0.5, 1.1447298858494002), (1.0, 1.0, 0),
    (1.5, 2.5, -1.6278588363903811), (3.0, 9.9, -6.4646887659331807),
    (0.25, 10.0, 0.72182633330350077), (9.5, 12.0, -14.660284594004006),
    (10.0, 10.0, -13.736229227036555), (1.0, 1000.0, -6.9077552789821371),
    (0.5, 1000000000.0, -9.7892679754235055), (123.25, 4567.5, -571.61374025681677),
    (1000000.0, 2000000.0, -1909548.290968533), (10000000000.0, 3.0, -68.384405609561425),
    (1e-300, 1e-300, 691.46867507877365),
  ]

  @Test(arguments: logBetaReferences)
  func logBetaIsGoodTo4e15OfTheLargerOfOneAndTheResult(a: Double, b: Double, expected: Double) {
    let bound = 4e-15 * max(1, abs(expected))
    #expect(abs(SpecialFunctions.logBeta(a, b) - expected) <= bound)
    #expect(SpecialFunctions.logBeta(a, b) == SpecialFunctions.logBeta(b, a))
  }

  static let tailReferences: [(Double, Double, Double, Double, Double)] = [
    (0.25, 0.5, 0.5, 0.33333333333333333, 0.66666666666666667),
    (0.5, 0.01, 0.02, 0.6667194610412722, 0.3332805389587278),
    (0.1, 2.0, 3.0, 0.052300000000000005, 0.94769999999999999),
    (0.9, 2.0, 3.0, 0.9963, 0.0036999999999999976),
    (0.001, 0.3, 40.0, 0.41934500073498063, 0.58065499926501937),
    (0.999, 40.0, 0.3, 0.58065499926501926, 0.41934500073498074),
    (0.3, 20.0, 50.0, 0.61749075161876637, 0.38250924838123363),
    (0.01, 5.0, 1.0, 1.0000000000000001e-10, 0.9999999999), (0.5, 1.0, 1.0, 0.5, 0.5),
    (0.125, 130.0, 870.0, 0.32562589157277636, 0.67437410842722364),
    (0.13, 130.5, 870.5, 0.49536880262857994, 0.50463119737142006),
    (0.4, 1000.0, 1000.0, 8.2316113548693079e-20, 1.0),
    (0.505, 1000.0, 1000.0, 0.67262343455105058, 0.32737656544894942),
    (0.2, 500.0, 700.0, 1.1452964436285301e-65, 1.0),
    (1e-12, 0.05, 2.0, 0.26374807530849333, 0.73625192469150667),
    (0.5, 30.0, 0.05, 3.5428408739787788e-12, 0.99999999999645716),
  ]

  @Test(arguments: tailReferences)
  func bothTailsOfTheIncompleteBetaAreGoodTo1e12(
    x: Double, a: Double, b: Double, lower: Double, upper: Double
  ) {
    #expect(relativeError(SpecialFunctions.incompleteBeta(x, a, b), lower) <= 1e-12)
    #expect(abs(SpecialFunctions.incompleteBeta(x, a, b) - lower) <= 4e-15)
    #expect(abs(SpecialFunctions.incompleteBetaComplement(x, a, b) - upper) <= 4e-15)
    if upper > 1e-3 {
      #expect(relativeError(SpecialFunctions.incompleteBetaComplement(x, a, b), upper) <= 1e-12)
    }
  }

  @Test func theIncompleteBetaReachesItsEnds() {
    #expect(SpecialFunctions.incompleteBeta(0, 2, 3) == 0)
    #expect(SpecialFunctions.incompleteBeta(1, 2, 3) == 1)
    #expect(SpecialFunctions.incompleteBetaComplement(0, 2, 3) == 1)
    #expect(SpecialFunctions.incompleteBetaComplement(1, 2, 3) == 0)
    #expect(SpecialFunctions.inverseIncompleteBeta(0, 2, 3) == 0)
    #expect(SpecialFunctions.inverseIncompleteBeta(1, 2, 3) == 1)
  }

  @Test func hugeParametersKeepTheSymmetricMedian() {
    #expect(abs(SpecialFunctions.incompleteBeta(0.5, 1e8, 1e8) - 0.5) <= 1e-14)
  }

  static let inverseReferences: [(Double, Double, Double, Double)] = [
    (0.025, 1.0, 20.0, 0.0012650894979498038), (0.975, 1.0, 20.0, 0.1684334709830853),
    (0.025, 130.5, 870.5, 0.11023383607584738), (0.975, 130.5, 870.5, 0.15190400563970231),
    (0.5, 0.5, 0.5, 0.5), (0.1, 0.05, 3.0, 2.3000470006648375e-21),
    (1e-20, 4.0, 6.0, 2.9847548047666355e-6), (0.3, 0.2, 0.1, 0.36864854932528366),
    (0.999, 0.3, 900.0, 0.0051209894721735694), (0.5, 800.0, 1200.0, 0.39996666016586151),
    (0.01, 2.0, 1000.0, 0.00014846949677615599),
  ]

  @Test(arguments: inverseReferences)
  func theInverseIsGoodTo1e13(p: Double, a: Double, b: Double, expected: Double) {
    #expect(relativeError(SpecialFunctions.inverseIncompleteBeta(p, a, b), expected) <= 1e-13)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func theInverseUndoesTheFunctionForRandomParameters(seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    for _ in 0..<300 {
      let a = 0.5 + 200 * Draw.unit(using: &generator)
      let b = 0.5 + 200 * Draw.unit(using: &generator)
      let p = Draw.openUnit(using: &generator)
      let x = SpecialFunctions.inverseIncompleteBeta(p, a, b)
      // Half a unit in the last place of x moves the tail by the density times x·2⁻⁵³.
      #expect(abs(SpecialFunctions.incompleteBeta(x, a, b) - p) <= 1e-13, "\(a) \(b) \(p)")
    }
  }

  @Test func tinyParametersPutTheQuantileAtTheEnds() {
    #expect(SpecialFunctions.inverseIncompleteBeta(0.4, 1e-5, 2) == 0)
    #expect(SpecialFunctions.inverseIncompleteBeta(0.4, 2, 1e-5) == 1)
  }

  @Test func stirlingErrorIsWhatStirlingsFormulaLeavesOfFactorials() {
    // ln Γ(n) of 1, 2 and 20, less Stirling's formula, by mpmath.
    #expect(abs(SpecialFunctions.stirlingError(1) - 0.081061466795327258) <= 1e-15)
    #expect(abs(SpecialFunctions.stirlingError(2) - 0.041340695955409294) <= 1e-15)
    #expect(abs(SpecialFunctions.stirlingError(20) - 0.0041663196919969225) <= 1e-17)
  }
}
