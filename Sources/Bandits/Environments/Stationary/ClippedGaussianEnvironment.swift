public import Specifications

/// `clipped-gaussian:means=0.3;0.7,deviations=0.5`: normal rewards clipped at two bounds. The given means are those
/// before clipping; the true means of the rewards are those of the clipped distributions.
public struct ClippedGaussianEnvironment: StationaryEnvironment {
  /// The normal distributions before the cut, and the bounds.
  public var normals = BoundedNormals()
  public var specification = Self.info.specification()
  public private(set) var distributions: [RewardDistribution] = []

  /// Creates the environment without the means that it needs.
  public init() {}

  public static let info = SpecificationInfo(
    "clipped-gaussian", "normal rewards clipped at two bounds",
    source: "Tobin 1958, Econometrica 26",
    example: "clipped-gaussian:means=0.3;0.7,deviations=0.5")

  public static var parameters: [Field] {
    Field.group(\.normals)
  }

  public mutating func validate() throws(SpecificationError) {
    distributions = try normals.distributions(.clipped, specification)
  }

  public var rewards: ClosedRange<Double>? { normals.low...normals.high }
}
