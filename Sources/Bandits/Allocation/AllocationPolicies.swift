public import Statistics

/// The policies whose probabilities follow from tallies, known before the draw, by name.
public enum AllocationPolicies {
  /// What there is to say about each of them, sorted by name.
  public static var all: [Guide] { entries.map(\.guide).sorted { $0.name < $1.name } }

  static var entries: [PolicyEntry] { Policies.entries.filter(\.isAllocation) }

  /// The policy that a text such as `thompson` or `epsilon-greedy:epsilon=0.1` names.
  ///
  /// - Parameters:
  ///   - text: A name from ``all``, with parameters or without.
  ///   - variants: The names of the choices in the order of the tallies. Only `fixed:variant=NAME` needs them.
  /// - Returns: The policy, ready to allocate.
  /// - Throws: `SpecificationError`: the text names no policy, or gives it what it cannot use.
  public static func named(_ text: String, variants: [String] = []) throws(SpecificationError)
    -> any AllocationPolicy
  {
    let specification = try Specification(parsing: text)
    let entry = try entries.named(specification.name, known: all)
    let made = try entry.checked(specification, variants, .standard)
    guard let allocation = made.allocation else {
      throw SpecificationError(
        "\(specification.name) cannot say its probabilities; there are "
          + all.map(\.name).joined(separator: ", "))
    }
    return allocation
  }
}
