public import Specifications
internal import Statistics

/// `kl-ucb:c=0`: the largest q with n·kl(m, q) ≤ ln t + c ln ln t, for rewards in 0 ... 1.
///
/// A. Garivier and O. Cappé, "The KL-UCB algorithm for bounded stochastic bandits and beyond" (COLT 2011), algorithm 1.
public struct KLUCB: DivergenceIndexPolicy, LogLogPolicy {
  /// The factor of ln ln t.
  public var c = 0.0
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "kl-ucb", "the largest q with n kl(mean, q) <= ln t + c ln ln t, for rewards in 0 to 1",
    source: "Garivier and Cappé 2011, algorithm 1", example: "kl-ucb:c=0")

  /// ln t + c ln ln t, with ln ln t only from t = e on, where it is positive.
  @inline(__always)
  public func level(_ arm: ArmTally, _ now: IndexSituation) -> Double { now.log.explored(c) }

  @inline(__always)
  public func levelSlope(_ now: IndexSituation) -> Double { now.log.exploredSlope(c) }
}

/// An index policy whose only parameter is the factor c of ln ln t in its level ln t + c ln ln t.
protocol LogLogPolicy: IndexPolicy {
  /// The factor of ln ln t.
  var c: Double { get set }
}

extension LogLogPolicy {
  public static var parameters: [Field] { [Field.logLogFactor(\.c)] }
}

extension ParameterField {
  /// Declares the factor c of `explored`.
  static func logLogFactor(_ path: any ParameterPath<Made, Double>) -> Self {
    .number("c", path, in: 0...1e9, "factor of ln ln t, {range}")
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
