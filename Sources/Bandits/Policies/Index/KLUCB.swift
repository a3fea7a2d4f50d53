public import Statistics

/// `kl-ucb:c=0`: the largest q with n·kl(m, q) ≤ ln t + c ln ln t, for rewards in 0 ... 1.
///
/// A. Garivier and O. Cappé, "The KL-UCB algorithm for bounded stochastic bandits and beyond" (COLT 2011), algorithm 1.
public struct KLUCB: DivergenceIndexPolicy {
  /// What there is to say about it.
  public static let guide = Guide(
    "kl-ucb", "the largest q with n kl(mean, q) <= ln t + c ln ln t, for rewards in 0 to 1",
    [Guide.Parameter("c", "0", "factor of ln ln t, 0 to 1e9")],
    source: "Garivier and Cappé 2011, algorithm 1")

  /// How it is written.
  public let specification: Specification
  private let c: Double

  /// Makes the policy.
  ///
  /// - Throws: `SpecificationError`: c is out of its range.
  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    c = try specification.number("c", default: 0, in: 0...1e9)
  }

  /// ln t + c ln ln t, with ln ln t only from t = e on, where it is positive.
  @inline(__always)
  public func level(_ arm: ArmTally, _ now: IndexSituation) -> Double { now.explored(c) }
}

extension IndexSituation {
  /// ln t + c ln ln t, with ln ln t only from t = e on, where it is positive.
  @inline(__always)
  func explored(_ c: Double) -> Double { log + (c > 0 && log > 1 ? c * Double.log(log) : 0) }
}
