internal import Specifications
internal import Statistics

/// An environment whose rewards are around means that change: 0 or 1 with the mean as their probability, or normal.
protocol NoisyEnvironment: Environment {
  /// The standard deviation of normal rewards around the mean; nil for rewards of 0 and 1.
  var deviation: Double? { get }

  /// The number of variants.
  var variantCount: Int { get }
}

extension NoisyEnvironment {
  var noise: RewardNoise { RewardNoise(deviation: deviation) }

  public func problem(horizon: Int) -> Problem {
    Problem(variants: variantCount, horizon: horizon, rewards: noise.rewards)
  }

  /// Returns the run whose means follow a path.
  func makeRun(_ path: some MeanPath, _ key: StreamKey) -> EnvironmentRun {
    .changing(MovingRun(path, variants: variantCount, noise, RewardStream(key)))
  }
}

/// The distribution of rewards around a changing mean.
enum RewardNoise: Sendable, Hashable {
  /// 1 with the mean as its probability, otherwise 0.
  case bernoulli
  /// Normal with the given standard deviation.
  case gaussian(deviation: Double)
  /// The mean itself.
  case exact

  /// Creates normal noise, or that of rewards of 0 and 1 without a deviation.
  init(deviation: Double?) { self = deviation.map { .gaussian(deviation: $0) } ?? .bernoulli }

  /// The range of all rewards; nil if unbounded.
  var rewards: ClosedRange<Double>? { self == .bernoulli ? 0...1 : nil }

  /// The valid range of means.
  var means: ClosedRange<Double> { self == .bernoulli ? 0...1 : ParameterRanges.finite }

  /// Returns the reward with a mean and a draw number.
  func reward(_ mean: Double, _ stream: RewardStream, _ number: UInt64) -> Double {
    switch self {
    case .exact: return mean
    case .bernoulli: return Double(stream.word(number) &>> 11) * 0x1p-53 < mean ? 1 : 0
    case .gaussian(let deviation):
      var random = stream.generator(number)
      return Draw.normal(mean: mean, standardDeviation: deviation, using: &random)
    }
  }
}
