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
    "learned", "a policy that was learned from a log", source: "by definition",
    example: "learned:path=policy.json")

  /// The share of the decisions that an agent draws by equal weights instead.
  public var controlShare = 0.0
  public var specification = Self.info.specification()

  /// Creates a policy that says nothing about any decision; a file has the others.
  public init() {}
  public private(set) var contextAttributes: [String] = []
  public private(set) var variantFeatures: [String] = []
  private var policy: ServedPolicy?

  public static var parameters: [Field] {
    Field.file(
      "path", "the file that `bandolier learn` wrote, such as policy.json",
      missing: "learned needs a file; write learned:path=FILE.json"
    ) { (made, text, path) throws(SpecificationError) in
      try made.read(text, path)
    }
    Field.number(
      "control-share", \.controlShare, in: 0...1,
      "share of the decisions that an agent draws by equal weights instead, {range}")
  }

  private mutating func read(_ text: String, _ path: String) throws(SpecificationError) {
    let policy = ServedPolicy(try LearnedPolicyFile(parsing: text, name: path).policy)
    for source in policy.attributes {
      switch source {
      case .context(let name): contextAttributes.append(name)
      case .features(let name): variantFeatures.append(name)
      case .variant, .slot: break
      }
    }
    self.policy = policy
  }

  public func probabilities(in situation: TargetSituation) -> [Double]? {
    guard let policy else { return nil }
    let isPlaceless = policy.policy.usesFeatures && !policy.usesSlot
    guard isPlaceless || policy.knows(slot: situation.slot) else { return nil }
    let learned = policy.probabilities(slot: situation.slot, choices: situation.choices) {
      value(of: $0, $1, situation)
    }
    return controlShare == 0
      ? learned : learned.map { (1 - controlShare) * $0 + controlShare / Double(learned.count) }
  }

  public func isUnseen(_ situation: TargetSituation) -> Bool {
    policy?.isUnseen(slot: situation.slot, choices: situation.choices) {
      value(of: $0, $1, situation)
    } ?? false
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
