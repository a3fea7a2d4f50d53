public import Specifications

/// `weights:values=3;1;1`: constant probabilities proportional to the given weights, one per choice.
public struct Weights: FixedSharesPolicy {
  /// The weight of each variant, from 0, at least one above.
  public var values: [Double] = []
  public var specification = Self.info.specification()
  private(set) var shares: [Double] = []

  /// Creates the policy without the weights that it needs.
  public init() {}

  public static let info = SpecificationInfo(
    "weights", "each variant with a given share", source: "fixed allocation",
    example: "weights:values=3;1;1")

  public static var parameters: [Field] {
    Field(weights, \.values)
  }

  private static let weights = Parameter<[Double]>(
    SpecificationInfo.Parameter("values", nil, "a weight for each variant, from 0, such as 3;1;1"),
    read: { (specification) throws(SpecificationError) in
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
      return weights
    }, write: { $0.isEmpty ? nil : $0.specificationText })

  public static let supportsUnavailableVariants = true

  public mutating func validate() throws(SpecificationError) {
    // Divided by the largest first, so that the sum is finite and not zero.
    let largest = values.max() ?? 0
    guard largest > 0 else {
      throw SpecificationError(
        "values=\(specification["values"] ?? "") of weights has no weight above 0; give one to a choice at least"
      )
    }
    let total = values.reduce(0) { $0 + $1 / largest }
    shares = values.map { $0 / largest / total }
  }

  func mismatch(_ count: Int, _ choices: String) -> String {
    "\(specification) has \(shares.count) weights for \(count) \(choices); give one for each"
  }
}
