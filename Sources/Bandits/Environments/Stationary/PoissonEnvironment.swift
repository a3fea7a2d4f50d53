public import Specifications

/// `poisson:means=1;2.5`: Poisson rewards.
public struct PoissonEnvironment: StationaryEnvironment {
  /// The mean of each variant.
  public var means: [Double] = []
  public var specification = Self.info.specification()

  /// Creates the environment without the means that it needs.
  public init() {}

  public static let info = SpecificationInfo(
    "poisson", "Poisson rewards", source: "Cappé, Garivier, Maillard, Munos and Stoltz 2013",
    example: "poisson:means=1;2")

  public static var parameters: [Field] {
    Field.numbers("means", \.means, in: 0...1e15, "the mean of each variant, {range}")
  }

  public var distributions: [RewardDistribution] { means.map { .poisson(mean: $0) } }
}
