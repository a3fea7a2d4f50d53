public import Specifications

/// `bernoulli:means=0.1;0.2;0.9`: Bernoulli rewards, 1 with the probability of the variant, otherwise 0.
public struct BernoulliEnvironment: StationaryEnvironment {
  private static let means = Parameter.numbers(
    "means", in: 0...1, "the probability of a 1 for each variant, such as 0.1;0.2;0.9")

  public static let info = SpecificationInfo(
    "bernoulli", "rewards of 0 and 1",
    [means],
    source: "Lattimore and Szepesvári 2020, section 4.1")

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
    distributions = try Self.means.value(in: specification).map { .bernoulli($0) }
  }

  public var rewards: ClosedRange<Double>? { 0...1 }
}
