/// How much each decision counts in an estimate from an adaptive experiment: V. Hadad, D. A. Hirshberg, R. Zhan, S. Wager and
/// S. Athey, "Confidence intervals for policy evaluation in adaptive experiments" (PNAS 118, 2021),
/// https://doi.org/10.1073/pnas.2014602118.
///
/// With eₜ the probability that the arm had at decision t, the variance-stabilising weights are
/// hₜ² = eₜ·λₜ·(1 − Σ hₛ²/eₛ over s < t), where λₜ says which share of what is left of the variance t may have.
public enum AdaptiveWeighting: Sendable, Hashable {
  /// hₜ = 1: plain augmented inverse propensity weighting. Unbiased, but heavy-tailed where probabilities fall to zero.
  case uniform
  /// Every decision has the same share, λₜ = 1/(T − t + 1), so that hₜ is proportional to √eₜ. It needs no horizon.
  case constantAllocation
  /// The two-point allocation: λₜ = eₜ/(T − t + 1) + (1 − eₜ)·(1 − α)/(1 − α + T·(t/T)^α − t), which expects the probability
  /// to go to one, or to fall as t^(−α), with the chances eₜ and 1 − eₜ. `horizon` is T, at least 1, the number of decisions;
  /// those beyond it weigh nothing. `alpha`, from 0 and below 1, is how fast the policy lets probabilities fall, .7 in the
  /// paper.
  case twoPoint(horizon: Int, alpha: Double = 0.7)

  /// λₜ.
  func share(at t: Double, probability e: Double) -> Double {
    guard case .twoPoint(let horizon, let alpha) = self, t <= Double(horizon) else { return 0 }
    let count = Double(horizon)
    let falling = (1 - alpha) / (1 - alpha + count * Double.pow(t / count, alpha) - t)
    return min(max((1 - e) * falling + e / (count - t + 1), 0), 1)
  }
}
