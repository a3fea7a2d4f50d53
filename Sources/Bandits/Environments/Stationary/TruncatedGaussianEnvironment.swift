public import Specifications

/// `truncated-gaussian:means=0.3;0.7,deviations=0.5`: normal rewards truncated to two bounds. The given means are those
/// before truncation; the true means of the rewards are those of the truncated distributions.
public struct TruncatedGaussianEnvironment: StationaryEnvironment {
  /// The normal distributions before the cut, and the bounds.
  public var normals = BoundedNormals()
  public var specification = Self.info.specification()
  public private(set) var distributions: [RewardDistribution] = []

  /// Creates the environment without the means that it needs.
  public init() {}

  public static let info = SpecificationInfo(
    "truncated-gaussian", "normal rewards truncated to two bounds",
    source: "Johnson, Kotz and Balakrishnan 1994, section 13.10",
    example: "truncated-gaussian:means=0.3;0.7,deviations=0.5")

  public static var parameters: [Field] {
    Field.group(\.normals)
  }

  public mutating func validate() throws(SpecificationError) {
    distributions = try normals.distributions(.truncated, specification)
  }

  public var rewards: ClosedRange<Double>? { normals.low...normals.high }
}
