public import Specifications
public import Statistics

/// `sinusoidal:means=0.5;0.5,amplitudes=0.3,periods=1000`: the mean of a variant at step t, counted from 0, is mean +
/// amplitude·sin(2π(t/period + phase)).
public struct SinusoidalEnvironment: NoisyEnvironment {
  /// The center of each mean.
  public var means: [Double] = []
  /// The amplitude, for all variants or for each.
  public var amplitudes = [0.1]
  /// The period in steps, for all variants or for each.
  public var periods = [1000.0]
  /// The initial phases, for all variants or for each; nil for evenly spaced ones.
  public var phases: [Double]?
  /// The standard deviation of normal rewards around the mean; nil for rewards of 0 and 1.
  public var deviation: Double?
  public var specification = Self.info.specification()

  /// Creates the environment without the means that it needs.
  public init() {}

  public static let info = SpecificationInfo(
    "sinusoidal", "means that oscillate", source: "Besbes, Gur and Zeevi 2014",
    example: "sinusoidal:means=0.5;0.5,amplitudes=0.1,periods=1000")

  public static var parameters: [Field] {
    Field.numbers("means", \.means, "the center of each mean, such as 0.5;0.5")
    Field.numbers(
      "amplitudes", \.amplitudes, in: ParameterRanges.deviations,
      "amplitude, for all variants or for each, 0 or more")
    Field.numbers(
      "periods", \.periods, in: 1...1e12, "period in steps, for all variants or for each, {range}")
    Field.numbers(
      "phases", \.phases, in: 0...1,
      "initial phase of each variant, {range}; evenly spaced by default")
    Field.noise(\.deviation)
  }

  public mutating func validate() throws(SpecificationError) {
    let range = noise.means
    let means = try specification.numbers("means", in: range)
    try specification.check(amplitudes, of: "amplitudes", variants: means.count)
    for (mean, amplitude) in zip(means, amplitudes.each(of: means.count)) {
      // 0.7 + 0.3 may be slightly above 1.
      guard mean - amplitude >= range.lowerBound - 1e-9, mean + amplitude <= range.upperBound + 1e-9
      else {
        throw SpecificationError(
          "mean \(mean) with amplitude \(amplitude) of sinusoidal leaves \(range.lowerBound) to \(range.upperBound); "
            + "take a smaller amplitude, or give a deviation for normal rewards")
      }
    }
    try specification.check(periods, of: "periods", variants: means.count)
    if let phases { try specification.check(phases, of: "phases", variants: means.count) }
  }

  private var path: SinusoidalPath {
    let count = means.count
    return SinusoidalPath(
      means: means, amplitudes: amplitudes.each(of: count), periods: periods.each(of: count),
      phases: phases?.each(of: count) ?? (0..<count).map { Double($0) / Double(count) },
      range: noise.means)
  }

  var variantCount: Int { means.count }

  public func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    makeRun(path, key)
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
