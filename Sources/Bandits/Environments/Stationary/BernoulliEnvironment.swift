public import Statistics

/// `bernoulli:means=0.1;0.2;0.9`: a reward is 1 with the probability of its variant, otherwise 0.
public struct BernoulliEnvironment: StationaryEnvironment {
  private static let means = Parameter.numbers(
    "means", in: 0...1, "the probability of a 1 for each variant, such as 0.1;0.2;0.9")

  /// What there is to say about it.
  public static let guide = Guide(
    "bernoulli", "rewards of 0 and 1",
    [means],
    source: "Lattimore and Szepesvári 2020, section 4.1")

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
  /// - Throws: `SpecificationError`: there are no means, or one is no probability.
  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    distributions = try Self.means.value(in: specification).map { .bernoulli($0) }
  }

  /// 0 and 1.
  public var rewards: ClosedRange<Double>? { 0...1 }
}
