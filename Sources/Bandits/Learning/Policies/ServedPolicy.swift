internal import Specifications

/// A learned policy that is asked by names, of slots, variants and attributes, as an agent or a simulation knows them.
public struct ServedPolicy: Sendable {
  /// The policy.
  public let policy: LearnedPolicy
  /// The attributes that the policy reads, in order; neither `variant` nor `slot`.
  public let attributes: [FeatureSource]
  /// A name that tells the policy from others: `learned:check=`, and 16 digits that follow from its content.
  public let name: String
  private let slots: [NameKey: Int]
  private let variants: [NameKey: Int]
  private let numeric: Set<FeatureSource>

  /// Prepares a policy.
  public init(_ policy: LearnedPolicy) {
    self.policy = policy
    let specification = policy.problem.map.specification
    attributes =
      policy.usesFeatures
      ? specification.sources.filter { $0 != .variant && $0 != .slot } : []
    numeric = Set(specification.terms.flatMap(\.numbers).map(\.source))
    name = "learned:check=" + policy.tree.fingerprint.hexadecimal
    slots = Self.places(policy.problem.slots)
    variants = Self.places(policy.problem.variants)
  }

  private static func places(_ names: [String]) -> [NameKey: Int] {
    Dictionary(
      names.enumerated().map { (NameKey($1), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether the policy knows a variant.
  public func knows(variant: String) -> Bool { variants[NameKey(variant)] != nil }

  /// Whether the policy knows a slot.
  public func knows(slot: String) -> Bool { slots[NameKey(slot)] != nil }

  /// Whether the policy reads an attribute as a number, so that a number that was given as a text should be one.
  public func readsNumber(_ attribute: FeatureSource) -> Bool { numeric.contains(attribute) }

  /// Whether the probabilities depend on the slot.
  public var usesSlot: Bool {
    policy.usesFeatures
      ? policy.problem.map.specification.sources.contains(.slot) : policy.problem.slots.count > 1
  }

  /// Returns the probability of each choice.
  ///
  /// - Parameters:
  ///   - slot: The name of the slot.
  ///   - choices: The names of the choices.
  ///   - value: Returns the value of one of the ``attributes`` for the choice at an index; nil if absent. For
  ///     attributes of the context it is called with the first choice only.
  /// - Returns: The probabilities, see ``LearnedPolicy/probabilities(slot:choices:_:into:)``.
  public func probabilities(
    slot: String, choices: [String], _ value: (FeatureSource, Int) -> FeatureValue?
  ) -> [Double] {
    var probabilities: [Double] = []
    policy.probabilities(
      slot: slots[NameKey(slot)] ?? -1, choices: choices.map { variants[NameKey($0)] ?? -1 },
      policy.usesFeatures ? features(slot, choices, value) : [], into: &probabilities)
    return probabilities
  }

  /// Returns whether the policy never saw the slot, one of the choices, or a value of an attribute for which it has a
  /// term of its own, when it was learned.
  ///
  /// - Parameters:
  ///   - slot: The name of the slot.
  ///   - choices: The names of the choices.
  ///   - value: Returns the value of one of the ``attributes`` for the choice at an index; nil if absent.
  /// - Returns: Whether there is something that it never saw.
  public func isUnseen(
    slot: String, choices: [String], _ value: (FeatureSource, Int) -> FeatureValue?
  ) -> Bool {
    if usesSlot, !knows(slot: slot) { return true }
    if choices.contains(where: { !knows(variant: $0) }) { return true }
    guard policy.usesFeatures else { return false }
    let map = policy.problem.map
    for (index, source) in map.specification.sources.enumerated() {
      switch source {
      case .context:
        if map.isUnseen(value(source, 0), of: index) { return true }
      case .features:
        let isUnseen = choices.indices.contains { map.isUnseen(value(source, $0), of: index) }
        if isUnseen { return true }
      case .variant, .slot: continue
      }
    }
    return false
  }

  private func features(
    _ slot: String, _ choices: [String], _ value: (FeatureSource, Int) -> FeatureValue?
  ) -> [FeatureVector] {
    let map = policy.problem.map
    let sources = map.specification.sources
    var row = sources.map { _ in FeatureCell.absent }
    let count = map.specification.isShared ? min(choices.count, 1) : choices.count
    return (0..<count).map { place in
      for (index, source) in sources.enumerated() where place == 0 || !source.isShared {
        let value: FeatureValue? =
          switch source {
          case .variant: .text(choices[place])
          case .slot: .text(slot)
          case .context, .features: value(source, place)
          }
        row[index] = map.cell(value, of: index)
      }
      var vector = FeatureVector()
      map.write(row, into: &vector)
      return vector
    }
  }
}

extension JSONTree {
  /// A hash of the content, the same on every machine.
  var fingerprint: UInt64 {
    switch self {
    case .text(let text): FeatureHash.combine(1, FeatureHash.of(text))
    case .number(let number): FeatureHash.combine(2, number.bitPattern)
    case .integer(let number): FeatureHash.combine(2, Double(number).bitPattern)
    case .unsigned(let number): FeatureHash.combine(2, Double(number).bitPattern)
    case .null: FeatureHash.combine(6, 0)
    case .flag(let flag): FeatureHash.combine(3, flag ? 1 : 0)
    case .list(let values):
      values.reduce(4) { FeatureHash.combine($0, $1.fingerprint) }
    case .object(let fields):
      fields.reduce(5) {
        FeatureHash.combine(FeatureHash.combine($0, FeatureHash.of($1.name)), $1.value.fingerprint)
      }
    }
  }
}
