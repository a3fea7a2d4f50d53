internal import Statistics

/// How hard a problem is whose rewards never change.
public enum LaiRobbins {
  /// C(μ) = Σ Δ/kl over the variants with a gap Δ > 0 to the largest mean μ*, where kl is the Kullback–Leibler
  /// divergence from the variant's distribution to that of its family with mean μ*.
  ///
  /// A policy whose regret grows more slowly than any power of the steps t, in every problem of these families, has a
  /// regret of at least C(μ)·ln t asymptotically: T. L. Lai and H. Robbins, "Asymptotically efficient adaptive
  /// allocation rules" (Advances in Applied Mathematics 6, 1985). Variants as good as the best contribute
  /// nothing, and nor do those that one reward may tell from any better one (an infinite divergence). The deviations of
  /// normal rewards are taken to be known.
  ///
  /// - Parameter arms: The distributions of the rewards of all variants.
  /// - Returns: Regret per natural logarithm of the steps; nil without variants, and where a variant that is not the
  ///   best is neither Bernoulli, normal, Poisson nor exponential, or where the constant is too large for a number.
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

  /// H₁ = Σ Δ⁻² over the variants with a gap Δ > 0 to the largest mean: how many rewards it takes to find the best
  /// variant, up to a factor.
  ///
  /// J.-Y. Audibert, S. Bubeck and R. Munos, "Best arm identification in multi-armed bandits" (COLT 2010), section 2,
  /// without the term of the best variant.
  ///
  /// - Parameter means: The mean of each variant.
  /// - Returns: nil without variants, or where the sum is too large for a number.
  public static func hardness(_ means: [Double]) -> Double? {
    guard let best = means.max() else { return nil }
    let terms = means.filter { $0 < best }.map { 1 / ((best - $0) * (best - $0)) }
    guard terms.allSatisfy(\.isFinite) else { return nil }
    return ExactSum(terms).value
  }
}

extension RewardDistribution {
  /// The divergence of the distribution of the same family that has a larger mean, infinite where there is none; nil
  /// where the family has more than one parameter, or is none.
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
