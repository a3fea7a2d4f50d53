public import Statistics

/// The policies whose probabilities are known before the draw, by name.
public enum AllocationPolicies {
  /// One parameter of a policy.
  public struct Parameter: Hashable, Sendable {
    /// Its name.
    public let key: String
    /// Its value when it is not given, as written; nil where it must be given, or where leaving it out means
    /// something else.
    public let standard: String?
    /// What it does.
    public let meaning: String
  }

  /// What there is to say about one policy.
  public struct Description: Hashable, Sendable {
    /// How it is called.
    public let name: String
    /// What it does, in one line.
    public let summary: String
    /// What it can be given.
    public let parameters: [Parameter]
    /// Where it is defined: the paper or book, and the place in it.
    public let source: String
  }

  /// All policies, sorted by name.
  public static var all: [Description] { entries.map(\.description).sorted { $0.name < $1.name } }

  /// The policy that a text such as `thompson` or `epsilon-greedy:epsilon=0.1` names.
  ///
  /// - Parameters:
  ///   - text: A name from ``all``, with parameters or without.
  ///   - variants: The names of the choices in the order of the tallies. Only `fixed:variant=NAME` needs them.
  /// - Returns: The policy, ready to allocate.
  /// - Throws: ``SpecificationError``: the text names no policy, or gives it what it cannot use.
  public static func named(_ text: String, variants: [String] = []) throws(SpecificationError)
    -> any AllocationPolicy
  {
    let specification = try Specification(parsing: text)
    guard let entry = entries.first(where: { $0.description.name == specification.name }) else {
      throw SpecificationError(
        "there is no policy \"\(specification.name)\"; there are "
          + all.map(\.name).joined(separator: ", "))
    }
    try specification.requireKeys(among: entry.description.parameters.map(\.key))
    return try entry.make(specification, variants)
  }
}

extension AllocationPolicies {
  /// A policy and how it is made from what was written.
  struct Entry: Sendable {
    let description: Description
    let make: @Sendable (Specification, [String]) throws(SpecificationError) -> any AllocationPolicy

    init(
      _ name: String, _ summary: String, _ parameters: [Parameter] = [], source: String,
      make:
        @escaping @Sendable (Specification, [String]) throws(SpecificationError)
        -> any AllocationPolicy
    ) {
      description = Description(
        name: name, summary: summary, parameters: parameters, source: source)
      self.make = make
    }
  }

  static var entries: [Entry] {
    fixedEntries + greedyEntries + exploringEntries + boundEntries + divergenceEntries
      + bayesianEntries
  }
}
