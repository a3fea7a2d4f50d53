public import Specifications
internal import Statistics

/// The parameters of policies for rotting variants.
public struct RottingSettings: ParameterGroup {
  /// The exponent α of the confidence t^-α of the bounds.
  public var alpha: Double
  /// The sub-Gaussian scale σ of the rewards.
  public var sigma = 0.5
  /// The ratio of successive window lengths.
  public var grid = 2.0

  /// Creates the parameters with α = 1.
  public init() { self.init(alpha: 1) }

  init(alpha: Double) { self.alpha = alpha }

  public static var parameters: [Field] {
    Field.number(
      "alpha", \.alpha, in: 0...1e3, "confidence of the bounds: delta is t^-alpha, {range}"
    )
    Field.number(
      "sigma", \.sigma, in: 0...1e9,
      "sub-Gaussian scale of the rewards, 0.5 for rewards in 0 to 1, {range}"
    )
    Field.number("grid", \.grid, in: 1.01...100, "ratio of successive window lengths, {range}")
  }

  /// 2 σ² α.
  var factor: Double { 2 * sigma * sigma * alpha }
}

/// The rewards of each variant, with the means of the last h of them for several lengths h.
struct RottingHistory: Sendable {
  private let factor: Double
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
  init(_ problem: Problem, _ settings: RottingSettings) {
    let variants = problem.variants
    factor = settings.factor
    var lengths = [1]
    while let last = lengths.last {
      let next = max(last + 1, Int(min(Double(last) * settings.grid, 1e15)))
      if next > problem.horizon { break }
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
  mutating func learn(_ variant: Int, _ reward: Double) {
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

  /// Returns √(2 σ² α ln t), where t is the number of the decision after a number of rewards.
  func width(_ learned: Int) -> Double { (factor * Double.log(Double(learned + 1))).squareRoot() }

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
