internal import Events
public import Specifications
internal import Statistics

/// `softmax:feature=NAME,temperature=1`: probabilities proportional to exp(x/temperature), where x is a numeric attribute
/// of the variants, or the reward model's prediction without `feature`.
///
/// Where a choice has no such number, the policy does not say anything.
public struct SoftmaxTarget: TargetPolicy {
  private static let temperature = Parameter.number(
    "temperature", default: 1, in: 1e-9...1e9, "divisor of the numbers, {range}")

  public static let info = SpecificationInfo(
    "softmax", "probabilities proportional to exp(x/temperature) of an attribute of the variants",
    [
      SpecificationInfo.Parameter(
        "feature", nil, "attribute of the variants; without it, x is the reward model's prediction"),
      temperature.listing,
    ], source: "Luce, Individual Choice Behavior 1959; Sutton & Barto 2018, section 2.8")

  public let specification: Specification
  private let feature: String?
  private let temperature: Double

  public init(
    _ specification: Specification, files: (String) throws(SpecificationError) -> String
  ) throws(SpecificationError) {
    try specification.requireKeys(among: Self.info.parameters.map(\.key))
    self.specification = specification
    feature = specification["feature"].flatMap { $0.isEmpty ? nil : $0 }
    temperature = try Self.temperature.value(in: specification)
  }

  public var variantFeatures: [String] { feature.map { [$0] } ?? [] }

  public var needsModel: Bool { feature == nil }

  public func probabilities(in situation: TargetSituation) -> [Double]? {
    var numbers = situation.modelled ?? []
    if feature != nil {
      numbers = situation.features.compactMap { values in
        guard case .number(let number)? = values.first ?? nil else { return nil }
        return number
      }
    }
    guard numbers.count == situation.choices.count, let greatest = numbers.max(),
      numbers.allSatisfy(\.isFinite)
    else { return nil }
    let shares = numbers.map { Double.exp(($0 - greatest) / temperature) }
    let sum = ExactSum(shares).value
    return shares.map { $0 / sum }
  }
}
