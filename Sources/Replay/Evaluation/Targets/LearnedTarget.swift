internal import Bandits
internal import Events
public import Specifications

/// `learned:path=FILE.json`: the policy that ``LogReplay/learn(_:experiment:_:)`` learned from a log.
///
/// Slots, variants and attributes are matched by name. A table says nothing about slots for which it was not learned.
///
/// With `control-share=0.1` it is what an agent serves that draws this share of its decisions by equal weights.
public struct LearnedTarget: TargetPolicy {
  public static let info = SpecificationInfo(
    "learned", "a policy that was learned from a log",
    [
      SpecificationInfo.Parameter(
        "path", nil, "the file that `bandolier learn` wrote, such as policy.json"),
      controlShare.listing,
    ], source: "by definition")

  private static let controlShare = Parameter.number(
    "control-share", default: 0, in: 0...1,
    "share of the decisions that an agent draws by equal weights instead, {range}")

  public let specification: Specification
  public let contextAttributes: [String]
  public let variantFeatures: [String]
  private let policy: ServedPolicy
  private let control: Double

  public init(
    _ specification: Specification, files: (String) throws(SpecificationError) -> String
  ) throws(SpecificationError) {
    try specification.requireKeys(among: Self.info.parameters.map(\.key))
    guard let path = specification["path"], !path.isEmpty else {
      throw SpecificationError("learned needs a file; write learned:path=FILE.json")
    }
    self.specification = specification
    control = try Self.controlShare.value(in: specification)
    policy = ServedPolicy(try LearnedPolicyFile(parsing: files(path), name: path).policy)
    var (attributes, features): ([String], [String]) = ([], [])
    for source in policy.attributes {
      switch source {
      case .context(let name): attributes.append(name)
      case .features(let name): features.append(name)
      case .variant, .slot: break
      }
    }
    (contextAttributes, variantFeatures) = (attributes, features)
  }

  public func probabilities(in situation: TargetSituation) -> [Double]? {
    let isPlaceless = policy.policy.usesFeatures && !policy.usesSlot
    guard isPlaceless || policy.knows(slot: situation.slot) else { return nil }
    let learned = policy.probabilities(slot: situation.slot, choices: situation.choices) {
      value(of: $0, $1, situation)
    }
    return control == 0
      ? learned : learned.map { (1 - control) * $0 + control / Double(learned.count) }
  }

  public func isUnseen(_ situation: TargetSituation) -> Bool {
    policy.isUnseen(slot: situation.slot, choices: situation.choices) {
      value(of: $0, $1, situation)
    }
  }

  private func value(
    of source: FeatureSource, _ place: Int, _ situation: TargetSituation
  ) -> FeatureValue? {
    let value: AttributeValue?? =
      switch source {
      case .context(let name):
        contextAttributes.firstIndex(ofName: name).map { situation.attributes[$0] }
      case .features(let name):
        variantFeatures.firstIndex(ofName: name).map { situation.features[place][$0] }
      case .variant, .slot: nil
      }
    return (value ?? nil).map { FeatureValue($0) }
  }
}
