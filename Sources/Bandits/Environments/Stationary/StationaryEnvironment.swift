public import Statistics

/// An environment in which the rewards of each variant always have the same distribution, known beforehand.
public protocol StationaryEnvironment: Environment {
  /// One distribution for each variant, at least one.
  var distributions: [RewardDistribution] { get }

  /// Where all rewards lie; nil when they may be anything.
  var rewards: ClosedRange<Double>? { get }
}

extension StationaryEnvironment {
  /// Rewards may be anything.
  public var rewards: ClosedRange<Double>? { nil }

  /// As many variants as distributions.
  public func problem(horizon: Int) -> Problem {
    Problem(variants: distributions.count, horizon: horizon, rewards: rewards)
  }

  /// The variants' distributions.
  public var arms: [RewardDistribution]? { distributions }

  /// Begins a run.
  public func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    .stationary(StationaryRun(distributions, RewardStream(key)))
  }
}
