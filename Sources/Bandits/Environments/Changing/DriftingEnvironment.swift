public import Specifications
public import Statistics

/// `drifting:variants=5,step=0.01`: means that follow a random walk, reflected at two bounds.
///
/// The walk differs between runs and is the same for all policies.
public struct DriftingEnvironment: NoisyEnvironment {
  /// The initial means; none for means drawn uniformly from the bounds in each run.
  public var means: [Double] = []
  /// The number of variants if no means are given.
  public var variants = 10
  /// The standard deviation of the normal steps of each mean.
  public var step = 0.01
  /// The smallest mean.
  public var low = 0.0
  /// The largest mean.
  public var high = 1.0
  /// The standard deviation of normal rewards around the mean; nil for rewards of 0 and 1.
  public var deviation: Double?
  public var specification = Self.info.specification()

  /// Creates the environment with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "drifting", "means that follow a random walk",
    source:
      "Besbes, Gur and Zeevi 2014 (a budget of variation); Slivkins and Upfal 2008 (reflected walks)",
    example: "drifting:variants=10,step=0.01")

  public static var parameters: [Field] {
    Field.numbers(
      "means", \.means, "the initial means; by default drawn uniformly from the bounds in each run")
    Field.integer(
      "variants", \.variants, in: 1...100_000, "number of variants if no means are given, {range}")
    Field.number(
      "step", \.step, in: 0...1e9, "standard deviation of the normal steps of each mean, 0 or more")
    Field.bound("low", \.low, "the smallest mean")
    Field.bound("high", \.high, "the largest mean, above the smallest")
    Field.noise(\.deviation)
  }

  public mutating func validate() throws(SpecificationError) {
    let bounds = try specification.bounds(
      within: noise == .bernoulli ? 0...1 : ParameterRanges.bounds)
    guard specification["means"] != nil else { return }
    try specification.refuse(["variants"], beside: "means")
    _ = try specification.numbers("means", in: bounds)
    variants = means.count
  }

  var variantCount: Int { variants }

  public func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    var random = Xoshiro256(key: key.adding("walk"))
    let start =
      means.isEmpty
      ? (0..<variants).map { _ in low + (high - low) * Draw.unit(using: &random) } : means
    return makeRun(WalkPath(start: start, bounds: low...high, deviation: step, random: random), key)
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
