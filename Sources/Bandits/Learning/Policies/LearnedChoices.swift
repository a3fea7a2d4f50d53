public import Specifications
public import Statistics

/// `learned:path=FILE.json`: the probabilities of a policy that was learned from a log. It does not learn any more.
///
/// Variants are matched by name, and the policy must know all of them. The attributes that it reads are those of the
/// environment's contexts, see ``Problem/attributes``.
public struct LearnedChoices: Policy {
  /// The path of the file; nil for a policy that is not in one.
  public var path: String?
  /// The slot for which it chooses; nil for its only one.
  public var slot: String?
  /// The names of the variants, in order.
  public var variants: [String] = []
  public var specification = Self.info.specification()
  private var policy: ServedPolicy?
  private var servedSlot = ""

  /// Creates the policy without the learned one that it needs.
  public init() {}

  public static let info = SpecificationInfo(
    "learned", "the probabilities of a policy that was learned from a log, which never change",
    source: "by definition", example: "learned:path=policy.json")

  public static var parameters: [Field] {
    Field(
      SpecificationInfo.Parameter(
        "path", nil, "the file that `bandolier learn` wrote, such as policy.json")
    ) { made, specification, sources in
      made.path = specification["path"]
      made.variants = sources.variants
      made.policy = sources.learned.map { ServedPolicy($0) }
    } write: {
      $0.path
    }
    Field.text(
      "slot", \.slot,
      "the slot for which it chooses, if it knows several; by default its only one")
  }

  public static let supportsUnavailableVariants = true

  public static let agentIncompatibility: String? =
    "an agent has the policy itself as its learnedPolicy, so that the log has all that it needs"

  /// Creates the policy.
  ///
  /// - Parameters:
  ///   - specification: The specification, of which `slot` is read.
  ///   - learned: The learned policy.
  ///   - variants: The names of the variants, in order.
  /// - Throws: `SpecificationError` if the policy does not know a variant or the slot.
  public init(
    _ specification: Specification, _ learned: LearnedPolicy, variants: [String]
  ) throws(SpecificationError) {
    var sources = PolicySources(variants: variants)
    sources.learned = learned
    try self.init(specification, sources)
  }

  public mutating func validate() throws(SpecificationError) {
    guard let policy else { throw missing }
    servedSlot = try served(policy)
    for variant in variants where !policy.knows(variant: variant) {
      throw SpecificationError(
        "\(specification) was learned without the variant \"\(variant)\""
          + NearestName.remedy(
            for: variant, among: policy.policy.problem.variants, lead: "its variants are"))
    }
  }

  private var missing: SpecificationError {
    SpecificationError(
      "\(specification) needs a file, and none is at hand; see PolicyCatalog.readingLearnedPolicies"
    )
  }

  private func served(_ policy: ServedPolicy) throws(SpecificationError) -> String {
    let slots = policy.policy.problem.slots
    guard let slot else {
      guard policy.usesSlot, slots.count > 1 else { return slots.first ?? "" }
      throw SpecificationError(
        "\(specification) chooses for the slots \(slots.prefix(20).joined(separator: ", ")); name one as slot=NAME"
      )
    }
    guard policy.knows(slot: slot) else {
      throw SpecificationError(NearestName.unknown("slot", slot, among: slots))
    }
    return slot
  }

  public func makeState(_ problem: Problem) throws(SpecificationError) -> LearnedChoicesState {
    guard let policy else { throw missing }
    let known = problem.attributes?.sources ?? []
    for attribute in policy.attributes where !known.contains(attribute) {
      let others = known.map(\.description).joined(separator: ", ")
      throw SpecificationError(
        "\(specification) chooses by \"\(attribute)\", which the contexts of this environment do not have"
          + (others.isEmpty ? "" : "; they have \(others)")
          + "; take the log as an environment, such as log:path=LOG,experiment=NAME,context=\(attribute)"
      )
    }
    guard variants.count == problem.variants else {
      throw SpecificationError(
        "\(specification) chooses by the names of variants, and this environment has \(problem.variants) variants "
          + "with \(variants.count) names")
    }
    return LearnedChoicesState(policy, slot: servedSlot, variants: variants, problem.attributes)
  }
}

/// The state of a learned policy: the probabilities in the contexts that occurred.
public struct LearnedChoicesState: PolicyState {
  private let policy: ServedPolicy
  private let slot: String
  private let variants: [String]
  private let attributes: ContextAttributes?
  /// By the attributes of the policy, their indices among those of the environment.
  private let places: [FeatureSource: Int]
  /// The probabilities by context, as far as they are known.
  private var shares: [Int: [Double]] = [:]
  private var available: [Bool]?

  init(
    _ policy: ServedPolicy, slot: String, variants: [String], _ attributes: ContextAttributes?
  ) {
    (self.policy, self.slot, self.variants) = (policy, slot, variants)
    self.attributes = attributes
    places = Dictionary(
      (attributes?.sources ?? []).enumerated().map { ($1, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    // A policy that reads no attributes has the same probabilities in all contexts.
    var current = shares(in: policy.attributes.isEmpty ? -1 : context.number)
    if let available { current = current.restricted(to: available) }
    return Choice(from: current, &random)
  }

  private mutating func shares(in context: Int) -> [Double] {
    if let known = shares[context] { return known }
    let found = policy.probabilities(slot: slot, choices: variants) { source, variant in
      places[source].flatMap { attributes?.value($0, of: variant, in: context) }
    }
    shares[context] = found
    return found
  }

  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {}

  public mutating func offer(_ available: [Bool]) { self.available = available }
}
