internal import Statistics

/// The observed rewards of a variant, with zeros, usually the majority, stored as a count: 8 bytes for each other
/// reward.
public struct ObservedRewards: Sendable, Hashable {
  /// The nonzero rewards, ascending.
  let others: [Double]
  /// The number of zero rewards.
  public let zeros: Int
  /// The mean reward, from the exact sum; NaN if there are none.
  public let mean: Double

  /// Creates a sample of rewards.
  ///
  /// - Parameters:
  ///   - values: The rewards; their order has no effect on draws.
  ///   - zeros: The number of additional zero rewards.
  /// - Complexity: O(n log n).
  public init(_ values: [Double], zeros: Int = 0) {
    var others = values.filter { $0 != 0 }
    others.sort()
    self.others = others
    self.zeros = max(0, zeros) + values.count - others.count
    mean = ExactSum(others).value / Double(others.count + self.zeros)
  }

  /// Creates the union of several samples.
  public init(joining parts: some Sequence<ObservedRewards>) {
    var values: [Double] = []
    var zeros = 0
    for part in parts {
      values += part.others
      zeros += part.zeros
    }
    self.init(values, zeros: zeros)
  }

  /// The number of rewards.
  public var count: Int { others.count + zeros }

  /// Whether all rewards are 0 or 1.
  var isBinary: Bool { others.first ?? 1 == 1 && others.last ?? 1 == 1 }

  /// Whether there are no rewards.
  public var isEmpty: Bool { count == 0 }

  /// The smallest to the largest reward; nil if there are none or one is NaN.
  public var range: ClosedRange<Double>? {
    guard !isEmpty, others.allSatisfy({ !$0.isNaN }) else { return nil }
    let (low, high) = (others.first ?? 0, others.last ?? 0)
    return zeros > 0 ? min(low, 0)...max(high, 0) : low...high
  }

  /// Draws a reward uniformly. There must be at least one.
  ///
  /// - Complexity: O(1).
  func draw(_ random: inout some RandomNumberGenerator) -> Double {
    let place = Draw.index(below: count, using: &random)
    return place < others.count ? others[place] : 0
  }
}
