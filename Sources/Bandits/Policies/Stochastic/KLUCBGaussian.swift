public import Specifications

/// `kl-ucb-gaussian:sigma=1,c=0`: the largest q with n·(q − m)²/(2σ²) ≤ ln t + c ln ln t, which is m + σ√(2 (ln t + c
/// ln ln t)/n).
///
/// O. Cappé, A. Garivier, O.-A. Maillard, R. Munos and G. Stoltz, "Kullback–Leibler upper confidence bounds for optimal
/// sequential allocation" (Annals of Statistics 41, 2013), algorithm 1 for normal rewards of known variance.
public struct KLUCBGaussian: RootIndexPolicy {
  private static let sigma = Parameter.number(
    "sigma", default: 1, in: 1e-9...1e9,
    "standard deviation of a reward, {range}")
  private static let c = Parameter.logLogFactor

  public static let info = SpecificationInfo(
    "kl-ucb-gaussian", "mean + sigma sqrt(2 (ln t + c ln ln t) / n), for normal rewards",
    [
      sigma,
      c,
    ],
    source: "Cappé, Garivier, Maillard, Munos and Stoltz 2013, algorithm 1")

  public let specification: Specification
  private let sigma: Double
  private let c: Double

  /// Creates the policy; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range.
  public init(sigma: Double? = nil, c: Double? = nil) throws(SpecificationError) {
    try self.init(
      Self.info.specification(Self.sigma.written(sigma), Self.c.written(c)), variants: [])
  }

  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    sigma = try Self.sigma.value(in: specification)
    c = try Self.c.value(in: specification)
  }

  /// σ√(2 (ln t + c ln ln t)).
  public func width(_ log: Double) -> Double {
    sigma * (2 * log.explored(c)).squareRoot()
  }
}
