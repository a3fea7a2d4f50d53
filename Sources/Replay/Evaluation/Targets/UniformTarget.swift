public import Specifications

/// `uniform`: every choice with the same probability.
public struct UniformTarget: TargetPolicy {
  public static let info = SpecificationInfo(
    "uniform", "every choice with the same probability", source: "by definition")

  public let specification: Specification

  /// Creates the policy.
  public init() { specification = Self.info.specification() }

  public init(
    _ specification: Specification, files: (String) throws(SpecificationError) -> String
  ) throws(SpecificationError) {
    try specification.requireKeys(among: [])
    self.init()
  }

  public func probabilities(in situation: TargetSituation) -> [Double]? {
    let count = situation.choices.count
    return Array(repeating: 1 / Double(count), count: count)
  }
}
