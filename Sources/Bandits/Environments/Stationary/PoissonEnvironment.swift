public import Specifications

/// `poisson:means=1;2.5`: Poisson rewards.
public struct PoissonEnvironment: StationaryEnvironment {
  private static let means = Parameter.numbers(
    "means", in: 0...1e15, "the mean of each variant, {range}")

  public static let info = SpecificationInfo(
    "poisson", "Poisson rewards",
    [means],
    source: "Cappé, Garivier, Maillard, Munos and Stoltz 2013")

  public let specification: Specification
  public let distributions: [RewardDistribution]

  /// Creates the environment; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if there are no values, or one is out of range.
  public init(means: [Double]) throws(SpecificationError) {
    try self.init(Self.info.specification(Self.means.written(means)))
  }

  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    distributions = try Self.means.value(in: specification).map { .poisson(mean: $0) }
  }
}
