internal import Statistics

/// The means of the last h rewards of each variant, for several lengths h.
struct RottingHistory: Sendable {
  static func alpha(default standard: Double) -> Parameter<Double> {
    .number(
      "alpha", default: standard, in: 0...1e3,
      "confidence of the bounds: delta is t^-alpha, {range}")
  }
  static let sigma = Parameter.number(
    "sigma", default: 0.5, in: 0...1e9,
    "sub-Gaussian scale of the rewards, 0.5 for rewards in 0 to 1, {range}")
  static let grid = Parameter.number(
    "grid", default: 2, in: 1.01...100, "ratio of successive window lengths, {range}")

  /// The window lengths, ascending from 1.
  let lengths: [Int]
  /// 1/√h.
  let inverseRoots: [Double]
  /// The number of rewards of each variant.
  private(set) var counts: [Int]
  /// The number of lengths for which each variant has enough rewards.
  private(set) var fitting: [Int]
  /// The means, one variant after the other.
  private var means: [Double]
  /// The cumulative sums of the rewards of each variant, from none to all.
  private var sums: [[Double]]

  /// Creates a history with the lengths 1, and each the grid factor times the one before or 1 more, up to the horizon.
  init(_ variants: Int, grid: Double, horizon: Int) {
    var lengths = [1]
    while let last = lengths.last {
      let next = max(last + 1, Int(min(Double(last) * grid, 1e15)))
      if next > horizon { break }
      lengths.append(next)
    }
    self.lengths = lengths
    inverseRoots = lengths.map { 1 / Double($0).squareRoot() }
    counts = [Int](repeating: 0, count: variants)
    fitting = counts
    means = [Double](repeating: 0, count: variants * lengths.count)
    sums = [[Double]](repeating: [0], count: variants)
  }

  /// Adds a reward.
  ///
  /// - Complexity: O(number of lengths).
  mutating func add(_ variant: Int, _ reward: Double) {
    let last = sums[variant][counts[variant]]
    sums[variant].append(last + reward)
    counts[variant] += 1
    let count = counts[variant]
    if fitting[variant] < lengths.count, lengths[fitting[variant]] == count {
      fitting[variant] += 1
    }
    for place in 0..<fitting[variant] {
      let length = lengths[place]
      means[variant * lengths.count + place] =
        (sums[variant][count] - sums[variant][count - length]) / Double(length)
    }
  }

  /// Returns the mean of the last rewards of a variant over the length at an index.
  @inline(__always)
  func mean(_ variant: Int, _ place: Int) -> Double { means[variant * lengths.count + place] }

  /// Returns min over h of mean + width/√h; infinite before the first reward.
  @inline(__always)
  func leastBound(_ variant: Int, width: Double) -> Double {
    let start = variant * lengths.count
    var least = Double.infinity
    for place in 0..<fitting[variant] {
      least = min(least, means[start + place] + width * inverseRoots[place])
    }
    return least
  }
}
