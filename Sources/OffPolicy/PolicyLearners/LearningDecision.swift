public import Bandits

/// The common part of decisions with the same choices and the same predictions for them: sums over their choices are
/// made once for all of them.
public struct LearningGroup: Hashable, Sendable {
  /// A number of the list of choices.
  public var list: UInt64
  /// A number of the situation and the reward model, on which predictions depend.
  public var model: UInt64

  /// Creates a group.
  public init(list: UInt64, model: UInt64) { (self.list, self.model) = (list, model) }
}

/// A logged decision as learners of policies read it; a buffer that a caller fills again and again.
public struct LearningDecision: Sendable {
  /// The index of the slot.
  public var slot = 0
  /// The indices of the variants that could be chosen.
  public var choices: [Int] = []
  /// The position of the chosen variant among the choices.
  public var chosen = 0
  /// The probability with which it was chosen.
  public var propensity = 1.0
  /// Its reward.
  public var reward = 0.0
  /// The reward model's prediction for each choice; may be empty if the objective needs none.
  public var modelled: [Double] = []
  /// The features of each choice. One vector suffices if ``FeatureSpecification/isShared``.
  public var features: [FeatureVector] = []

  /// The group of decisions to which it belongs; nil for a decision of its own, as in short lists of choices.
  public var group: LearningGroup?
  /// Whether the predictions are finite; nil if that has not been checked.
  public var hasFinitePredictions: Bool?

  /// Creates an empty decision.
  public init() {}

  /// Whether the reward is beyond ±1e100, or not finite over its propensity, so that no learner learns it.
  public var isTooLarge: Bool { abs(reward) > 1e100 || !(reward / propensity).isFinite }

  /// Returns whether learners learn the decision: its chosen variant is among the choices, the propensity is in
  /// (0, 1], and reward and predictions are finite. All others are ignored.
  func isUsable(_ objective: PolicyObjective) -> Bool {
    guard choices.indices.contains(chosen), propensity > 0, propensity <= 1, !isTooLarge,
      !reward.isNaN
    else { return false }
    guard objective.needsModel else { return true }
    return modelled.count == choices.count && (hasFinitePredictions ?? arePredictionsFinite)
  }

  /// Whether all predictions are within ±1e100.
  public var arePredictionsFinite: Bool { modelled.allSatisfy { abs($0) <= 1e100 } }
}

extension PolicyObjective {
  /// Returns the value that a decision adds per unit of probability of a choice.
  @inline(__always)
  func gain(_ choice: Int, _ decision: borrowing LearningDecision) -> Double {
    let isChosen = choice == decision.chosen
    switch self {
    case .ips, .snips: return isChosen ? decision.reward / decision.propensity : 0
    case .regression: return decision.modelled[choice]
    case .dr:
      let model = decision.modelled[choice]
      return isChosen ? model + (decision.reward - model) / decision.propensity : model
    }
  }

  /// Returns what a decision adds to the denominator of a variant's own value per unit of probability of a choice.
  @inline(__always)
  func share(_ choice: Int, _ decision: borrowing LearningDecision) -> Double {
    self == .snips ? (choice == decision.chosen ? 1 / decision.propensity : 0) : 1
  }
}
