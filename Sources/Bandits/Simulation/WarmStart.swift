public import Specifications
internal import Statistics

/// Rewards that a policy learns before its first decision.
///
/// The policy learns them in order, as if it had made the decisions itself with immediate rewards, so variants seen
/// here are not pulled in an initial round. Phases that a policy counts by its own decisions, such as the exploration
/// of `etc`, begin afterwards. Memory: 32 bytes per reward, and the contexts.
public struct WarmStart: Sendable {
  /// The reward of an earlier decision.
  public struct Reward: Sendable, Hashable {
    /// The index of the variant.
    public var variant: Int
    /// The reward, a finite number.
    public var reward: Double
    /// The probability of the choice; NaN if unknown, which is taken as 1/K with K variants.
    public var propensity: Double
    /// The context of the decision, as an index into ``WarmStart/features`` if there are some, otherwise into
    /// ``WarmStart/contexts``; nil for a context of zeros.
    public var context: Int?

    /// Creates a reward.
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
  /// The contexts of decisions, each with one number per shared feature of the environment.
  public var contexts: [[Double]]
  /// The features of decisions, with the columns of the environment; nil for those of ``contexts``.
  public var features: FeatureContexts?

  /// Creates a warm start.
  ///
  /// - Parameters:
  ///   - rewards: The rewards, in order.
  ///   - contexts: The contexts that the rewards refer to.
  ///   - features: The features that the rewards refer to, in place of contexts.
  public init(
    _ rewards: [Reward], contexts: [[Double]] = [], features: FeatureContexts? = nil
  ) {
    self.rewards = rewards
    self.contexts = contexts
    self.features = features
  }

  /// Checks that the rewards and contexts fit a problem.
  private func check(_ problem: Problem) throws(SpecificationError) {
    guard contexts.allSatisfy({ $0.count == problem.sharedFeatures }),
      features?.fits(problem) ?? true
    else {
      throw SpecificationError(
        "the contexts of a warm start differ in length from those of the environment, which has "
          + "\(problem.sharedFeatures) numbers, and \(problem.variantFeatures) for each variant")
    }
    let count = features?.count ?? contexts.count
    for reward in rewards {
      guard (0..<problem.variants).contains(reward.variant), abs(reward.reward) <= 1e100,
        reward.context.map({ (0..<count).contains($0) }) ?? true
      else {
        throw SpecificationError(
          "a warm start has a reward of \(reward.reward) for the variant with index \(reward.variant); there are "
            + "\(problem.variants) variants, and rewards are numbers up to 1e100")
      }
    }
  }

  /// Returns the problem with its reward range widened to include these rewards.
  func widening(_ problem: Problem) throws(SpecificationError) -> Problem {
    try check(problem)
    var problem = problem
    guard let range = problem.rewards else { return problem }
    var (low, high) = (range.lowerBound, range.upperBound)
    for reward in rewards { (low, high) = (min(low, reward.reward), max(high, reward.reward)) }
    problem.rewards = low...high
    return problem
  }

  /// Feeds all the rewards to a policy.
  func teach(_ state: inout some PolicyState, _ problem: Problem) {
    let contexts = contexts.map {
      Context(shared: $0, variants: Self.zeros(problem.variants * problem.variantFeatures))
    }
    let unknown = Context(
      shared: Self.zeros(problem.sharedFeatures),
      variants: Self.zeros(problem.variants * problem.variantFeatures))
    var context = Context()
    for reward in rewards {
      let isKnown = reward.propensity > 0 && reward.propensity <= 1
      let propensity = isKnown ? reward.propensity : 1 / Double(problem.variants)
      if let index = reward.context, let features { features.write(index, into: &context) }
      let known = reward.context.map { features == nil ? contexts[$0] : context }
      state.learn(
        Choice(reward.variant, propensity: propensity), reward.reward, known ?? unknown)
    }
  }

  private static func zeros(_ count: Int) -> [Double] { [Double](repeating: 0, count: count) }
}

extension PreparedPolicy {
  /// Returns the policy after it has learned a warm start, so that each of its runs begins there.
  ///
  /// - Parameters:
  ///   - warmStart: The rewards to learn.
  ///   - problem: The problem that the environment poses; rewards of the warm start may lie outside its range.
  /// - Returns: The policy, for this problem only.
  /// - Throws: `SpecificationError` if the policy does not support the problem or the rewards, or needs contexts and
  ///   the warm start has none.
  /// - Complexity: O(number of rewards).
  public func warmed(
    by warmStart: WarmStart, for problem: Problem
  ) throws(SpecificationError) -> PreparedPolicy {
    if needsContext, warmStart.rewards.contains(where: { $0.context == nil }) {
      throw SpecificationError(
        "\(specification) chooses by a context, and the decisions of the warm start have none of this environment; "
          + "leave the warm start or the policy out, or take contexts of the log in both (context=NAME or "
          + "features=TERMS)"
      )
    }
    let problem = try warmStart.widening(problem)
    var policy = self
    var state = try makeState(problem)
    warmStart.teach(&state, problem)
    policy.start = state
    if var state = allocationPolicy?.makeAllocatedState(problem) {
      warmStart.teach(&state, problem)
      policy.allocatingStart = state
    }
    return policy
  }
}
