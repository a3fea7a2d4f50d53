/// The weights of the decisions of an adaptive experiment in an estimate: V. Hadad, D. A. Hirshberg, R. Zhan, S. Wager
/// and S. Athey, "Confidence intervals for policy evaluation in adaptive experiments" (PNAS 118, 2021),
/// https://doi.org/10.1073/pnas.2014602118.
///
/// The paper's weights follow eₜ, the arm's probability at decision t. Where probabilities depend on the context of the
/// decision too, such weights make an arm's mean that of the contexts in which it is likely. Here a weight follows only
/// the decisions before: êₜ, in place of eₜ, is a recent mean of their probabilities
/// (``AdaptivelyWeightedMean``), so that the estimate is that of all contexts whatever the policy looks at, as in
/// R. Zhan, V. Hadad, D. A. Hirshberg and S. Athey, "Off-policy evaluation via adaptive weighting with data from
/// contextual bandits" (KDD 2021), https://doi.org/10.1145/3447548.3467456.
///
/// The variance-stabilizing weights are hₜ² = êₜ·λₜ·(1 − Σ hₛ²/êₛ over s < t), where the allocation rate λₜ is the
/// share of the remaining variance that t receives.
public enum AdaptiveWeighting: Sendable, Hashable {
  /// hₜ = 1: plain augmented inverse propensity weighting. Unbiased, but heavy-tailed if probabilities approach zero.
  case uniform
  /// Constant allocation: every decision has the same share, λₜ = 1/(T − t + 1), so that hₜ is proportional to √êₜ.
  /// Needs no horizon.
  case constantAllocation
  /// Two-point allocation: λₜ = êₜ/(T − t + 1) + (1 − êₜ)·(1 − α)/(1 − α + T·(t/T)^α − t), which expects the
  /// probability to approach one, or to decay as t^(−α), with the probabilities êₜ and 1 − êₜ. `horizon` is T, at least
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
