/// A run in which the reward distribution of each variant never changes.
public struct StationaryRun: Sendable {
  @usableFromInline let arms: [RewardDistribution]
  @usableFromInline let stream: RewardStream
  /// 2⁶⁴·p for each variant if all are Bernoulli, otherwise empty; the largest value stands for p = 1.
  @usableFromInline let thresholds: [UInt64]
  /// The mean of each variant.
  public let means: [Double]
  /// The largest mean.
  public let optimum: Double

  /// Creates a run.
  ///
  /// - Parameters:
  ///   - arms: The reward distribution of each variant, at least one.
  ///   - stream: The stream that rewards are drawn from.
  public init(_ arms: [RewardDistribution], _ stream: RewardStream) {
    self.arms = arms
    self.stream = stream
    means = arms.map(\.mean)
    optimum = means.reduce(-.infinity) { max($0, $1) }
    let thresholds = arms.compactMap { arm -> UInt64? in
      guard case .bernoulli(let p) = arm else { return nil }
      return p >= 1 ? .max : UInt64(p * 0x1p64)
    }
    self.thresholds = thresholds.count == arms.count ? thresholds : []
  }

  /// Whether the rewards of all variants are 0 or 1.
  var isBernoulli: Bool { !thresholds.isEmpty }

  /// Returns the reward of a variant at a step.
  @inlinable
  @inline(__always)
  public func reward(_ variant: Int, _ step: Int) -> Double {
    let number = UInt64(truncatingIfNeeded: step &* arms.count &+ variant)
    if thresholds.isEmpty {
      var generator = stream.generator(number)
      return arms[variant].draw(&generator)
    }
    let threshold = thresholds[variant]
    // Branch-free, as the branch would be mispredicted whenever a reward is surprising.
    let isBelow = stream.word(number) < threshold ? 1 : 0
    let isSure = threshold == .max ? 1 : 0
    return Double(isBelow | isSure)
  }
}
