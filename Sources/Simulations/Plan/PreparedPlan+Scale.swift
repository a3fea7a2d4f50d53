internal import Bandits
internal import Specifications

extension PreparedPlan {
  /// Sentences on policies that assume rewards of another scale than those of an environment, each once.
  public var scaleNotes: [String] {
    simulations.compactMap { simulation in
      simulation.environment.rewardRange(simulation.rules.horizon)
        .flatMap { simulation.policy.scaleNote($0) }
        .map { "\($0) (in \(simulation.environment.specification))" }
    }.distinctNames
  }
}

extension Environment {
  /// Returns the range of the rewards if it is known, or else that of the variants' means; nil if neither is.
  fileprivate func rewardRange(_ horizon: Int) -> ClosedRange<Double>? {
    if let rewards = problem(horizon: horizon).rewards { return rewards }
    let means = (arms ?? []).map(\.mean)
    guard let least = means.min(), let greatest = means.max() else { return nil }
    return least...greatest
  }
}
