/// A sorted multiset of values in which zeros, usually the majority, are only counted. Every other value takes 8
/// bytes.
public struct ValueMultiset: Sendable, Equatable, RandomAccessCollection {
  /// The nonzero values, ascending.
  private let others: [Double]
  /// The number of negative values.
  private let negatives: Int
  /// The number of zeros.
  public let zeros: Int

  /// Creates a multiset.
  ///
  /// - Parameters:
  ///   - values: The values in any order. NaN, which cannot be ordered, is dropped; zeros are counted.
  ///   - zeros: The number of additional zeros.
  /// - Complexity: O(n log n).
  public init(_ values: some Sequence<Double>, zeros: Int = 0) {
    var others: [Double] = []
    var count = Swift.max(0, zeros)
    for value in values where !value.isNaN {
      if value == 0 { count += 1 } else { others.append(value) }
    }
    others.sort()
    self.init(sorted: others, zeros: count)
  }

  private init(sorted: [Double], zeros: Int) {
    others = sorted
    negatives = sorted.firstIndex { $0 > 0 } ?? sorted.count
    self.zeros = zeros
  }

  /// The same values without the zeros.
  public var withoutZeros: ValueMultiset { ValueMultiset(sorted: others, zeros: 0) }

  /// Always 0.
  public var startIndex: Int { 0 }

  /// The number of values.
  public var endIndex: Int { others.count + zeros }

  /// Returns the value of a rank, counted from 0.
  ///
  /// - Complexity: O(1).
  public subscript(rank: Int) -> Double {
    if rank < negatives { return others[rank] }
    return rank < negatives + zeros ? 0 : others[rank - zeros]
  }
}
