public import Specifications
internal import Statistics

/// A policy that an agent can use: all its probabilities are known before the draw.
public struct AgentPolicy: Sendable {
  private let policy: PreparedPolicy

  /// A stand-in for an infinite horizon; it limits only capacities and windows.
  private static var endless: Int { 1_000_000_000 }

  /// The name of the policy and the parameters that were given.
  public var specification: Specification { policy.specification }

  /// The policy that computes the probabilities from counts and sums; nil if they follow from the sequence of decisions
  /// and rewards, see ``learner(choices:)``.
  public var allocationPolicy: (any AllocationPolicy)? { policy.allocationPolicy }

  /// The name, summary, parameters and citation of each policy that an agent can use, sorted by name.
  public static var all: [SpecificationInfo] { all(in: .standard) }

  /// Returns the name, summary, parameters and citation of each policy of a catalog that an agent can use, sorted by
  /// name.
  public static func all(in policies: PolicyCatalog) -> [SpecificationInfo] {
    policies.filter(\.isAllocating).all
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
    guard let entry = policies.entries.first(where: { $0.info.name == name }) else {
      throw SpecificationError(
        NearestName.unknown("policy", name, among: all(in: policies).map(\.name)))
    }
    guard entry.isAllocating else {
      let reason = entry.agentIncompatibility ?? "its probabilities are not known before it draws"
      let names = all(in: policies).map(\.name).joined(separator: ", ")
      throw SpecificationError(
        "\(name) cannot serve an agent: \(reason); there are \(names)")
    }
    let policy = AgentPolicy(
      policy: try entry.make(specification, PolicySources(variants: variants, policies: policies)))
    if policy.allocationPolicy == nil { try policy.check() }
    return policy
  }

  /// Checks that the policy, with its parameters, can learn from the decisions of an agent.
  private func check() throws(SpecificationError) {
    let state = try makeState(choices: 2)
    guard state?.usesFullInformation != true else {
      throw SpecificationError(
        "\(specification) learns the rewards of all variants at each decision, and an agent observes that of its own "
          + "choice only; add information=bandit")
    }
    guard state != nil else {
      throw SpecificationError(
        "\(specification) draws before its probabilities are known; without other policies in it, it does not"
      )
    }
    guard !policy.needsHorizon else {
      throw SpecificationError(
        "\(specification) depends on the number of decisions, and an agent has no end; add horizon=N, the "
          + "number of decisions to plan for")
    }
  }

  private func makeState(choices: Int) throws(SpecificationError) -> (any AllocatingState)? {
    try policy.makeAllocatingState(
      Problem(
        variants: choices, horizon: Self.endless, rewards: policy.needsUnitRewards ? 0...1 : nil))
  }

  /// Returns the state before the first decision.
  ///
  /// - Parameter choices: The number of choices.
  /// - Returns: The state, ready to learn.
  public func learner(choices: Int) -> Learner {
    let state = choices > 0 ? try? makeState(choices: choices) : nil
    return Learner(state: state, choices: choices, needsUnitRewards: policy.needsUnitRewards)
  }

  /// The state of an agent's policy after a sequence of decisions.
  public struct Learner: Sendable {
    fileprivate var state: (any AllocatingState)?
    fileprivate let choices: Int
    fileprivate let needsUnitRewards: Bool
    fileprivate var refusal: String?

    /// The probabilities of the choices at the next decision.
    ///
    /// After a reward that the policy cannot use they are equal, with the reason.
    public var allocation: Allocation {
      guard refusal == nil, let state else { return .equal(choices, refusal: refusal) }
      return state.allocation
    }

    /// Updates the state with the next decision and its reward.
    ///
    /// - Parameters:
    ///   - choice: The index of the choice; an invalid one is ignored.
    ///   - propensity: The probability of the choice, in (0, 1]; NaN if unknown, so that policies that divide by it
    ///     learn nothing.
    ///   - reward: The reward, a finite number.
    public mutating func learn(_ choice: Int, propensity: Double, reward: Double) {
      guard choice >= 0, choice < choices, refusal == nil else { return }
      if needsUnitRewards, !(reward >= 0 && reward <= 1) {
        refusal =
          "a decision earned \(reward), and this policy does not support rewards outside 0 to 1; scale the rewards, or "
          + "use thompson-gaussian or ucb1"
      } else {
        refusal = state?.refusal(of: reward)
      }
      guard refusal == nil else { return }
      state?.note(choice)
      state?.learn(Choice(choice, propensity: propensity), reward, .none)
    }
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
