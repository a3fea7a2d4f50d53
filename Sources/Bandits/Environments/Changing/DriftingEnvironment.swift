public import Specifications
public import Statistics

/// `drifting:variants=5,step=0.01`: means that follow a random walk, reflected at two bounds.
///
/// The walk differs between runs and is the same for all policies.
public struct DriftingEnvironment: Environment {
  private static let variants = Parameter.integer(
    "variants", default: 10, in: 1...100_000, "number of variants if no means are given, {range}")
  private static let step = Parameter.number(
    "step", default: 0.01, in: 0...1e9,
    "standard deviation of the normal steps of each mean, 0 or more")
  private static let limits = BoundsParameters(
    low: "the smallest mean", high: "the largest mean, above the smallest")

  public static let info = SpecificationInfo(
    "drifting", "means that follow a random walk",
    [
      SpecificationInfo.Parameter(
        "means", nil,
        "the initial means; by default drawn uniformly from the bounds in each run"
      ),
      variants, step, limits.low, limits.high,
      RewardNoise.parameter,
    ],
    source:
      "Besbes, Gur and Zeevi 2014 (a budget of variation); Slivkins and Upfal 2008 (reflected walks)"
  )

  public let specification: Specification
  private let noise: RewardNoise
  private let bounds: ClosedRange<Double>
  private let start: [Double]?
  private let variants: Int
  private let deviation: Double

  /// Creates the environment; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range, or both means and a number of variants are given.
  public init(
    means: [Double]? = nil, variants: Int? = nil, step: Double? = nil, low: Double? = nil,
    high: Double? = nil, deviation: Double? = nil
  ) throws(SpecificationError) {
    try self.init(
      Self.info.specification(
        means.map { .init(key: "means", value: $0.specificationText) },
        Self.variants.written(variants), Self.step.written(step), Self.limits.low.written(low),
        Self.limits.high.written(high), RewardNoise.parameter.written(deviation)))
  }

  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    noise = try RewardNoise(specification)
    bounds = try Self.limits.value(
      in: specification, within: noise == .bernoulli ? 0...1 : -1e9...1e9)
    deviation = try Self.step.value(in: specification)
    if specification["means"] != nil {
      try specification.refuse(["variants"], beside: "means")
      let means = try specification.numbers("means", in: bounds)
      (start, variants) = (means, means.count)
    } else {
      start = nil
      variants = try Self.variants.value(in: specification)
    }
  }

  public func problem(horizon: Int) -> Problem {
    Problem(variants: variants, horizon: horizon, rewards: noise.rewards)
  }

  public func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    var random = Xoshiro256(key: key.adding("walk"))
    let width = bounds.upperBound - bounds.lowerBound
    let start =
      start
      ?? (0..<variants).map { _ in bounds.lowerBound + width * Draw.unit(using: &random) }
    let path = WalkPath(start: start, bounds: bounds, deviation: deviation, random: random)
    return .changing(MovingRun(path, variants: variants, noise, RewardStream(key)))
  }
}

/// A random walk of each mean, reflected at bounds.
struct WalkPath: MeanPath {
  let start: [Double]
  let bounds: ClosedRange<Double>
  /// The standard deviation of a step.
  let deviation: Double
  var random: Xoshiro256

  mutating func move(_ means: inout [Double], to step: Int) {
    guard step > 0 else {
      means = start
      return
    }
    for variant in means.indices {
      let next = Draw.normal(mean: means[variant], standardDeviation: deviation, using: &random)
      means[variant] = Self.reflect(next, bounds)
    }
  }

  /// Returns a value reflected into bounds as often as needed.
  static func reflect(_ value: Double, _ bounds: ClosedRange<Double>) -> Double {
    let width = bounds.upperBound - bounds.lowerBound
    let rest = abs((value - bounds.lowerBound).truncatingRemainder(dividingBy: 2 * width))
    let folded = bounds.lowerBound + (rest > width ? 2 * width - rest : rest)
    return min(max(folded, bounds.lowerBound), bounds.upperBound)
  }
}
