public import Specifications

/// `beta:a=1;2,b=2;1` or `beta:means=0.2;0.4,concentration=10`: Beta-distributed rewards.
public struct BetaEnvironment: StationaryEnvironment {
  private static let a = Parameter.numbers(
    "a", in: 0.001...1e6, "the first parameter of each variant, {range}")
  private static let b = Parameter.numbers(
    "b", in: 0.001...1e6, "the second one, for all variants or for each, {range}")
  private static let means = Parameter.numbers(
    "means", in: 0.001...0.999, "the mean of each variant, {range}; instead of a and b")
  private static let concentration = Parameter.numbers(
    "concentration", default: 1, in: 0.01...1e6,
    "a + b where means are given, for all variants or for each, {range}")

  public static let info = SpecificationInfo(
    "beta", "Beta rewards between 0 and 1",
    [a, b, means, concentration],
    source: "Johnson, Kotz and Balakrishnan 1995, chapter 25")

  public let specification: Specification
  public let distributions: [RewardDistribution]

  /// Creates the environment; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range.
  public init(means: [Double], concentration: [Double]? = nil) throws(SpecificationError) {
    try self.init(
      Self.info.specification(Self.means.written(means), Self.concentration.written(concentration))
    )
  }

  /// Creates the environment; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range.
  public init(a: [Double], b: [Double]) throws(SpecificationError) {
    try self.init(Self.info.specification(Self.a.written(a), Self.b.written(b)))
  }

  /// Creates the environment that a specification describes.
  ///
  /// - Throws: `SpecificationError` if neither means nor both parameters are given, or the numbers of values differ.
  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    if specification["means"] != nil {
      try specification.refuse(["a", "b"], beside: "means")
      let means = try Self.means.value(in: specification)
      let sums = try Self.concentration.value(in: specification, variants: means.count)
      distributions = zip(means, sums).map { .beta(a: $0 * $1, b: (1 - $0) * $1) }
    } else {
      guard specification["a"] != nil, specification["b"] != nil else {
        throw SpecificationError(
          "beta needs a and b, or means; write beta:a=1;2,b=2;1 or beta:means=0.2;0.4,concentration=10"
        )
      }
      try specification.refuse(["concentration"], beside: "a and b")
      let a = try Self.a.value(in: specification)
      let b = try Self.b.value(in: specification, variants: a.count)
      distributions = zip(a, b).map { .beta(a: $0, b: $1) }
    }
  }

  public var rewards: ClosedRange<Double>? { 0...1 }
}
