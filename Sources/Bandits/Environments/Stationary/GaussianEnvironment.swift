public import Specifications

/// `gaussian:means=0;1,deviations=1`: normal rewards.
public struct GaussianEnvironment: StationaryEnvironment {
  private static let means = Parameter.numbers(
    "means", in: ParameterRanges.finite, "the mean of each variant, such as 0;0.5;1")
  private static let deviations = Parameter.numbers(
    "deviations", default: 1, in: ParameterRanges.deviations,
    "the standard deviation of all variants, or of each, 0 or more")

  public static let info = SpecificationInfo(
    "gaussian", "normal rewards",
    [means, deviations],
    source: "Lattimore and Szepesvári 2020, section 4.1")

  public let specification: Specification
  public let distributions: [RewardDistribution]

  /// Creates the environment; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range.
  public init(means: [Double], deviations: [Double]? = nil) throws(SpecificationError) {
    try self.init(
      Self.info.specification(Self.means.written(means), Self.deviations.written(deviations)))
  }

  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    let means = try Self.means.value(in: specification)
    let deviations = try Self.deviations.value(in: specification, variants: means.count)
    distributions = zip(means, deviations).map { .gaussian(mean: $0, deviation: $1) }
  }
}
