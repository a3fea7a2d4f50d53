internal import Statistics

/// The distribution of the rewards of one variant.
public enum RewardDistribution: Sendable, Hashable {
  /// 1 with this probability, otherwise 0.
  case bernoulli(Double)
  /// A normal distribution.
  case gaussian(mean: Double, deviation: Double)
  /// A normal distribution truncated or clipped at two bounds.
  case bounded(BoundedNormal)
  /// A Poisson distribution.
  case poisson(mean: Double)
  /// An exponential distribution.
  case exponential(mean: Double)
  /// A Beta distribution.
  case beta(a: Double, b: Double)
  /// Uniform resampling of observed rewards.
  case empirical(ObservedRewards)
  /// A constant reward.
  case constant(Double)

  /// The exact mean of the rewards.
  public var mean: Double {
    switch self {
    case .bernoulli(let p): p
    case .gaussian(let mean, _), .poisson(let mean), .exponential(let mean): mean
    case .bounded(let normal): normal.mean
    case .beta(let a, let b): a / (a + b)
    case .empirical(let seen): seen.mean
    case .constant(let value): value
    }
  }

  /// Draws a reward.
  public func draw(_ random: inout some RandomNumberGenerator) -> Double {
    switch self {
    case .bernoulli(let p): Draw.bernoulli(p, using: &random) ? 1 : 0
    case .gaussian(let mean, let deviation):
      Draw.normal(mean: mean, standardDeviation: deviation, using: &random)
    case .bounded(let normal): normal.draw(&random)
    case .poisson(let mean): Double(Draw.poisson(mean: mean, using: &random))
    case .exponential(let mean): mean * Draw.exponential(using: &random)
    case .beta(let a, let b): Draw.beta(a, b, using: &random)
    case .empirical(let seen): seen.draw(&random)
    case .constant(let value): value
    }
  }
}

extension RewardDistribution {
  /// Returns the Kullback–Leibler divergence of another distribution from this one, both of one family; nil if it has
  /// no closed form here, as for empirical distributions.
  public func divergence(from other: RewardDistribution) -> Double? {
    switch (self, other) {
    case (.bernoulli(let p), .bernoulli(let q)): BernoulliDivergence.divergence(p, q)
    case (.gaussian(let a, let deviation), .gaussian(let b, let same)) where deviation == same:
      (a - b) * (a - b) / (2 * deviation * deviation)
    case (.poisson(let a), .poisson(let b)): b - a + (a > 0 ? a * Double.log(a / b) : 0)
    case (.exponential(let a), .exponential(let b)): a / b - 1 - Double.log(a / b)
    default: nil
    }
  }
}
