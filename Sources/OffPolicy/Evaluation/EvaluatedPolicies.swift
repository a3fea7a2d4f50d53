public import Bandits
public import Specifications

/// The policies of an evaluation by their specifications: target policies, whose probabilities are known, and learning
/// policies, which are replayed.
public struct EvaluatedPolicies: Sendable {
  /// The target policies, in order.
  public private(set) var targets: [any TargetPolicy] = []
  /// The learning policies, in order.
  public private(set) var learning: [ReplayedPolicy] = []

  /// Parses specifications such as `uniform`, `fixed:variant=A`, `ucb1` and `replay:policy=(ucb1),floor=0.01`.
  ///
  /// A name that is both that of a target policy and of a learning policy, such as `epsilon-greedy`, is the target
  /// policy; `replay` names the learning one.
  ///
  /// - Parameters:
  ///   - texts: The specifications.
  ///   - catalog: The target policies.
  ///   - policies: The learning policies.
  ///   - files: Returns the text of a file, given its path.
  /// - Throws: `SpecificationError` if a name is unknown or given twice, or a parameter or a file is invalid.
  public init(
    parsing texts: [String], catalog: TargetPolicyCatalog = .standard,
    policies: PolicyCatalog = .standard,
    files: @escaping @Sendable (String) throws(SpecificationError) -> String
  ) throws(SpecificationError) {
    var seen: Set<NameKey> = []
    let targetNames = Set(catalog.all.map(\.name))
    let names = Self.names(catalog: catalog, policies: policies)
    for text in texts {
      let specification = try Specification(parsing: text)
      guard seen.insert(NameKey(specification.description)).inserted else {
        throw SpecificationError("the policy \(specification) is given twice; remove one of them")
      }
      if targetNames.contains(specification.name) {
        targets.append(try catalog.named(text, files: files))
      } else if names.contains(specification.name) {
        learning.append(try ReplayedPolicy(specification, policies: policies))
      } else {
        throw SpecificationError(
          NearestName.unknown("policy", specification.name, among: names))
      }
    }
  }

  /// Returns the names that a specification can have.
  ///
  /// - Parameters:
  ///   - catalog: The target policies.
  ///   - policies: The learning policies.
  /// - Returns: The names of target policies, of learning policies and `replay`, sorted.
  public static func names(
    catalog: TargetPolicyCatalog = .standard, policies: PolicyCatalog = .standard
  ) -> [String] {
    Set(catalog.all.map(\.name)).union(policies.all.map(\.name))
      .union([ReplayedPolicy.info.name]).sorted()
  }
}
