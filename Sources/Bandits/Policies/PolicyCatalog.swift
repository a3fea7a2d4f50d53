public import Statistics

/// The policies that a specification such as `thompson:alpha=2` can name.
///
/// ``standard`` has the built-in ones. A program that has policies of its own adds them, and passes the catalog to
/// whatever reads specifications: simulation plans, agents, ``AgentPolicy``.
public struct PolicyCatalog: Sendable {
  let entries: [PolicyEntry]

  /// The built-in policies.
  public static let standard = PolicyCatalog(entries: Policies.entries)

  /// Returns the catalog with one more policy, which replaces a policy of the same name.
  ///
  /// - Parameter type: The policy.
  /// - Returns: The catalog in which ``named(_:variants:)`` finds the policy by the name in its ``Policy/guide``.
  public func adding<P: Policy>(_ type: P.Type) -> PolicyCatalog { adding(PolicyEntry(type)) }

  /// Returns the catalog with one more policy that is made of others, which replaces a policy of the same name.
  public func adding<P: WrappingPolicy>(_ type: P.Type) -> PolicyCatalog {
    adding(PolicyEntry(type))
  }

  private func adding(_ entry: PolicyEntry) -> PolicyCatalog {
    PolicyCatalog(entries: entries.filter { $0.guide.name != entry.guide.name } + [entry])
  }

  /// The name, parameters and source of each policy, sorted by name.
  public var all: [Guide] { entries.map(\.guide).sorted { $0.name < $1.name } }

  /// Returns the policy that a text such as `thompson` or `epsilon-greedy:epsilon=0.1` names.
  ///
  /// - Parameters:
  ///   - text: A name from ``all``, with parameters or without.
  ///   - variants: The names of the variants in their order.
  /// - Returns: The policy, ready to be run.
  /// - Throws: `SpecificationError`: no policy has that name, or it cannot use a parameter.
  public func named(
    _ text: String, variants: [String] = []
  ) throws(SpecificationError) -> PreparedPolicy {
    let specification = try Specification(parsing: text)
    return try entries.named(specification.name, known: all)
      .checked(specification, variants, self).policy
  }
}

extension PolicyCatalog: Hashable {
  /// Whether both catalogs have the same types under the same names.
  public static func == (a: PolicyCatalog, b: PolicyCatalog) -> Bool { a.types == b.types }

  /// Hashes the types and their names.
  public func hash(into hasher: inout Hasher) { hasher.combine(types) }

  private var types: [String: ObjectIdentifier] {
    Dictionary(entries.map { ($0.guide.name, $0.type) }, uniquingKeysWith: { a, _ in a })
  }
}
