public import Statistics

/// A policy that an agent can draw by: all its probabilities are known before the draw.
public enum AgentPolicy: Sendable {
  /// They follow from what was counted.
  case counts(any AllocationPolicy)
  /// They follow from the decisions in their order.
  case decisions(LearnedAllocation)

  /// What there is to say about each of those that an agent takes, sorted by name.
  public static var all: [Guide] { all(in: .standard) }

  /// The name, parameters and source of each policy of a catalog that an agent takes, sorted by name.
  public static func all(in policies: PolicyCatalog) -> [Guide] {
    policies.entries.filter { $0.isAllocation || $0.isAllocating }.map(\.guide)
      .sorted { $0.name < $1.name }
  }

  /// The policy that a text such as `thompson` or `exp3:gamma=0.1` names.
  ///
  /// - Parameters:
  ///   - text: A name from ``all``, with parameters or without.
  ///   - variants: The names of the choices in their order. Only `fixed:variant=NAME` needs them.
  ///   - policies: The policies that can be named; the built-in ones by default.
  /// - Returns: The policy.
  /// - Throws: `SpecificationError`: the text names no policy, gives it what it cannot use, or names one that cannot serve
  ///   an agent, with the reason.
  public static func named(
    _ text: String, variants: [String] = [], in policies: PolicyCatalog = .standard
  ) throws(SpecificationError) -> AgentPolicy {
    let specification = try Specification(parsing: text)
    let name = specification.name
    let entry = try policies.entries.named(name, known: all(in: policies))
    guard entry.isAllocation || entry.isAllocating else {
      let reason = entry.agentRefusal ?? "its probabilities are not known before it draws"
      let names = all(in: policies).map(\.name).joined(separator: ", ")
      throw SpecificationError(
        "\(name) cannot serve an agent: \(reason); there are \(names)")
    }
    let made = try entry.checked(specification, variants, policies)
    if let allocation = made.allocation { return .counts(allocation) }
    let learned = try LearnedAllocation(made.policy)
    guard !made.policy.needsHorizon else {
      throw SpecificationError(
        "\(specification) needs to know how many decisions there will be, and an agent has no end; add horizon=N, the "
          + "number of decisions it is to learn for")
    }
    return .decisions(learned)
  }
}

/// What several policies say of why no agent can draw by them.
enum AgentRefusal {
  static let otherPolicies =
    "it is made of policies that draw for themselves, so that its probabilities are not known before; an agent has "
    + "controlShare and explorationFloor instead of floor"
  static let tossedVariants =
    "it drops one of equally bad variants at random, so that its log does not say which are left; use "
    + "successive-elimination or lucb"
}
