public import Specifications

/// `epsilon-greedy:epsilon=0.1`: a uniformly random variant with probability ε, otherwise the greedy one.
///
/// R. S. Sutton and A. G. Barto, *Reinforcement Learning* (2nd edition, 2018), section 2.2. Each variant has a
/// probability of at least ε/K, even while some were never chosen, so that the log supports off-policy evaluation.
public struct EpsilonGreedy: AllocationPolicy {
  /// The probability of a random variant.
  public var epsilon = 0.1
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "epsilon-greedy", "a random variant with probability epsilon, otherwise the greedy one",
    source: "Sutton and Barto 2018, section 2.2", example: "epsilon-greedy:epsilon=0.1")

  public static var parameters: [Field] {
    Field.number("epsilon", \.epsilon, in: 0...1, "probability of a random variant, {range}")
  }

  public static let supportsUnavailableVariants = true

  public func makeState(_ problem: Problem) -> GreedyState {
    GreedyState(problem.variants, exploration: epsilon)
  }

  /// Returns (1 − ε) for the greedy variant plus ε/K for each.
  public func allocation(over arms: [ArmTally]) -> Allocation {
    if let flaw = arms.flaw { return .equal(arms.count, refusal: flaw) }
    return arms.greedy.mixed(share: 1 - epsilon)
  }
}
