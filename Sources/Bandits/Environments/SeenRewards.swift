internal import Statistics

/// Rewards of a variant that were seen, of which zeros, usually most of them, are only counted: 8 bytes for each other
/// one.
public struct SeenRewards: Sendable, Hashable {
  /// The rewards that are not 0, ascending.
  private let others: [Double]
  /// How many rewards are 0.
  public let zeros: Int
  /// Their mean, from the exact sum; NaN where there is none.
  public let mean: Double

  /// Takes some rewards.
  ///
  /// - Parameters:
  ///   - values: The rewards in any order, which does not show in what is drawn.
  ///   - zeros: How many more are 0.
  /// - Complexity: O(n log n).
  public init(_ values: [Double], zeros: Int = 0) {
    var others = values.filter { $0 != 0 }
    others.sort()
    self.others = others
    self.zeros = max(0, zeros) + values.count - others.count
    mean = ExactSum(others).value / Double(others.count + self.zeros)
  }

  /// The rewards of several together.
  public init(joining parts: some Sequence<SeenRewards>) {
    var values: [Double] = []
    var zeros = 0
    for part in parts {
      values += part.others
      zeros += part.zeros
    }
    self.init(values, zeros: zeros)
  }

  /// How many rewards there are.
  public var count: Int { others.count + zeros }

  /// Whether there is none.
  public var isEmpty: Bool { count == 0 }

  /// From the smallest to the largest; nil where there is none, or where one is no number.
  public var range: ClosedRange<Double>? {
    guard !isEmpty, others.allSatisfy({ !$0.isNaN }) else { return nil }
    let (low, high) = (others.first ?? 0, others.last ?? 0)
    return zeros > 0 ? min(low, 0)...max(high, 0) : low...high
  }

  /// Draws one of them, all with the same probability. There must be at least one.
  ///
  /// - Complexity: O(1).
  func draw(_ random: inout some RandomNumberGenerator) -> Double {
    let place = Draw.index(below: count, using: &random)
    return place < others.count ? others[place] : 0
  }
}
