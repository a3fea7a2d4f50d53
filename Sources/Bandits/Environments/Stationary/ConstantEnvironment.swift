public import Specifications

/// `constant:values=1;2;3`: deterministic rewards, for testing a policy by hand.
public struct ConstantEnvironment: StationaryEnvironment {
  /// The reward of each variant.
  public var values: [Double] = []
  public var specification = Self.info.specification()

  /// Creates the environment without the values that it needs.
  public init() {}

  public static let info = SpecificationInfo(
    "constant", "deterministic rewards", source: "Bandolier; the case without noise",
    example: "constant:values=1;2;3")

  public static var parameters: [Field] {
    Field.numbers(
      "values", \.values, in: ParameterRanges.finite, "the reward of each variant, such as 1;2;3")
  }

  public var distributions: [RewardDistribution] { values.map { .constant($0) } }

  public var rewards: ClosedRange<Double>? { values.range }
}

extension [Double] {
  /// The smallest to the largest number; nil if there are none.
  var range: ClosedRange<Double>? {
    guard let low = self.min(), let high = self.max(), low <= high else { return nil }
    return low...high
  }
}
