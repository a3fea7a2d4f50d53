/// Values in ascending order, of which zeros, usually most of them, are only counted. It takes 8 bytes for each other
/// value.
public struct ValueMultiset: Sendable, Equatable, RandomAccessCollection {
  /// The values that are not zero, ascending.
  private let others: [Double]
  /// How many of these are below zero.
  private let negatives: Int
  /// How many values are zero.
  public let zeros: Int

  /// Some values.
  ///
  /// - Parameters:
  ///   - values: The values in any order. NaN, which has no place in an order, is left out; zeros are counted.
  ///   - zeros: How many more values are zero.
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

  /// The value of a rank, counted from 0.
  ///
  /// - Complexity: O(1).
  public subscript(rank: Int) -> Double {
    if rank < negatives { return others[rank] }
    return rank < negatives + zeros ? 0 : others[rank - zeros]
  }
}
