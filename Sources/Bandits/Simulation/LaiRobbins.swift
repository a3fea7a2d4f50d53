internal import Statistics

/// Complexity measures of stationary bandit problems.
public enum LaiRobbins {
  /// Returns the Lai–Robbins constant C(μ) = Σ Δ/kl over the variants with a gap Δ > 0 to the largest mean μ*, where kl
  /// is the Kullback–Leibler divergence from the variant's distribution to the member of its family with mean μ*.
  ///
  /// A policy whose regret grows more slowly than any power of the number of steps t in every problem of these families
  /// has a regret of at least C(μ)·ln t asymptotically: T. L. Lai and H. Robbins, "Asymptotically efficient adaptive
  /// allocation rules" (Advances in Applied Mathematics 6, 1985). Optimal variants contribute nothing, nor do those
  /// that a single reward may distinguish from any better one (infinite divergence). The standard deviations of normal
  /// rewards are taken as known.
  ///
  /// - Parameter arms: The reward distribution of each variant.
  /// - Returns: The regret per natural logarithm of the steps; nil without variants, if a suboptimal variant is neither
  ///   Bernoulli, normal, Poisson nor exponential, or if the constant is not finite.
  public static func constant(_ arms: [RewardDistribution]) -> Double? {
    guard let best = arms.map(\.mean).max() else { return nil }
    var terms = ExactSum()
    for arm in arms where arm.mean < best {
      guard let divergence = arm.divergence(raisedTo: best) else { return nil }
      let term = (best - arm.mean) / divergence
      guard term.isFinite else { return nil }
      terms.add(term)
    }
    return terms.value
  }

  /// Returns H₁ = Σ Δ⁻² over the variants with a gap Δ > 0 to the largest mean: the number of rewards needed to
  /// identify the best variant, up to a factor.
  ///
  /// J.-Y. Audibert, S. Bubeck and R. Munos, "Best arm identification in multi-armed bandits" (COLT 2010), section 2,
  /// without the term of the best variant.
  ///
  /// - Parameter means: The mean of each variant.
  /// - Returns: The sum; nil without variants or if it is not finite.
  public static func hardness(_ means: [Double]) -> Double? {
    guard let best = means.max() else { return nil }
    let terms = means.filter { $0 < best }.map { 1 / ((best - $0) * (best - $0)) }
    guard terms.allSatisfy(\.isFinite) else { return nil }
    return ExactSum(terms).value
  }
}

extension RewardDistribution {
  /// Returns the divergence from this distribution to the member of its family with a larger mean: infinite if there is
  /// no such member, nil if the distribution has no one-parameter family.
  fileprivate func divergence(raisedTo mean: Double) -> Double? {
    switch self {
    case .bernoulli: mean > 1 ? .infinity : divergence(from: .bernoulli(mean))
    case .gaussian(_, let deviation): divergence(from: .gaussian(mean: mean, deviation: deviation))
    case .poisson: divergence(from: .poisson(mean: mean))
    case .exponential: divergence(from: .exponential(mean: mean))
    case .bounded, .beta, .empirical, .constant: nil
    }
  }
}
