public import Statistics

/// `exponential:means=1;2.5`: exponential rewards.
public struct ExponentialEnvironment: StationaryEnvironment {
  /// What there is to say about it.
  public static let guide = Guide(
    "exponential", "exponential rewards",
    [Guide.Parameter("means", nil, "the mean of each variant, above 0")],
    source: "Cappé, Garivier, Maillard, Munos and Stoltz 2013")

  /// How it is written.
  public let specification: Specification
  /// The variants' distributions.
  public let distributions: [RewardDistribution]

  /// Makes the environment.
  ///
  /// - Throws: `SpecificationError`: there are no means, or one is not above 0.
  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    distributions = try specification.numbers("means", in: ParameterRanges.positive)
      .map { .exponential(mean: $0) }
  }
}
