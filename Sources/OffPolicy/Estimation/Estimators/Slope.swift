public import Specifications
internal import Statistics

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
  public static let info = SpecificationInfo(
    "slope", "chooses a parameter by intervals that overlap with all less biased ones",
    source: "Su, Srinath and Krishnamurthy 2020", example: "slope:values=1;2;5;10")

  public var choice = EstimatorChoice()
  /// The confidence level of the intervals.
  public var level = 0.95
  public var specification = Self.info.specification()

  /// Creates the estimator with the default of each parameter.
  public init() {}

  public static var parameters: [Field] {
    choiceParameters
    Field.number(
      "level", \.level, in: 0.01...0.999_999, "confidence level of the intervals, {range}")
  }

  /// Returns the last candidate up to which all intervals have a value in common.
  public func chosen(by sums: [MomentSums]) -> Int? {
    let width = -2 * StandardNormal.quantile((1 - level) / 2)
    var (low, high) = (-Double.infinity, Double.infinity)
    var last: Int?
    for index in sums.indices {
      guard let value = sums[index].value(.mean), let error = sums[index].standardError(.mean)
      else { return last }
      low = max(low, value - width * error)
      high = min(high, value + width * error)
      guard low <= high else { return last }
      last = index
    }
    return last
  }
}
