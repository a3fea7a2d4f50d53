public import Specifications

/// `uniform`: every choice with the same probability.
public struct UniformTarget: TargetPolicy, Parameterless {
  public static let info = SpecificationInfo(
    "uniform", "every choice with the same probability", source: "by definition")

  /// Creates the policy.
  public init() {}

  public func probabilities(in situation: TargetSituation) -> [Double]? {
    let count = situation.choices.count
    return Array(repeating: 1 / Double(count), count: count)
  }
}
