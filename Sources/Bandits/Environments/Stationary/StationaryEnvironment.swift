public import Statistics

/// An environment with a fixed, known reward distribution for each variant.
public protocol StationaryEnvironment: Environment {
  /// The reward distribution of each variant, at least one.
  var distributions: [RewardDistribution] { get }

  /// The range of all rewards; nil (the default) if unbounded.
  var rewards: ClosedRange<Double>? { get }
}

extension StationaryEnvironment {
  public var rewards: ClosedRange<Double>? { nil }

  public func problem(horizon: Int) -> Problem {
    Problem(variants: distributions.count, horizon: horizon, rewards: rewards)
  }

  public var arms: [RewardDistribution]? { distributions }

  public func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    .stationary(StationaryRun(distributions, RewardStream(key)))
  }
}
