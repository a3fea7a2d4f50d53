public import Specifications

/// `constant:values=1;2;3`: deterministic rewards, for testing a policy by hand.
public struct ConstantEnvironment: StationaryEnvironment {
  private static let values = Parameter.numbers(
    "values", in: ParameterRanges.finite, "the reward of each variant, such as 1;2;3")

  public static let info = SpecificationInfo(
    "constant", "deterministic rewards",
    [values],
    source: "Bandolier; the case without noise")

  public let specification: Specification
  public let distributions: [RewardDistribution]
  public let rewards: ClosedRange<Double>?

  /// Creates the environment; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if there are no values, or one is out of range.
  public init(values: [Double]) throws(SpecificationError) {
    try self.init(Self.info.specification(Self.values.written(values)))
  }

  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    let values = try Self.values.value(in: specification)
    distributions = values.map { .constant($0) }
    rewards = values.range
  }
}

extension [Double] {
  /// The smallest to the largest number; nil if there are none.
  var range: ClosedRange<Double>? {
    guard let low = self.min(), let high = self.max(), low <= high else { return nil }
    return low...high
  }
}
