public import Specifications

/// `bernoulli:means=0.1;0.2;0.9`: Bernoulli rewards, 1 with the probability of the variant, otherwise 0.
public struct BernoulliEnvironment: StationaryEnvironment {
  /// The probability of a 1 for each variant.
  public var means: [Double] = []
  public var specification = Self.info.specification()

  /// Creates the environment without the means that it needs.
  public init() {}

  public static let info = SpecificationInfo(
    "bernoulli", "rewards of 0 and 1", source: "Lattimore and Szepesvári 2020, section 4.1",
    example: "bernoulli:means=0.1;0.2;0.9")

  public static var parameters: [Field] {
    Field.numbers(
      "means", \.means, in: 0...1, "the probability of a 1 for each variant, such as 0.1;0.2;0.9")
  }

  public var distributions: [RewardDistribution] { means.map { .bernoulli($0) } }

  public var rewards: ClosedRange<Double>? { 0...1 }
}
