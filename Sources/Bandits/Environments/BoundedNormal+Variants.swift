internal import Specifications

extension BoundedNormal {
  /// The parameters of environments with bounded normal rewards.
  static let means = Parameter.numbers(
    "means", in: ParameterRanges.finite, "the mean of each variant before the cut, such as 0.3;0.7")
  static let deviations = Parameter.numbers(
    "deviations", default: 1, in: ParameterRanges.positive,
    "the standard deviation before the cut of all variants, or of each, above 0 and at most a million times as "
      + "wide as the bounds")
  static let bounds = BoundsParameters(
    low: "the smallest reward", high: "the largest reward, above the smallest")

  /// All the parameters.
  static let parameters: [any ListedParameter] = [means, deviations, bounds.low, bounds.high]

  /// Returns the reward distributions that a specification describes.
  ///
  /// - Throws: `SpecificationError` if there are no means, the numbers of values differ, or a distribution cannot be
  ///   cut at the bounds.
  static func variants(
    of specification: Specification, _ bounds: ClosedRange<Double>, _ cut: Cut
  ) throws(SpecificationError) -> [RewardDistribution] {
    let means = try Self.means.value(in: specification)
    let deviations = try Self.deviations.value(in: specification, variants: means.count)
    var variants: [RewardDistribution] = []
    for (mean, deviation) in zip(means, deviations) {
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
