/// Picks from shares that add up to 1, or to less when some get nothing.
package enum Shares {
  /// The first entry with a positive share for which `x` lies below the sum of the shares up to and including
  /// it, sums in `Double` and in order. If all shares add up to at least 1 - 1e-9, the last positive one
  /// takes what is left; otherwise nobody gets an `x` beyond the sum.
  ///
  /// - Parameters:
  ///   - x: A number in [0, 1), drawn or hashed.
  ///   - shares: Finite and not negative.
  /// - Returns: The index of the entry, nil for nobody.
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

  /// The index in `0 ..< count` that an `x` in [0, 1) falls on when all have the same share; 0 when there is
  /// none.
  package static func index(of x: Double, below count: Int) -> Int {
    max(0, min(count - 1, Int(x * Double(count))))
  }
}
