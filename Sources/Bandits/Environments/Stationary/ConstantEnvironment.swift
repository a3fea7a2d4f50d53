public import Statistics

/// `constant:values=1;2;3`: each variant always gives the same reward; for trying a policy out by hand.
public struct ConstantEnvironment: StationaryEnvironment {
  private static let values = Parameter.numbers(
    "values", in: ParameterRanges.finite, "the reward of each variant, such as 1;2;3")

  /// What there is to say about it.
  public static let guide = Guide(
    "constant", "always the same reward from a variant",
    [values],
    source: "Bandolier; the case without noise")

  /// How it is written.
  public let specification: Specification
  /// The variants' distributions.
  public let distributions: [RewardDistribution]
  /// From the smallest to the largest.
  public let rewards: ClosedRange<Double>?

  /// Makes the environment from values; see ``guide`` for ranges, and for the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError`: there are none, or one is out of its range.
  public init(values: [Double]) throws(SpecificationError) {
    try self.init(Self.guide.specification(Self.values.written(values)))
  }

  /// Makes the environment.
  ///
  /// - Throws: `SpecificationError`: there are no values, or one is no number.
  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    let values = try Self.values.value(in: specification)
    distributions = values.map { .constant($0) }
    rewards = values.range
  }
}

extension [Double] {
  /// From the smallest to the largest; nil where there is none.
  var range: ClosedRange<Double>? {
    guard let low = self.min(), let high = self.max(), low <= high else { return nil }
    return low...high
  }
}
