internal import Statistics

extension BoundedNormal {
  /// What the environments of cut normal rewards can be given.
  static let parameters = [
    Guide.Parameter("means", nil, "the mean of each variant before the cut, such as 0.3;0.7"),
    Guide.Parameter(
      "deviations", "1",
      "the standard deviation before the cut of all variants, or of each, above 0 and at most a million times as "
        + "wide as the bounds"),
    Guide.Parameter("low", "0", "the smallest reward"),
    Guide.Parameter("high", "1", "the largest reward, above the smallest"),
  ]

  /// The variants that are written.
  ///
  /// - Throws: `SpecificationError`: there are no means, the numbers do not fit, or next to nothing lies within.
  static func variants(
    of specification: Specification, _ bounds: ClosedRange<Double>, _ cut: Cut
  ) throws(SpecificationError) -> [RewardDistribution] {
    let means = try specification.numbers("means", in: ParameterRanges.finite)
    let deviations = try specification.numbers(
      "deviations", default: 1, variants: means.count, in: ParameterRanges.positive)
    var variants: [RewardDistribution] = []
    for (mean, deviation) in zip(means, deviations) {
      guard let normal = BoundedNormal(center: mean, deviation: deviation, bounds: bounds, cut)
      else {
        throw SpecificationError(
          "a normal distribution with mean \(mean) and deviation \(deviation) cannot be cut at "
            + "\(bounds.lowerBound) and \(bounds.upperBound) in \(specification.name): next to nothing of it lies "
            + "between them, or it is a million times as wide; take a mean nearer to them or another deviation"
        )
      }
      variants.append(.bounded(normal))
    }
    return variants
  }
}
