/// The weights of the decisions of an adaptive experiment in an estimate: V. Hadad, D. A. Hirshberg, R. Zhan, S. Wager
/// and S. Athey, "Confidence intervals for policy evaluation in adaptive experiments" (PNAS 118, 2021),
/// https://doi.org/10.1073/pnas.2014602118.
///
/// With eₜ the probability of the arm at decision t, the variance-stabilizing weights are hₜ² = eₜ·λₜ·(1 − Σ hₛ²/eₛ
/// over s < t), where the allocation rate λₜ is the share of the remaining variance that t receives.
public enum AdaptiveWeighting: Sendable, Hashable {
  /// hₜ = 1: plain augmented inverse propensity weighting. Unbiased, but heavy-tailed if probabilities approach zero.
  case uniform
  /// Constant allocation: every decision has the same share, λₜ = 1/(T − t + 1), so that hₜ is proportional to √eₜ.
  /// Needs no horizon.
  case constantAllocation
  /// Two-point allocation: λₜ = eₜ/(T − t + 1) + (1 − eₜ)·(1 − α)/(1 − α + T·(t/T)^α − t), which expects the
  /// probability to approach one, or to decay as t^(−α), with the probabilities eₜ and 1 − eₜ. `horizon` is T, at least
  /// 1, the number of decisions; those beyond it have zero weight. `alpha`, from 0 and below 1, is the rate at which
  /// the policy lets probabilities decay, 0.7 in the paper.
  case twoPoint(horizon: Int, alpha: Double = 0.7)

  /// λₜ.
  func share(at t: Double, probability e: Double) -> Double {
    guard case .twoPoint(let horizon, let alpha) = self, t <= Double(horizon) else { return 0 }
    let count = Double(horizon)
    let falling = (1 - alpha) / (1 - alpha + count * Double.pow(t / count, alpha) - t)
    return min(max((1 - e) * falling + e / (count - t + 1), 0), 1)
  }
}
