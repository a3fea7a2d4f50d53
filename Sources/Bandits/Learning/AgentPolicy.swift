public import Statistics

/// A policy that an agent can use: all its probabilities are known before the draw.
public enum AgentPolicy: Sendable {
  /// The probabilities follow from counts and sums.
  case counts(any AllocationPolicy)
  /// The probabilities follow from the sequence of decisions.
  case decisions(LearnedAllocation)

  /// The name, summary, parameters and citation of each policy that an agent can use, sorted by name.
  public static var all: [SpecificationInfo] { all(in: .standard) }

  /// Returns the name, summary, parameters and citation of each policy of a catalog that an agent can use, sorted by
  /// name.
  public static func all(in policies: PolicyCatalog) -> [SpecificationInfo] {
    policies.entries.filter { $0.isAllocation || $0.isAllocating }.map(\.info)
      .sorted { $0.name < $1.name }
  }

  /// Returns the policy that a specification such as `thompson` or `exp3:gamma=0.1` describes.
  ///
  /// - Parameters:
  ///   - text: A name from ``all``, with or without parameters.
  ///   - variants: The names of the choices, in order. Needed only by `fixed:variant=NAME`.
  ///   - policies: The catalog; the built-in policies by default.
  /// - Returns: The policy.
  /// - Throws: `SpecificationError` if the name is unknown, a parameter is invalid, or an agent cannot use the policy,
  ///   with the reason.
  public static func named(
    _ text: String, variants: [String] = [], in policies: PolicyCatalog = .standard
  ) throws(SpecificationError) -> AgentPolicy {
    let specification = try Specification(parsing: text)
    let name = specification.name
    let entry = try policies.entries.named(name, known: all(in: policies))
    guard entry.isAllocation || entry.isAllocating else {
      let reason = entry.agentIncompatibility ?? "its probabilities are not known before it draws"
      let names = all(in: policies).map(\.name).joined(separator: ", ")
      throw SpecificationError(
        "\(name) cannot serve an agent: \(reason); there are \(names)")
    }
    let made = try entry.checked(specification, variants, policies)
    if let allocation = made.allocation { return .counts(allocation) }
    let learned = try LearnedAllocation(made.policy)
    guard !made.policy.needsHorizon else {
      throw SpecificationError(
        "\(specification) depends on the number of decisions, and an agent has no end; add horizon=N, the "
          + "number of decisions to plan for")
    }
    return .decisions(learned)
  }
}

/// Reasons, shared by several policies, why an agent cannot use them.
enum AgentRefusal {
  static let otherPolicies =
    "it is made of policies that draw for themselves, so that its probabilities are not known in advance; an agent has "
    + "controlShare and explorationFloor instead of floor"
  static let tossedVariants =
    "it breaks ties between the worst variants at random, so that its log does not show which remain; use "
    + "successive-elimination or lucb"
}
