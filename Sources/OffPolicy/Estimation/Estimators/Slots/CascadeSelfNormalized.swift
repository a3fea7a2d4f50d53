public import Specifications

/// `cascade-snips`: self-normalized reward interaction IPS, the sum over slots k of ΣWₖ·rₖ/ΣWₖ, where Wₖ is the product
/// of the weights up to slot k.
///
/// The self-normalized form of ``CascadeInversePropensity``: `snrips` of Open Bandit Pipeline. A slot that only some
/// whole decisions have counts with their share.
public struct CascadeSelfNormalized: SlotRatioEstimator, Parameterless {
  public static let info = SpecificationInfo(
    "cascade-snips", "cascade-ips over the mean of each slot's products of weights",
    source: "McInerney et al. 2020")

  public static let multipliesWeights = true

  /// Creates the estimator.
  public init() {}
}
