public import Specifications

/// `exponential:means=1;2.5`: exponential rewards.
public struct ExponentialEnvironment: StationaryEnvironment {
  private static let means = Parameter.numbers(
    "means", in: ParameterRanges.positive, "the mean of each variant, above 0")

  public static let info = SpecificationInfo(
    "exponential", "exponential rewards",
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
    distributions = try Self.means.value(in: specification)
      .map { .exponential(mean: $0) }
  }
}
