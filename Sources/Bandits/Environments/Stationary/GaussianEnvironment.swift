public import Statistics

/// `gaussian:means=0;1,deviations=1`: normal rewards.
public struct GaussianEnvironment: StationaryEnvironment {
  /// What there is to say about it.
  public static let guide = Guide(
    "gaussian", "normal rewards",
    [
      Guide.Parameter("means", nil, "the mean of each variant, such as 0;0.5;1"),
      Guide.Parameter(
        "deviations", "1", "the standard deviation of all variants, or of each, 0 or more"),
    ],
    source: "Lattimore and Szepesvári 2020, section 4.1")

  /// How it is written.
  public let specification: Specification
  /// The variants' distributions.
  public let distributions: [RewardDistribution]

  /// Makes the environment.
  ///
  /// - Throws: `SpecificationError`: there are no means, or the numbers do not fit.
  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    let means = try specification.numbers("means", in: ParameterRanges.finite)
    let deviations = try specification.numbers(
      "deviations", default: 1, variants: means.count, in: ParameterRanges.deviations)
    distributions = zip(means, deviations).map { .gaussian(mean: $0, deviation: $1) }
  }
}
