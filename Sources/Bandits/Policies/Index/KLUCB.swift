public import Specifications
internal import Statistics

/// `kl-ucb:c=0`: the largest q with n·kl(m, q) ≤ ln t + c ln ln t, for rewards in 0 ... 1.
///
/// A. Garivier and O. Cappé, "The KL-UCB algorithm for bounded stochastic bandits and beyond" (COLT 2011), algorithm 1.
public struct KLUCB: DivergenceIndexPolicy {
  private static let c = Parameter.logLogFactor

  public static let info = SpecificationInfo(
    "kl-ucb", "the largest q with n kl(mean, q) <= ln t + c ln ln t, for rewards in 0 to 1",
    [c],
    source: "Garivier and Cappé 2011, algorithm 1")

  public let specification: Specification
  private let c: Double

  /// Creates the policy; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range.
  public init(c: Double? = nil) throws(SpecificationError) {
    try self.init(Self.info.specification(Self.c.written(c)), variants: [])
  }

  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    c = try Self.c.value(in: specification)
  }

  /// ln t + c ln ln t, with ln ln t only from t = e on, where it is positive.
  @inline(__always)
  public func level(_ arm: ArmTally, _ now: IndexSituation) -> Double { now.log.explored(c) }

  @inline(__always)
  public func levelSlope(_ now: IndexSituation) -> Double { now.log.exploredSlope(c) }
}

extension Parameter where Value == Double {
  /// The factor c of `explored`.
  static var logLogFactor: Parameter {
    .number("c", default: 0, in: 0...1e9, "factor of ln ln t, {range}")
  }
}

extension Double {
  /// Returns ln t + c ln ln t for this ln t, with ln ln t only from t = e on, where it is positive.
  @inline(__always)
  func explored(_ c: Double) -> Double { self + (c > 0 && self > 1 ? c * Double.log(self) : 0) }

  /// Returns a bound on the slope of `explored` from this ln t on.
  @inline(__always)
  func exploredSlope(_ c: Double) -> Double { c > 0 ? 1 + c / Swift.max(1, self) : 1 }
}
