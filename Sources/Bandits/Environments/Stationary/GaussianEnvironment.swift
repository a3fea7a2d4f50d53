public import Specifications

/// `gaussian:means=0;1,deviations=1`: normal rewards.
public struct GaussianEnvironment: StationaryEnvironment {
  /// The mean of each variant.
  public var means: [Double] = []
  /// The standard deviation of all variants, or of each.
  public var deviations = [1.0]
  public var specification = Self.info.specification()

  /// Creates the environment without the means that it needs.
  public init() {}

  public static let info = SpecificationInfo(
    "gaussian", "normal rewards", source: "Lattimore and Szepesvári 2020, section 4.1",
    example: "gaussian:means=0;1,deviations=1")

  public static var parameters: [Field] {
    Field.numbers(
      "means", \.means, in: ParameterRanges.finite, "the mean of each variant, such as 0;0.5;1")
    Field.numbers(
      "deviations", \.deviations, in: ParameterRanges.deviations,
      "the standard deviation of all variants, or of each, 0 or more")
  }

  public mutating func validate() throws(SpecificationError) {
    try specification.check(deviations, of: "deviations", variants: means.count)
  }

  public var distributions: [RewardDistribution] {
    zip(means, deviations.each(of: means.count)).map { .gaussian(mean: $0, deviation: $1) }
  }
}
