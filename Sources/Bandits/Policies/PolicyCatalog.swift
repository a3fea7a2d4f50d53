public import Specifications

/// The policies that a specification such as `thompson:alpha=2` can name.
///
/// `standard` has the built-in ones. A program with policies of its own adds them, and passes the catalog to whatever
/// parses specifications: simulation plans, agents, ``AgentPolicy``.
public typealias PolicyCatalog = Catalog<PolicyEntry>

extension PolicyCatalog {
  /// The built-in policies; see ``readingLearnedPolicies(_:)`` for those in files.
  public static var standard: PolicyCatalog { Policies.catalog }

  /// Returns the catalog with a policy added, replacing any policy of the same name.
  public func adding<P: Policy>(_ type: P.Type) -> PolicyCatalog { adding(PolicyEntry(type)) }

  /// Returns the catalog with ``LearnedChoices`` added, the policies that are in files.
  ///
  /// - Parameter read: Returns the learned policy in the file at a path.
  /// - Returns: The catalog, in which `learned:path=FILE.json` names such a policy.
  public func readingLearnedPolicies(
    _ read: @escaping @Sendable (_ path: String) throws(SpecificationError) -> LearnedPolicy
  ) -> PolicyCatalog {
    adding(PolicyEntry(learned: read))
  }

  /// Returns the policy that a specification such as `thompson` or `epsilon-greedy:epsilon=0.1` describes.
  ///
  /// - Parameters:
  ///   - text: A name from `all`, with or without parameters.
  ///   - variants: The names of the variants, in order.
  /// - Returns: The policy, ready to run.
  /// - Throws: `SpecificationError` if the name is unknown or a parameter is invalid.
  public func named(
    _ text: String, variants: [String] = []
  ) throws(SpecificationError) -> PreparedPolicy {
    let specification = try Specification(parsing: text)
    return try entry(named: specification.name)
      .make(specification, PolicySources(variants: variants, policies: self))
  }
}
