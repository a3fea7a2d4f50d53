public import Statistics

/// `exponential:means=1;2.5`: exponential rewards.
public struct ExponentialEnvironment: StationaryEnvironment {
  private static let means = Parameter.numbers(
    "means", in: ParameterRanges.positive, "the mean of each variant, above 0")

  /// What there is to say about it.
  public static let guide = Guide(
    "exponential", "exponential rewards",
    [means],
    source: "Cappé, Garivier, Maillard, Munos and Stoltz 2013")

  /// How it is written.
  public let specification: Specification
  /// The variants' distributions.
  public let distributions: [RewardDistribution]

  /// Makes the environment from values; see ``guide`` for ranges, and for the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError`: there are none, or one is out of its range.
  public init(means: [Double]) throws(SpecificationError) {
    try self.init(Self.guide.specification(Self.means.written(means)))
  }

  /// Makes the environment.
  ///
  /// - Throws: `SpecificationError`: there are no means, or one is not above 0.
  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    distributions = try Self.means.value(in: specification)
      .map { .exponential(mean: $0) }
  }
}
