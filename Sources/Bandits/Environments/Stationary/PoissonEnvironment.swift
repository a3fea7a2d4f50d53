public import Statistics

/// `poisson:means=1;2.5`: counts as rewards.
public struct PoissonEnvironment: StationaryEnvironment {
  /// What there is to say about it.
  public static let guide = Guide(
    "poisson", "counts as rewards",
    [Guide.Parameter("means", nil, "the mean of each variant, 0 to 1e15")],
    source: "Cappé, Garivier, Maillard, Munos and Stoltz 2013")

  /// How it is written.
  public let specification: Specification
  /// The variants' distributions.
  public let distributions: [RewardDistribution]

  /// Makes the environment.
  ///
  /// - Throws: `SpecificationError`: there are no means, or one is out of range.
  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    distributions = try specification.numbers("means", in: 0...1e15).map { .poisson(mean: $0) }
  }
}
