internal import Bandits
internal import Events
public import Statistics

/// `learned:path=FILE.json`: the policy that ``LogReplay/learn(_:experiment:_:)`` learned from a log.
///
/// Slots, variants and attributes are matched by name. A table says nothing about slots for which it was not learned.
public struct LearnedTarget: TargetPolicy {
  public static let info = SpecificationInfo(
    "learned", "a policy that was learned from a log",
    [
      SpecificationInfo.Parameter(
        "path", nil, "the file that `bandolier learn` wrote, such as policy.json")
    ], source: "by definition")

  public let specification: Specification
  public let contextAttributes: [String]
  public let variantFeatures: [String]
  private let policy: ServedPolicy

  public init(
    _ specification: Specification, files: (String) throws(SpecificationError) -> String
  ) throws(SpecificationError) {
    try specification.requireKeys(among: ["path"])
    guard let path = specification["path"], !path.isEmpty else {
      throw SpecificationError("learned needs a file; write learned:path=FILE.json")
    }
    self.specification = specification
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
    return policy.probabilities(slot: situation.slot, choices: situation.choices) { source, place in
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
}
