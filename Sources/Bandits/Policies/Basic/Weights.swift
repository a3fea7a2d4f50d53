public import Specifications

/// `weights:values=3;1;1`: constant probabilities proportional to the given weights, one per choice.
public struct Weights: AllocationPolicy {
  public static let info = SpecificationInfo(
    "weights", "each variant with a given share",
    [
      SpecificationInfo.Parameter("values", nil, "a weight for each variant, from 0, such as 3;1;1")
    ],
    source: "fixed allocation")

  public static let supportsUnavailableVariants = true

  public let specification: Specification
  private let shares: [Double]

  /// Creates the policy from the nonnegative weight of each variant.
  ///
  /// - Throws: `SpecificationError` if a weight is negative or not finite, or none is above 0.
  public init(_ values: [Double]) throws(SpecificationError) {
    try self.init(
      Self.info.specification(.init(key: "values", value: values.specificationText)), variants: [])
  }

  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    guard let text = specification["values"] else {
      throw SpecificationError(
        "weights needs the weight of each choice; write weights:values=3;1;1")
    }
    var weights: [Double] = []
    for part in text.split(separator: ";", omittingEmptySubsequences: false) {
      guard let weight = Double(part), weight.isFinite, weight >= 0 else {
        throw SpecificationError(
          "\"\(part)\" in values=\(text) of weights must be a number from 0; write weights:values=3;1;1"
        )
      }
      weights.append(weight)
    }
    // Divided by the largest first, so that the sum is finite and not zero.
    let largest = weights.max() ?? 0
    guard largest > 0 else {
      throw SpecificationError(
        "values=\(text) of weights has no weight above 0; give one to a choice at least")
    }
    let total = weights.reduce(0) { $0 + $1 / largest }
    shares = weights.map { $0 / largest / total }
  }

  public func allocation(over arms: [ArmTally]) -> Allocation {
    guard arms.count == shares.count else {
      return .equal(
        arms.count,
        refusal:
          "\(specification) has \(shares.count) weights for \(arms.count) choices; give one for each"
      )
    }
    return Allocation(probabilities: shares)
  }

  public func makeState(_ problem: Problem) throws(SpecificationError) -> FixedSharesState {
    guard problem.variants == shares.count else {
      throw SpecificationError(
        "\(specification) has \(shares.count) weights for \(problem.variants) variants; give one for each"
      )
    }
    return FixedSharesState(shares)
  }
}
