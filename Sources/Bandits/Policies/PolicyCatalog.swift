public import Specifications

/// The policies that a specification such as `thompson:alpha=2` can name.
///
/// ``standard`` has the built-in ones. A program with policies of its own adds them, and passes the catalog to whatever
/// parses specifications: simulation plans, agents, ``AgentPolicy``.
public struct PolicyCatalog: Sendable {
  let entries: [PolicyEntry]

  /// The built-in policies; see ``readingLearnedPolicies(_:)`` for those in files.
  public static let standard = PolicyCatalog(entries: Policies.entries)

  /// Returns the catalog with a policy added, replacing any policy of the same name.
  ///
  /// - Parameter type: The type of the policy.
  /// - Returns: The catalog in which ``named(_:variants:)`` finds the policy by the name in its ``Policy/info``.
  public func adding<P: Policy>(_ type: P.Type) -> PolicyCatalog { adding(PolicyEntry(type)) }

  /// Returns the catalog with a wrapping policy added, replacing any policy of the same name.
  public func adding<P: WrappingPolicy>(_ type: P.Type) -> PolicyCatalog {
    adding(PolicyEntry(type))
  }

  /// Returns the catalog with ``LearnedChoices`` added, the policies that are in files.
  ///
  /// - Parameter read: Returns the learned policy in the file at a path.
  /// - Returns: The catalog, in which `learned:path=FILE.json` names such a policy.
  public func readingLearnedPolicies(
    _ read: @escaping @Sendable (_ path: String) throws(SpecificationError) -> LearnedPolicy
  ) -> PolicyCatalog {
    adding(PolicyEntry(learned: read))
  }

  private func adding(_ entry: PolicyEntry) -> PolicyCatalog {
    PolicyCatalog(entries: entries.filter { $0.info.name != entry.info.name } + [entry])
  }

  /// The name, summary, parameters and citation of each policy, sorted by name.
  public var all: [SpecificationInfo] { entries.map(\.info).sorted { $0.name < $1.name } }

  /// Returns the policy that a specification such as `thompson` or `epsilon-greedy:epsilon=0.1` describes.
  ///
  /// - Parameters:
  ///   - text: A name from ``all``, with or without parameters.
  ///   - variants: The names of the variants, in order.
  /// - Returns: The policy, ready to run.
  /// - Throws: `SpecificationError` if the name is unknown or a parameter is invalid.
  public func named(
    _ text: String, variants: [String] = []
  ) throws(SpecificationError) -> PreparedPolicy {
    let specification = try Specification(parsing: text)
    return try entries.named(specification.name, known: all)
      .checked(specification, variants, self)
  }
}

extension PolicyCatalog: Hashable {
  /// Whether both catalogs have the same types under the same names.
  public static func == (a: PolicyCatalog, b: PolicyCatalog) -> Bool { a.types == b.types }

  public func hash(into hasher: inout Hasher) { hasher.combine(types) }

  private var types: [String: ObjectIdentifier] {
    Dictionary(entries.map { ($0.info.name, $0.type) }, uniquingKeysWith: { a, _ in a })
  }
}
