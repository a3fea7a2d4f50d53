public import Specifications

/// `truncated-gaussian:means=0.3;0.7,deviations=0.5`: normal rewards truncated to two bounds. The given means are those
/// before truncation; the true means of the rewards are those of the truncated distributions.
public struct TruncatedGaussianEnvironment: StationaryEnvironment {
  public static let info = SpecificationInfo(
    "truncated-gaussian", "normal rewards truncated to two bounds",
    BoundedNormal.parameters, source: "Johnson, Kotz and Balakrishnan 1994, section 13.10")

  public let specification: Specification
  public let distributions: [RewardDistribution]
  public let rewards: ClosedRange<Double>?

  /// Creates the environment; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range or a distribution cannot be cut at the bounds.
  public init(means: [Double], deviations: [Double]? = nil, low: Double? = nil, high: Double? = nil)
    throws(SpecificationError)
  {
    try self.init(
      Self.info.specification(
        BoundedNormal.means.written(means), BoundedNormal.deviations.written(deviations),
        BoundedNormal.bounds.low.written(low), BoundedNormal.bounds.high.written(high)))
  }

  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    let bounds = try BoundedNormal.bounds.value(in: specification)
    rewards = bounds
    distributions = try BoundedNormal.variants(of: specification, bounds, .truncated)
  }
}
