/// Selection by shares that add up to 1, or to less when a part is not allocated.
package enum Shares {
  /// Returns the index of the first entry with a positive share for which `x` is less than the cumulative
  /// share, summed in `Double` and in order. If all shares add up to at least 1 - 1e-9, the last positive one
  /// takes the rest; otherwise an `x` beyond the sum is not allocated.
  ///
  /// - Parameters:
  ///   - x: A number in [0, 1), drawn or hashed.
  ///   - shares: Finite and not negative.
  /// - Returns: The index of the entry; nil when `x` is not allocated.
  /// - Complexity: O(n).
  @inlinable
  package static func pick(_ x: Double, from shares: some Collection<Double>) -> Int? {
    var sum = 0.0
    var last: Int?
    for (index, share) in shares.enumerated() where share > 0 {
      sum += share
      last = index
      if x < sum { return index }
    }
    return sum >= 1 - 1e-9 ? last : nil
  }

  /// Returns the index in `0 ..< count` for an `x` in [0, 1), with equal shares; 0 when the count is 0.
  package static func index(of x: Double, below count: Int) -> Int {
    max(0, min(count - 1, Int(x * Double(count))))
  }
}
