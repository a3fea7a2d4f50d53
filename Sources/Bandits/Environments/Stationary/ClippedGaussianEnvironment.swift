public import Statistics

/// `clipped-gaussian:means=0.3;0.7,deviations=0.5`: a normal reward, or the bound where it lies beyond. The mean
/// of the rewards is that of the clipped distribution, not the one that is written.
public struct ClippedGaussianEnvironment: StationaryEnvironment {
  /// What there is to say about it.
  public static let guide = Guide(
    "clipped-gaussian", "normal rewards, where what lies beyond two bounds counts as the bound",
    BoundedNormal.parameters, source: "Tobin 1958, Econometrica 26")

  /// How it is written.
  public let specification: Specification
  /// The variants' distributions.
  public let distributions: [RewardDistribution]
  /// The bounds.
  public let rewards: ClosedRange<Double>?

  /// Makes the environment from values; see ``guide`` for ranges, and for the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError`: a value is out of its range, or next to nothing lies between the bounds.
  public init(means: [Double], deviations: [Double]? = nil, low: Double? = nil, high: Double? = nil)
    throws(SpecificationError)
  {
    try self.init(
      Self.guide.specification(
        BoundedNormal.means.written(means), BoundedNormal.deviations.written(deviations),
        BoundedNormal.bounds.low.written(low), BoundedNormal.bounds.high.written(high)))
  }

  /// Makes the environment.
  ///
  /// - Throws: `SpecificationError`: there are no means, or the numbers do not fit.
  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    let bounds = try BoundedNormal.bounds.value(in: specification)
    rewards = bounds
    distributions = try BoundedNormal.variants(of: specification, bounds, .clipped)
  }
}
