public import Statistics

/// `epsilon-greedy:epsilon=0.1`: with probability ε any variant, all alike, otherwise the greedy one.
///
/// R. S. Sutton and A. G. Barto, *Reinforcement Learning* (2nd edition, 2018), section 2.2. Each variant keeps at least
/// ε/K, also while some were never chosen, so that another policy can be judged from the log.
public struct EpsilonGreedy: Policy, AllocationPolicy {
  private static let epsilon = Parameter.number(
    "epsilon", default: 0.1, in: 0...1,
    "probability of a variant at random, {range}")

  /// What there is to say about it.
  public static let guide = Guide(
    "epsilon-greedy", "any variant with probability epsilon, else the greedy one",
    [epsilon],
    source: "Sutton and Barto 2018, section 2.2")

  /// The best of those that are there.
  public static let takesAbsence = true

  /// How it is written.
  public let specification: Specification
  private let epsilon: Double

  /// Makes the policy from values; see ``guide`` for ranges, and for the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError`: a value is out of its range.
  public init(epsilon: Double? = nil) throws(SpecificationError) {
    try self.init(Self.guide.specification(Self.epsilon.written(epsilon)), variants: [])
  }

  /// Makes the policy.
  ///
  /// - Throws: `SpecificationError`: epsilon is no probability.
  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    epsilon = try Self.epsilon.value(in: specification)
  }

  /// Nothing is known.
  public func makeState(_ problem: Problem) -> GreedyState {
    GreedyState(problem.variants, exploration: epsilon)
  }

  /// (1 − ε) for the greedy variant and ε/K for each.
  public func allocation(over arms: [ArmTally]) -> Allocation {
    if let flaw = arms.flaw { return .equal(arms.count, refusal: flaw) }
    return arms.greedy.mixed(share: 1 - epsilon)
  }
}
