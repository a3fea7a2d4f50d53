package import Specifications

/// The catalog of policies whose probabilities follow from tallies and are known before the draw.
package enum AllocationPolicies {
  /// The name, summary, parameters and citation of each policy, sorted by name.
  package static var all: [SpecificationInfo] { catalog.all }

  static var catalog: PolicyCatalog { PolicyCatalog.standard.filter(\.isAllocation) }

  /// Returns the policy that a specification such as `thompson` or `epsilon-greedy:epsilon=0.1` describes.
  ///
  /// - Parameters:
  ///   - text: A name from ``all``, with or without parameters.
  ///   - variants: The names of the choices in the order of the tallies. Needed only by `fixed:variant=NAME`.
  /// - Returns: The policy.
  /// - Throws: `SpecificationError` if the name is unknown or a parameter is invalid.
  package static func named(_ text: String, variants: [String] = []) throws(SpecificationError)
    -> any AllocationPolicy
  {
    let specification = try Specification(parsing: text)
    let entry = try catalog.entry(named: specification.name)
    let sources = PolicySources(variants: variants)
    guard let policy = try entry.make(specification, sources).allocationPolicy else {
      throw SpecificationError(
        "\(specification.name) does not know its probabilities in advance; there are "
          + all.map(\.name).joined(separator: ", "))
    }
    return policy
  }
}
