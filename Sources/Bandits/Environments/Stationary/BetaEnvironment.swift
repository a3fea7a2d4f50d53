public import Statistics

/// `beta:a=1;2,b=2;1` or `beta:means=0.2;0.4,concentration=10`: Beta rewards.
public struct BetaEnvironment: StationaryEnvironment {
  /// What there is to say about it.
  public static let guide = Guide(
    "beta", "Beta rewards between 0 and 1",
    [
      Guide.Parameter("a", nil, "the first parameter of each variant, 0.001 to 1e6"),
      Guide.Parameter("b", nil, "the second one, for all variants or for each, 0.001 to 1e6"),
      Guide.Parameter("means", nil, "the mean of each variant, 0.001 to 0.999; instead of a and b"),
      Guide.Parameter(
        "concentration", "1",
        "a + b where means are given, for all variants or for each, 0.01 to 1e6"),
    ],
    source: "Johnson, Kotz and Balakrishnan 1995, chapter 25")

  /// How it is written.
  public let specification: Specification
  /// The variants' distributions.
  public let distributions: [RewardDistribution]

  /// Makes the environment.
  ///
  /// - Throws: `SpecificationError`: neither means nor both parameters are given, or the numbers do not fit.
  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    if specification["means"] != nil {
      try specification.refuse(["a", "b"], beside: "means")
      let means = try specification.numbers("means", in: 0.001...0.999)
      let sums = try specification.numbers(
        "concentration", default: 1, variants: means.count, in: 0.01...1e6)
      distributions = zip(means, sums).map { .beta(a: $0 * $1, b: (1 - $0) * $1) }
    } else {
      guard specification["a"] != nil, specification["b"] != nil else {
        throw SpecificationError(
          "beta needs a and b, or means; write beta:a=1;2,b=2;1 or beta:means=0.2;0.4,concentration=10"
        )
      }
      try specification.refuse(["concentration"], beside: "a and b")
      let a = try specification.numbers("a", in: 0.001...1e6)
      let b = try specification.numbers("b", default: 1, variants: a.count, in: 0.001...1e6)
      distributions = zip(a, b).map { .beta(a: $0, b: $1) }
    }
  }

  /// 0 to 1.
  public var rewards: ClosedRange<Double>? { 0...1 }
}
