import Statistics
import Testing

/// The values of C99, Annex F, and what follows from the definitions.
@Suite("Special values of elementary functions")
struct ElementarySpecialValueTests {
  private static let inf = Double.infinity
  private static let tiny = Double.leastNonzeroMagnitude
  private static let huge = Double.greatestFiniteMagnitude

  /// The same number, and the same zero, or both no number.
  private func expectSame(
    _ value: Double, _ expected: Double, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let isSame =
      expected.isNaN
      ? value.bitPattern == Double.nan.bitPattern : value.bitPattern == expected.bitPattern
    #expect(isSame, "\(value) is not \(expected)", sourceLocation: sourceLocation)
  }

  @Test("a NaN gives the one quiet NaN", arguments: ElementaryFunction.functions)
  func notANumber(function: ElementaryFunction) {
    expectSame(function.evaluate(.nan, 2), .nan)
    expectSame(function.evaluate(Double(bitPattern: 0xFFF8_0000_0000_0001), 2), .nan)
  }

  @Test("zeros keep their sign", arguments: ElementaryFunction.functions)
  func zeros(function: ElementaryFunction) {
    guard ["log1p", "expm1", "sin", "asin", "asinh", "erf"].contains(function.name) else { return }
    for x in [0, -0.0, Self.tiny, -Self.tiny, 0x1p-1022, -0x1p-1022] where function.name != "erf" {
      expectSame(function.evaluate(x, 0), x)
    }
    expectSame(function.evaluate(0, 0), 0)
    expectSame(function.evaluate(-0.0, 0), -0.0)
  }

  @Test("logarithms")
  func logarithms() {
    for log: (Double) -> Double in [{ Double.log($0) }, Double.log2, Double.log10] {
      expectSame(log(0), -Self.inf)
      expectSame(log(-0.0), -Self.inf)
      expectSame(log(-1), .nan)
      expectSame(log(-Self.inf), .nan)
      expectSame(log(Self.inf), Self.inf)
      expectSame(log(1), 0)
    }
    expectSame(Double.log(onePlus: -1), -Self.inf)
    expectSame(Double.log(onePlus: -1.5), .nan)
    expectSame(Double.log(onePlus: -Self.inf), .nan)
    expectSame(Double.log(onePlus: Self.inf), Self.inf)
    for k in -1074...1023 {
      #expect(Double.log2(Double(sign: .plus, exponent: k, significand: 1)) == Double(k))
    }
    for (k, power) in Self.powersOfTen.enumerated() {
      #expect(Double.log10(power) == Double(k))
      #expect(Double.exp10(Double(k)) == power)
      #expect(Double.pow(10, Double(k)) == power)
    }
  }

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  @Test("exponential functions")
  func exponentials() {
    for exp in [Double.exp, Double.exp2, Double.exp10] {
      expectSame(exp(0), 1)
      expectSame(exp(-0.0), 1)
      expectSame(exp(Self.tiny), 1)
      expectSame(exp(Self.inf), Self.inf)
      expectSame(exp(-Self.inf), 0)
      expectSame(exp(Self.huge), Self.inf)
      expectSame(exp(-Self.huge), 0)
    }
    expectSame(Double.exp(709.782712893384), 0x1.fffffffffff2ap1023)
    expectSame(Double.exp(709.7827128933841), Self.inf)
    expectSame(Double.exp(-745.1332191019411), Self.tiny)
    expectSame(Double.exp(-745.1332191019412), 0)
    expectSame(Double.exp2(-1074), Self.tiny)
    expectSame(Double.exp2(-1075), 0)
    expectSame(Double.exp2(1024), Self.inf)
    expectSame(Double.expMinusOne(Self.inf), Self.inf)
    expectSame(Double.expMinusOne(-Self.inf), -1)
    expectSame(Double.expMinusOne(710), Self.inf)
    expectSame(Double.expMinusOne(-50), -1)
  }

