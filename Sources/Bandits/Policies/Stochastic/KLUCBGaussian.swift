public import Specifications

/// `kl-ucb-gaussian:sigma=1,c=0`: the largest q with n·(q − m)²/(2σ²) ≤ ln t + c ln ln t, which is m + σ√(2 (ln t + c
/// ln ln t)/n).
///
/// O. Cappé, A. Garivier, O.-A. Maillard, R. Munos and G. Stoltz, "Kullback–Leibler upper confidence bounds for optimal
/// sequential allocation" (Annals of Statistics 41, 2013), algorithm 1 for normal rewards of known variance.
public struct KLUCBGaussian: RootIndexPolicy {
  /// The standard deviation of a reward.
  public var sigma = 1.0
  /// The factor of ln ln t.
  public var c = 0.0
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "kl-ucb-gaussian", "mean + sigma sqrt(2 (ln t + c ln ln t) / n), for normal rewards",
    source: "Cappé, Garivier, Maillard, Munos and Stoltz 2013, algorithm 1",
    example: "kl-ucb-gaussian:sigma=1,c=0")

  public static var parameters: [Field] {
    Field.number("sigma", \.sigma, in: 1e-9...1e9, "standard deviation of a reward, {range}")
    Field.logLogFactor(\.c)
  }

  /// σ√(2 (ln t + c ln ln t)).
  public func width(_ log: Double) -> Double {
    sigma * (2 * log.explored(c)).squareRoot()
  }
}
