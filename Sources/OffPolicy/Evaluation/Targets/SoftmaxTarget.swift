internal import Bandits
internal import Events
public import Specifications
internal import Statistics

/// `softmax:feature=NAME,temperature=1`: probabilities proportional to exp(x/temperature), where x is a numeric
/// attribute of the variants, or the reward model's prediction without `feature`.
///
/// Where a choice has no such number, the policy does not say anything.
public struct SoftmaxTarget: TargetPolicy {
  public static let info = SpecificationInfo(
    "softmax", "probabilities proportional to exp(x/temperature) of an attribute of the variants",
    source: "Luce, Individual Choice Behavior 1959; Sutton & Barto 2018, section 2.8",
    example: "softmax:temperature=1")

  /// The attribute of the variants; nil for the reward model's prediction.
  public var feature: String?
  /// The divisor of the numbers.
  public var temperature = 1.0
  public var specification = Self.info.specification()

  /// Creates the policy with the default of each parameter.
  public init() {}

  public static var parameters: [Field] {
    Field.text(
      "feature", \.feature,
      "attribute of the variants; without it, x is the reward model's prediction")
    Field.number("temperature", \.temperature, in: 1e-9...1e9, "divisor of the numbers, {range}")
  }

  public mutating func validate() {
    if feature?.isEmpty == true { feature = nil }
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