  @Test("powers of zeros and infinities")
  func powersOfLimits() {
    let (zero, inf) = (0.0, Self.inf)
    for (x, y, value): (Double, Double, Double) in [
      (0, -3, inf), (-zero, -3, -inf), (0, -2, inf), (-zero, -2, inf), (-zero, -2.5, inf),
      (0, -inf, inf), (-zero, -inf, inf), (0, 3, 0), (-zero, 3, -zero), (0, 2, 0), (-zero, 2, 0),
      (-zero, 0.5, 0), (-1, inf, 1), (-1, -inf, 1), (0.5, -inf, inf), (-0.5, -inf, inf),
      (2, -inf, 0), (-2, -inf, 0), (0.5, inf, 0), (-0.5, inf, 0), (2, inf, inf), (-2, inf, inf),
      (-inf, -3, -zero), (-inf, -2, 0), (-inf, -0.5, 0), (-inf, 3, -inf), (-inf, 2, inf),
      (-inf, 0.5, inf), (inf, -1, 0), (inf, 0.5, inf), (-inf, inf, inf), (-inf, -inf, 0),
    ] {
      expectSame(Double.pow(x, y), value)
    }
  }

  @Test("powers of ones and negative numbers, and out of range")
  func otherPowers() {
    for x in [0, -0.0, 1, -2.5, Self.inf, -Self.inf, .nan] {
      expectSame(Double.pow(x, 0), 1)
      expectSame(Double.pow(x, -0.0), 1)
      expectSame(Double.pow(1, x), 1)
    }
    expectSame(Double.pow(2, .nan), .nan)
    expectSame(Double.pow(-2, 0.5), .nan)
    expectSame(Double.pow(-2, 3), -8)
    expectSame(Double.pow(-2, 4), 16)
    expectSame(Double.pow(-1, 0x1p53 - 1), -1)
    expectSame(Double.pow(-1, 0x1p53), 1)
    expectSame(Double.pow(-2, 0x1p53), Self.inf)
    expectSame(Double.pow(-2, 0x1p53 - 1), -Self.inf)
    expectSame(Double.pow(-2, -1075), -0.0)
    expectSame(Double.pow(2, -1074), Self.tiny)
    expectSame(Double.pow(2, 1024), Self.inf)
    expectSame(Double.pow(0.5, 1e300), 0)
    expectSame(Double.pow(1.5, 1e300), Self.inf)
    expectSame(Double.pow(1.5, 1e-300), 1)
    expectSame(Double.pow(Self.tiny, 1), Self.tiny)
    expectSame(Double.pow(Self.huge, 1), Self.huge)
    for (x, y) in (1...300).map({ (Double($0), Double($0 % 7)) }) {
      expectSame(Double.pow(x, y), (0..<Int(y)).reduce(1) { product, _ in product * x })
    }
  }

  @Test("angles, error functions and the Gamma function")
  func others() {
    for function in [Double.sin, Double.cos] {
      expectSame(function(Self.inf), .nan)
      expectSame(function(-Self.inf), .nan)
    }
    expectSame(Double.cos(0), 1)
    expectSame(Double.asin(1), .pi / 2)
    expectSame(Double.asin(-1), -.pi / 2)
    expectSame(Double.acos(1), 0)
    expectSame(Double.acos(-1), .pi)
    expectSame(Double.acos(0), .pi / 2)
    expectSame(Double.asin(1.0.nextUp), .nan)
    expectSame(Double.acos(-2), .nan)
    expectSame(Double.asinh(Self.inf), Self.inf)
    expectSame(Double.asinh(-Self.inf), -Self.inf)
    expectSame(Double.erf(Self.inf), 1)
    expectSame(Double.erf(-Self.inf), -1)
    expectSame(Double.erfc(Self.inf), 0)
    expectSame(Double.erfc(-Self.inf), 2)
    expectSame(Double.erfc(0), 1)
    expectSame(Double.logGamma(0), Self.inf)
    expectSame(Double.logGamma(-1.5), .nan)
    expectSame(Double.logGamma(1), 0)
    expectSame(Double.logGamma(2), 0)
    expectSame(Double.logGamma(Self.inf), Self.inf)
    expectSame(Double.logGamma(Self.huge), Self.inf)
  }
}
