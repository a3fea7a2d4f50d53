public import Statistics

/// `poisson:means=1;2.5`: counts as rewards.
public struct PoissonEnvironment: StationaryEnvironment {
  private static let means = Parameter.numbers(
    "means", in: 0...1e15, "the mean of each variant, {range}")

  /// What there is to say about it.
  public static let guide = Guide(
    "poisson", "counts as rewards",
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
  /// - Throws: `SpecificationError`: there are no means, or one is out of range.
  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    distributions = try Self.means.value(in: specification).map { .poisson(mean: $0) }
  }
}
