public import Specifications

/// `epsilon-greedy:epsilon=0.1`: a uniformly random variant with probability ε, otherwise the greedy one.
///
/// R. S. Sutton and A. G. Barto, *Reinforcement Learning* (2nd edition, 2018), section 2.2. Each variant has a
/// probability of at least ε/K, even while some were never chosen, so that the log supports off-policy evaluation.
public struct EpsilonGreedy: AllocationPolicy {
  private static let epsilon = Parameter.number(
    "epsilon", default: 0.1, in: 0...1,
    "probability of a random variant, {range}")

  public static let info = SpecificationInfo(
    "epsilon-greedy", "a random variant with probability epsilon, otherwise the greedy one",
    [epsilon],
    source: "Sutton and Barto 2018, section 2.2")

  public static let supportsUnavailableVariants = true

  public let specification: Specification
  private let epsilon: Double

  /// Creates the policy; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range.
  public init(epsilon: Double? = nil) throws(SpecificationError) {
    try self.init(Self.info.specification(Self.epsilon.written(epsilon)), variants: [])
  }

  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    epsilon = try Self.epsilon.value(in: specification)
  }

  public func makeState(_ problem: Problem) -> GreedyState {
    GreedyState(problem.variants, exploration: epsilon)
  }

  /// Returns (1 − ε) for the greedy variant plus ε/K for each.
  public func allocation(over arms: [ArmTally]) -> Allocation {
    if let flaw = arms.flaw { return .equal(arms.count, refusal: flaw) }
    return arms.greedy.mixed(share: 1 - epsilon)
  }
}
