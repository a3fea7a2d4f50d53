public import Specifications

/// `independent-snips`: self-normalized IPS of each slot by itself, the sum over slots k of Σwₖ·rₖ/Σwₖ.
///
/// The self-normalized form of ``IndependentInversePropensity``: `sniips` of Open Bandit Pipeline. A slot that only
/// some whole decisions have counts with their share.
public struct IndependentSelfNormalized: SlotRatioEstimator, Parameterless {
  public static let info = SpecificationInfo(
    "independent-snips", "independent-ips over the mean weight of each slot",
    source: "Li et al. 2018; McInerney et al. 2020")

  public static let multipliesWeights = false

  /// Creates the estimator.
  public init() {}
}
