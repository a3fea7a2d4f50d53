public import Statistics

/// Rewards that policies learn before their first decision, in their order.
///
/// A policy learns them as if it had made the decisions itself and was told each reward at once: variants that it has
/// learned of are none that it must try first. Rounds that a policy counts by its own decisions, such as the first ones
/// of `etc`, begin after them. Memory: 32 bytes for each reward.
public struct WarmStart: Sendable {
  /// A reward of a decision that was made before.
  public struct Reward: Sendable, Hashable {
    /// The index of the variant.
    public var variant: Int
    /// What came of it, a finite number.
    public var reward: Double
    /// The probability with which it was chosen; NaN where it is not known, which counts as 1/K with K variants.
    public var propensity: Double
    /// What was known at the decision, as an index into ``WarmStart/contexts``; nil for a context of zeros.
    public var context: Int?

    /// Describes a reward.
    public init(
      variant: Int, reward: Double, propensity: Double = .nan, context: Int? = nil
    ) {
      self.variant = variant
      self.reward = reward
      self.propensity = propensity
      self.context = context
    }
  }

  /// The rewards in the order in which they are learned.
  public var rewards: [Reward]
  /// What was known at decisions, each as many numbers as the environment's shared features.
  public var contexts: [[Double]]

  /// Puts together what is learned.
  ///
  /// - Parameters:
  ///   - rewards: The rewards in their order.
  ///   - contexts: What was known at decisions.
  public init(_ rewards: [Reward], contexts: [[Double]] = []) {
    self.rewards = rewards
    self.contexts = contexts
  }

  /// Nothing in a problem's way.
  private func check(_ problem: Problem) throws(SpecificationError) {
    guard contexts.allSatisfy({ $0.count == problem.sharedFeatures }) else {
      throw SpecificationError(
        "a warm start has contexts of another length than the environment, which has "
          + "\(problem.sharedFeatures) numbers")
    }
    for reward in rewards {
      guard (0..<problem.variants).contains(reward.variant), abs(reward.reward) <= 1e100,
        reward.context.map({ contexts.indices.contains($0) }) ?? true
      else {
        throw SpecificationError(
          "a warm start has a reward of \(reward.reward) for the variant with index \(reward.variant); there are "
            + "\(problem.variants) variants, and rewards are numbers up to 1e100")
      }
    }
  }

  /// The problem with rewards that include these.
  func widening(_ problem: Problem) throws(SpecificationError) -> Problem {
    try check(problem)
    var problem = problem
    guard let range = problem.rewards else { return problem }
    var (low, high) = (range.lowerBound, range.upperBound)
    for reward in rewards { (low, high) = (min(low, reward.reward), max(high, reward.reward)) }
    problem.rewards = low...high
    return problem
  }

  /// Tells a policy all of it.
  func teach(_ state: inout some PolicyState, _ problem: Problem) {
    let contexts = contexts.map {
      Context(shared: $0, variants: Self.zeros(problem.variants * problem.variantFeatures))
    }
    let unknown = Context(
      shared: Self.zeros(problem.sharedFeatures),
      variants: Self.zeros(problem.variants * problem.variantFeatures))
    for reward in rewards {
      let isKnown = reward.propensity > 0 && reward.propensity <= 1
      let propensity = isKnown ? reward.propensity : 1 / Double(problem.variants)
      state.learn(
        Choice(reward.variant, propensity: propensity), reward.reward,
        reward.context.map { contexts[$0] } ?? unknown)
    }
  }

  private static func zeros(_ count: Int) -> [Double] { [Double](repeating: 0, count: count) }
}

extension PreparedPolicy {
  /// The policy as it is once it has learned what came before, so that every run of it begins there.
  ///
  /// - Parameters:
  ///   - warmStart: What it learns.
  ///   - problem: What it will be told of the environment; rewards of the warm start may lie beyond the environment's.
  /// - Returns: The policy, for this problem only.
  /// - Throws: `SpecificationError`: the policy is none for the problem or the rewards, or it chooses by contexts and the
  ///   warm start has none.
  /// - Complexity: O(number of rewards).
  public func warmed(
    by warmStart: WarmStart, for problem: Problem
  ) throws(SpecificationError) -> PreparedPolicy {
    if needsContext, warmStart.rewards.contains(where: { $0.context == nil }) {
      throw SpecificationError(
        "\(specification) chooses by a context, and the decisions of the warm start tell none of this environment; "
          + "leave the warm start or the policy out, or take contexts of the log in both (context=NAME)"
      )
    }
    let problem = try warmStart.widening(problem)
    var policy = self
    var state = try makeState(problem)
    warmStart.teach(&state, problem)
    policy.start = state
    if let makeAllocatedState {
      var state = try makeAllocatedState(problem)
      warmStart.teach(&state, problem)
      policy.allocatedStart = state
    }
    return policy
  }
}
