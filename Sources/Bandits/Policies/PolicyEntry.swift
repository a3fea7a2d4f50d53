internal import Statistics

/// A policy in a catalog: its type, its name and parameters, and how it is made from a specification.
struct PolicyEntry: Sendable {
  /// Its name, parameters and source.
  let guide: Guide
  /// Its type.
  let type: ObjectIdentifier
  /// Whether it can do without variants that are not there for a while.
  let takesAbsence: Bool
  /// Whether its probabilities follow from tallies.
  let isAllocation: Bool
  /// Whether its probabilities are known before it draws, though they do not follow from tallies.
  let isAllocating: Bool
  /// Whether it chooses by a context.
  let needsContext: Bool
  /// Why no agent can draw by it, see ``Policy/agentRefusal``.
  let agentRefusal: String?
  /// Makes it from a specification, with the names of the variants and the policies that it may be made of.
  private let make:
    @Sendable (Specification, [String], PolicyCatalog) throws(SpecificationError) -> (
      policy: PreparedPolicy, allocation: (any AllocationPolicy)?
    )
  /// Prepares a policy of this type, with the loop that was compiled for it; nil for a policy of another type.
  let prepare: @Sendable (any Policy) -> PreparedPolicy?

  /// The entry of a type. It must be inlined: the loop is compiled for each state where the type is known.
  @inline(__always)
  init<P: Policy>(_ type: P.Type) {
    self.init(type) { (specification, variants, _) throws(SpecificationError) in
      try P(specification, variants: variants)
    }
  }

  /// The entry of a type of policies that are made of others.
  @inline(__always)
  init<P: WrappingPolicy>(_ type: P.Type) {
    self.init(type) { (specification, variants, policies) throws(SpecificationError) in
      try P(specification, variants: variants, policies: policies)
    }
  }

  @inline(__always)
  private init<P: Policy>(
    _ type: P.Type,
    _ makePolicy:
      @escaping @Sendable (Specification, [String], PolicyCatalog) throws(SpecificationError) -> P
  ) {
    guide = P.guide
    self.type = ObjectIdentifier(type)
    takesAbsence = P.takesAbsence
    isAllocation = P.self is any AllocationPolicy.Type
    isAllocating = P.State.self is any AllocatingState.Type
    needsContext = P.needsContext
    agentRefusal = P.agentRefusal
    make = { (specification, variants, policies) throws(SpecificationError) in
      let policy = try makePolicy(specification, variants, policies)
      return (PreparedPolicy.compiled(for: policy), policy as? any AllocationPolicy)
    }
    prepare = { ($0 as? P).map { PreparedPolicy.compiled(for: $0) } }
  }
}

extension [PolicyEntry] {
  /// The entry of a name.
  ///
  /// - Throws: `SpecificationError` that lists what there is, when it is none of `known`.
  func named(
    _ name: String, known: @autoclosure () -> [Guide]
  ) throws(SpecificationError) -> PolicyEntry {
    if let entry = first(where: { $0.guide.name == name }) { return entry }
    throw SpecificationError(
      "there is no policy \"\(name)\""
        + NearestName.choices(for: name, among: known().map(\.name)))
  }
}

extension PolicyEntry {
  /// Makes the policy, if nothing is written that it does not know.
  func checked(
    _ specification: Specification, _ variants: [String], _ policies: PolicyCatalog
  ) throws(SpecificationError) -> (policy: PreparedPolicy, allocation: (any AllocationPolicy)?) {
    try specification.requireKeys(among: guide.parameters.map(\.key))
    return try make(specification, variants, policies)
  }
}
