public import Statistics

/// A policy whose probabilities follow from the sequence of decisions and rewards, not from counts and sums alone.
///
/// Its state is a function of the choices, their propensities and their rewards, from which its probabilities can be
/// recomputed.
public struct LearnedAllocation: Sendable {
  /// The name of the policy and the parameters that were given.
  public let specification: Specification
  private let needsUnitRewards: Bool
  private let makeState: @Sendable (Problem) throws(SpecificationError) -> (any AllocatingState)?

  /// A stand-in for an infinite horizon; it limits only capacities and windows.
  private static var endless: Int { 1_000_000_000 }

  /// Wraps a policy from the catalog.
  ///
  /// - Throws: `SpecificationError` if its probabilities are not known before the draw.
  init(_ policy: PreparedPolicy) throws(SpecificationError) {
    specification = policy.specification
    needsUnitRewards = policy.needsUnitRewards
    makeState = policy.makeAllocating
    let state = try state(2)
    guard state?.usesFullInformation != true else {
      throw SpecificationError(
        "\(specification) learns the rewards of all variants at each decision, and an agent observes that of its own "
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

  /// Returns the state before the first decision.
  ///
  /// - Parameter choices: The number of choices.
  /// - Returns: The state, ready to learn.
  public func learner(choices: Int) -> AllocationLearner {
    let state = choices > 0 ? try? state(choices) : nil
    return AllocationLearner(state, choices: choices, needsUnitRewards: needsUnitRewards)
  }
}

/// The state of a ``LearnedAllocation`` after a sequence of decisions.
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

  /// Updates the state with the next decision and its reward.
  ///
  /// - Parameters:
  ///   - choice: The index of the choice; an invalid one is ignored.
  ///   - propensity: The probability of the choice, in (0, 1]; NaN if unknown, so that policies that divide by it learn
  ///     nothing.
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
