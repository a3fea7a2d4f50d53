public import Specifications

/// The parameters of environments with bounded normal rewards.
public struct BoundedNormals: ParameterGroup {
  /// The mean of each variant before the cut.
  public var means: [Double] = []
  /// The standard deviation before the cut of all variants, or of each.
  public var deviations = [1.0]
  /// The smallest reward.
  public var low = 0.0
  /// The largest reward.
  public var high = 1.0

  /// Creates the parameters without the means that are needed.
  public init() {}

  public static var parameters: [Field] {
    Field.numbers(
      "means", \.means, in: ParameterRanges.finite,
      "the mean of each variant before the cut, such as 0.3;0.7")
    Field.numbers(
      "deviations", \.deviations, in: ParameterRanges.positive,
      "the standard deviation before the cut of all variants, or of each, above 0 and at most a million times as "
        + "wide as the bounds")
    Field.number("low", \.low, in: ParameterRanges.bounds, "the smallest reward")
    Field.number(
      "high", \.high, in: ParameterRanges.bounds, "the largest reward, above the smallest")
  }

  /// Returns the reward distributions.
  ///
  /// - Throws: `SpecificationError` if the numbers of values differ, or a distribution cannot be cut at the bounds.
  func distributions(
    _ cut: BoundedNormal.Cut, _ specification: Specification
  ) throws(SpecificationError) -> [RewardDistribution] {
    let bounds = try specification.bounds()
    try specification.check(deviations, of: "deviations", variants: means.count)
    var variants: [RewardDistribution] = []
    for (mean, deviation) in zip(means, deviations.each(of: means.count)) {
      guard let normal = BoundedNormal(center: mean, deviation: deviation, bounds: bounds, cut)
      else {
        throw SpecificationError(
          "a normal distribution with mean \(mean) and deviation \(deviation) cannot be cut at "
            + "\(bounds.lowerBound) and \(bounds.upperBound) in \(specification.name): almost none of it lies "
            + "between them, or it is a million times as wide; use a mean nearer to them or another deviation"
        )
      }
      variants.append(.bounded(normal))
    }
    return variants
  }
}
