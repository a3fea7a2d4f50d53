public import Specifications

/// `slope:estimator=clipped-ips,values=1;2;5;10`: chooses the most biased, least variable estimator whose interval
/// still has a value in common with those of all less biased ones.
///
/// Y. Su, P. Srinath and A. Krishnamurthy, "Adaptive estimator selection for off-policy evaluation" (ICML 2020), with
/// intervals of twice z standard errors to either side.
///
/// Known failure: if the least biased interval reaches down to zero, as with rare rewards and large weights, it has a
/// value in common with every other one, and the most biased candidate is chosen, however far off it is. Open Bandit
/// Pipeline's version takes the smallest λ on most of its own example data, where the estimate falls to 0 to 62 % of
/// IPS. Look at the choice, and compare with ``CrossValidated``.
public struct Slope: ChoosingEstimator {
  private static let level = Parameter.number(
    "level", default: 0.95, in: 0.01...0.999_999, "confidence level of the intervals, {range}")

  public static let info = SpecificationInfo(
    "slope", "chooses a parameter by intervals that overlap with all less biased ones",
    [CandidateParameters.estimator, CandidateParameters.values, level],
    source: "Su, Srinath and Krishnamurthy 2020")

  public let specification: Specification
  public let candidates: [any TunableEstimator]
  private let level: Double

  public init(
    _ specification: Specification, estimators: EstimatorCatalog
  ) throws(SpecificationError) {
    self.specification = specification
    candidates = try CandidateParameters.candidates(specification, estimators)
    level = try Self.level.value(in: specification)
  }

  public func makeSums() -> ChoiceSums {
    ChoiceSums(candidates, .slope(width: -2 * StandardNormal.quantile((1 - level) / 2)))
  }
}
