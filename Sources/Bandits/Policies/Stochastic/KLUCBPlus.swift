public import Specifications
internal import Statistics

/// `kl-ucb-plus`: the largest q with n·kl(m, q) ≤ ln(t/n), for rewards in 0 ... 1.
///
/// A. Garivier and O. Cappé, "The KL-UCB algorithm for bounded stochastic bandits and beyond" (COLT 2011), where it is
/// called KL-UCB+; t is the number of decisions so far.
public struct KLUCBPlus: DivergenceIndexPolicy, Parameterless {
  /// Creates the policy.
  public init() {}

  public static let info = SpecificationInfo(
    "kl-ucb-plus", "the largest q with n kl(mean, q) <= ln(t / n), for rewards in 0 to 1",
    source: "Garivier and Cappé 2011, KL-UCB+")

  /// ln(t/n).
  public func level(_ arm: ArmTally, _ now: IndexSituation) -> Double {
    Double.log(now.decisions / Double(arm.decisions))
  }
}
