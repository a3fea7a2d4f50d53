public import Statistics

/// `constant:values=1;2;3`: each variant always gives the same reward; for trying a policy out by hand.
public struct ConstantEnvironment: StationaryEnvironment {
  /// What there is to say about it.
  public static let guide = Guide(
    "constant", "always the same reward from a variant",
    [Guide.Parameter("values", nil, "the reward of each variant, such as 1;2;3")],
    source: "Bandolier; the case without noise")

  /// How it is written.
  public let specification: Specification
  /// The variants' distributions.
  public let distributions: [RewardDistribution]
  /// From the smallest to the largest.
  public let rewards: ClosedRange<Double>?

  /// Makes the environment.
  ///
  /// - Throws: `SpecificationError`: there are no values, or one is no number.
  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    let values = try specification.numbers("values", in: ParameterRanges.finite)
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
