public import Specifications

/// `exponential:means=1;2.5`: exponential rewards.
public struct ExponentialEnvironment: StationaryEnvironment {
  /// The mean of each variant.
  public var means: [Double] = []
  public var specification = Self.info.specification()

  /// Creates the environment without the means that it needs.
  public init() {}

  public static let info = SpecificationInfo(
    "exponential", "exponential rewards",
    source: "Cappé, Garivier, Maillard, Munos and Stoltz 2013",
    example: "exponential:means=1;2")

  public static var parameters: [Field] {
    Field.numbers(
      "means", \.means, in: ParameterRanges.positive, "the mean of each variant, above 0")
  }

  public var distributions: [RewardDistribution] { means.map { .exponential(mean: $0) } }
}
