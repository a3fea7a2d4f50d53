public import Specifications

/// A policy in a catalog.
public struct PolicyEntry: CatalogEntry {
  public let info: SpecificationInfo
  public let type: ObjectIdentifier
  /// Whether its probabilities follow from tallies.
  let isAllocation: Bool
  /// Whether its probabilities are known before the draw, from tallies or from its state.
  let isAllocating: Bool
  /// Whether it requires a context.
  let needsContext: Bool
  /// Why an agent cannot use it, see ``Policy/agentIncompatibility``.
  let agentIncompatibility: String?
  /// Creates the policy from a specification.
  let make: @Sendable (Specification, PolicySources) throws(SpecificationError) -> PreparedPolicy
  /// The loop for states of this policy; nil if it requires a context, which no stationary run has.
  let loop: StationaryLoop?

  /// Creates the entry of a type. Must be inlined: the loop is specialized for each state where the type is known.
  @inline(__always)
  init<P: Policy>(
    _ type: P.Type,
    _ complete:
      @escaping @Sendable (Specification, inout PolicySources)
      throws(SpecificationError) -> Void = { _, _ in }
  ) {
    info = P.listing
    self.type = ObjectIdentifier(type)
    isAllocation = P.self is any AllocationPolicy.Type
    isAllocating = isAllocation || P.State.self is any AllocatingState.Type
    needsContext = P.needsContext
    agentIncompatibility = P.agentIncompatibility
    let loop: StationaryLoop? = P.needsContext ? nil : SimulationLoop.specialized(for: P.State.self)
    self.loop = loop
    make = { (specification, sources) throws(SpecificationError) in
      var sources = sources
      try complete(specification, &sources)
      return PreparedPolicy(try P(specification, sources), loop)
    }
  }

  /// Creates the entry of the policies that are in files.
  init(learned read: @escaping @Sendable (String) throws(SpecificationError) -> LearnedPolicy) {
    self.init(LearnedChoices.self) { (specification, sources) throws(SpecificationError) in
      guard let path = specification["path"], !path.isEmpty else {
        throw SpecificationError(
          "\(specification) needs a file; write \(specification.name):path=FILE.json")
      }
      sources.learned = try read(path)
    }
  }
}
