internal import Specifications

/// A policy in a catalog: its type, its description, and its initializer from a specification.
struct PolicyEntry: Sendable {
  /// The name, summary, parameters and citation.
  let info: SpecificationInfo
  /// The type.
  let type: ObjectIdentifier
  /// Whether its probabilities follow from tallies.
  let isAllocation: Bool
  /// Whether its probabilities are known before the draw, from tallies or from its state.
  let isAllocating: Bool
  /// Whether it requires a context.
  let needsContext: Bool
  /// Why an agent cannot use it, see ``Policy/agentIncompatibility``.
  let agentIncompatibility: String?
  /// Creates the policy from a specification, the names of the variants and the catalog of policies that it may wrap.
  private let make:
    @Sendable (Specification, [String], PolicyCatalog) throws(SpecificationError) -> PreparedPolicy
  /// Prepares a policy of this type, with the loop specialized for it; returns nil for a policy of another type.
  let prepare: @Sendable (any Policy) -> PreparedPolicy?

  /// Creates the entry of a type. Must be inlined: the loop is specialized for each state where the type is known.
  @inline(__always)
  init<P: Policy>(_ type: P.Type) {
    self.init(type) { (specification, variants, _) throws(SpecificationError) in
      try P(specification, variants: variants)
    }
  }

  /// Creates the entry of a type of wrapping policies.
  @inline(__always)
  init<P: WrappingPolicy>(_ type: P.Type) {
    self.init(type) { (specification, variants, policies) throws(SpecificationError) in
      try P(specification, variants: variants, policies: policies)
    }
  }

  /// Creates the entry of the policies that are in files.
  init(learned read: @escaping @Sendable (String) throws(SpecificationError) -> LearnedPolicy) {
    self.init(LearnedChoices.self) { (specification, variants, _) throws(SpecificationError) in
      guard let path = specification["path"], !path.isEmpty else {
        throw SpecificationError(
          "\(specification) needs a file; write \(specification.name):path=FILE.json")
      }
      return try LearnedChoices(specification, try read(path), variants: variants)
    }
  }

  @inline(__always)
  private init<P: Policy>(
    _ type: P.Type,
    _ makePolicy:
      @escaping @Sendable (Specification, [String], PolicyCatalog) throws(SpecificationError) -> P
  ) {
    info = P.info
    self.type = ObjectIdentifier(type)
    isAllocation = P.self is any AllocationPolicy.Type
    isAllocating = isAllocation || P.State.self is any AllocatingState.Type
    needsContext = P.needsContext
    agentIncompatibility = P.agentIncompatibility
    make = { (specification, variants, policies) throws(SpecificationError) in
      PreparedPolicy.compiled(for: try makePolicy(specification, variants, policies))
    }
    prepare = { ($0 as? P).map { PreparedPolicy.compiled(for: $0) } }
  }
}

extension [PolicyEntry] {
  /// Returns the entry of a name.
  ///
  /// - Throws: `SpecificationError` that lists the `known` names if there is none.
  func named(
    _ name: String, known: @autoclosure () -> [SpecificationInfo]
  ) throws(SpecificationError) -> PolicyEntry {
    if let entry = first(where: { $0.info.name == name }) { return entry }
    throw SpecificationError(
      NearestName.unknown("policy", name, among: known().map(\.name)))
  }
}

extension PolicyEntry {
  /// Creates the policy after checking for unknown parameters.
  func checked(
    _ specification: Specification, _ variants: [String], _ policies: PolicyCatalog
  ) throws(SpecificationError) -> PreparedPolicy {
    try specification.requireKeys(among: info.parameters.map(\.key))
    return try make(specification, variants, policies)
  }
}
