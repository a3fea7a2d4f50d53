public import Statistics

/// A policy whose probabilities follow from decisions and rewards in their order, and not from counts and sums alone.
///
/// What it knows is a function of the choices, their propensities and their rewards: whoever has these has its
/// probabilities, and draws from them.
public struct LearnedAllocation: Sendable {
  /// How the policy is written, with the parameters that were given.
  public let specification: Specification
  private let needsUnitRewards: Bool
  private let makeState: @Sendable (Problem) throws(SpecificationError) -> (any AllocatingState)?

  /// Stands for a horizon where there is none; only room is limited by it, and windows.
  private static var endless: Int { 1_000_000_000 }

  /// A policy as it comes from the catalog.
  ///
  /// - Throws: `SpecificationError`: its probabilities are not known before it draws.
  init(_ policy: PreparedPolicy) throws(SpecificationError) {
    specification = policy.specification
    needsUnitRewards = policy.needsUnitRewards
    makeState = policy.makeAllocating
    let state = try state(2)
    guard state?.wantsAllRewards != true else {
      throw SpecificationError(
        "\(specification) learns the rewards of all variants at each decision, and an agent is told that of its own "
          + "choice only; add information=bandit")
    }
    guard state?.canAllocate == true else {
      throw SpecificationError(
        "\(specification) draws before its probabilities are known; without other policies in it, it does not"
      )
    }
  }

  private func state(_ choices: Int) throws(SpecificationError) -> (any AllocatingState)? {
    try makeState(
      Problem(
        variants: choices, horizon: Self.endless, rewards: needsUnitRewards ? 0...1 : nil))
  }

  /// What the policy knows before the first decision.
  ///
  /// - Parameter choices: How many choices there are.
  /// - Returns: It, ready to learn.
  public func learner(choices: Int) -> AllocationLearner {
    let state = choices > 0 ? try? state(choices) : nil
    return AllocationLearner(state, choices: choices, needsUnitRewards: needsUnitRewards)
  }
}

/// What a ``LearnedAllocation`` has learned from the decisions so far.
public struct AllocationLearner: Sendable {
  private var state: (any AllocatingState)?
  private let choices: Int
  private let needsUnitRewards: Bool
  private var refusal: String?

  init(_ state: (any AllocatingState)?, choices: Int, needsUnitRewards: Bool) {
    self.state = state
    self.choices = choices
    self.needsUnitRewards = needsUnitRewards
  }

  /// The probabilities of the choices at the next decision.
  ///
  /// After a reward that the policy cannot use they are equal, with the reason.
  public var allocation: Allocation {
    guard refusal == nil, let state else { return .equal(choices, refusal: refusal) }
    return state.allocation
  }

  /// Learns the next decision with its reward.
  ///
  /// - Parameters:
  ///   - choice: The index of the choice; one that does not exist is passed over.
  ///   - propensity: The probability with which it was drawn, in (0, 1]; NaN when that is not known, so that policies
  ///     that divide by it learn nothing.
  ///   - reward: What it earned, a finite number.
  public mutating func learn(_ choice: Int, propensity: Double, reward: Double) {
    guard choice >= 0, choice < choices, refusal == nil else { return }
    if needsUnitRewards, !(reward >= 0 && reward <= 1) {
      refusal =
        "a decision earned \(reward), and this policy makes nothing of rewards outside 0 to 1; scale the rewards, or "
        + "use thompson-gaussian or ucb1"
    } else {
      refusal = state?.refusal(of: reward)
    }
    guard refusal == nil else { return }
    state?.note(choice)
    state?.learn(Choice(choice, propensity: propensity), reward, .none)
  }
}
