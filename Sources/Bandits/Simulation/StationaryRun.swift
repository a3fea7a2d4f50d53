public import Statistics

/// A run in which the rewards of each variant always have the same distribution.
public struct StationaryRun: Sendable {
  @usableFromInline let arms: [RewardDistribution]
  @usableFromInline let stream: RewardStream
  /// 2⁶⁴·p of each variant when all rewards are 0 or 1; otherwise none. The last one stands for p = 1.
  @usableFromInline let thresholds: [UInt64]
  /// The mean of each variant.
  public let means: [Double]
  /// The largest mean.
  public let optimum: Double

  /// Makes a run.
  ///
  /// - Parameters:
  ///   - arms: What the rewards of each variant are, at least one.
  ///   - stream: Where they are drawn from.
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

  /// The reward of a variant at a step.
  @inlinable
  @inline(__always)
  public func reward(_ variant: Int, _ step: Int) -> Double {
    let number = UInt64(truncatingIfNeeded: step &* arms.count &+ variant)
    if thresholds.isEmpty {
      var generator = stream.generator(number)
      return arms[variant].draw(&generator)
    }
    let threshold = thresholds[variant]
    // Without a branch, which would be guessed wrong as often as rewards surprise.
    let isBelow = stream.word(number) < threshold ? 1 : 0
    let isSure = threshold == .max ? 1 : 0
    return Double(isBelow | isSure)
  }
}
