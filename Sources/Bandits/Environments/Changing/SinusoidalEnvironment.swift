public import Specifications
public import Statistics

/// `sinusoidal:means=0.5;0.5,amplitudes=0.3,periods=1000`: the mean of a variant at step t, counted from 0, is mean +
/// amplitude·sin(2π(t/period + phase)).
public struct SinusoidalEnvironment: Environment {
  private static let amplitudes = Parameter.numbers(
    "amplitudes", default: 0.1, in: ParameterRanges.deviations,
    "amplitude, for all variants or for each, 0 or more")
  private static let periods = Parameter.numbers(
    "periods", default: 1000, in: 1...1e12,
    "period in steps, for all variants or for each, {range}")
  private static let phases = Parameter.numbers(
    "phases", in: 0...1,
    "initial phase of each variant, {range}; evenly spaced by default"
  )

  public static let info = SpecificationInfo(
    "sinusoidal", "means that oscillate",
    [
      SpecificationInfo.Parameter("means", nil, "the center of each mean, such as 0.5;0.5"),
      amplitudes, periods, phases,
      RewardNoise.parameter,
    ],
    source: "Besbes, Gur and Zeevi 2014")

  public let specification: Specification
  private let noise: RewardNoise
  private let path: SinusoidalPath

  /// Creates the environment; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range.
  public init(
    means: [Double], amplitudes: [Double]? = nil, periods: [Double]? = nil, phases: [Double]? = nil,
    deviation: Double? = nil
  ) throws(SpecificationError) {
    try self.init(
      Self.info.specification(
        .init(key: "means", value: means.specificationText), Self.amplitudes.written(amplitudes),
        Self.periods.written(periods), Self.phases.written(phases),
        RewardNoise.parameter.written(deviation)))
  }

  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    noise = try RewardNoise(specification)
    let range = noise.means
    let means = try specification.numbers("means", in: range)
    let count = means.count
    let amplitudes = try Self.amplitudes.value(in: specification, variants: count)
    for (mean, amplitude) in zip(means, amplitudes) {
      // 0.7 + 0.3 may be slightly above 1.
      guard mean - amplitude >= range.lowerBound - 1e-9, mean + amplitude <= range.upperBound + 1e-9
      else {
        throw SpecificationError(
          "mean \(mean) with amplitude \(amplitude) of sinusoidal leaves \(range.lowerBound) to \(range.upperBound); "
            + "take a smaller amplitude, or give a deviation for normal rewards")
      }
    }
    let periods = try Self.periods.value(in: specification, variants: count)
    let phases =
      specification["phases"] == nil
      ? (0..<count).map { Double($0) / Double(count) }
      : try Self.phases.value(in: specification, variants: count)
    path = SinusoidalPath(
      means: means, amplitudes: amplitudes, periods: periods, phases: phases, range: range)
  }

  public func problem(horizon: Int) -> Problem {
    Problem(variants: path.means.count, horizon: horizon, rewards: noise.rewards)
  }

  public func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    .changing(MovingRun(path, variants: path.means.count, noise, RewardStream(key)))
  }
}

/// A sinusoidal path of each mean.
struct SinusoidalPath: MeanPath {
  let means: [Double]
  let amplitudes: [Double]
  let periods: [Double]
  let phases: [Double]
  let range: ClosedRange<Double>

  func move(_ means: inout [Double], to step: Int) {
    for variant in means.indices {
      // The remainder retains precision after many periods.
      let part = Double(step).truncatingRemainder(dividingBy: periods[variant]) / periods[variant]
      let mean =
        self.means[variant] + amplitudes[variant] * Double.sin(2 * .pi * (part + phases[variant]))
      means[variant] = min(max(mean, range.lowerBound), range.upperBound)
    }
  }
}
