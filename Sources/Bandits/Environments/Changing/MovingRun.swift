/// A trajectory of the means of all variants, independent of the choices.
protocol MeanPath: Sendable {
  /// Advances to a step; steps are consecutive, from 0.
  ///
  /// - Parameters:
  ///   - means: The means of the previous step, replaced by those of the step; arbitrary values before step 0.
  ///   - step: The step.
  mutating func move(_ means: inout [Double], to step: Int)
}

/// A run whose means follow a given path.
struct MovingRun<Path: MeanPath>: ChangingRun {
  private var path: Path
  private let noise: RewardNoise
  private let stream: RewardStream
  private var means: [Double]
  private var step = 0
  /// The largest mean at this step.
  private(set) var optimum = 0.0

  /// Creates a run before its first step.
  init(_ path: Path, variants: Int, _ noise: RewardNoise, _ stream: RewardStream) {
    self.path = path
    self.noise = noise
    self.stream = stream
    means = [Double](repeating: 0, count: variants)
  }

  var variantCount: Int { means.count }

  mutating func begin(_ step: Int) {
    self.step = step
    path.move(&means, to: step)
    optimum = means.reduce(-.infinity) { max($0, $1) }
  }

  func mean(_ variant: Int) -> Double { means[variant] }

  mutating func reward(_ variant: Int) -> Double {
    noise.reward(means[variant], stream, UInt64(truncatingIfNeeded: step &* means.count &+ variant))
  }
}
