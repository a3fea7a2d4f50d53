/// Ranks of values.
public enum Ranks {
  /// Returns the rank of each value, counted from 1 for the smallest; tied values share the mean of their ranks.
  ///
  /// - Complexity: O(n log n).
  public static func midranks(_ values: [Double]) -> [Double] {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var ranks = [Double](repeating: 0, count: values.count)
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count, values[order[end]] == values[order[start]] { end += 1 }
      for place in start..<end { ranks[order[place]] = Double(start + end + 1) / 2 }
      start = end
    }
    return ranks
  }
}

/// The test of H. B. Mann and D. R. Whitney (1947): whether one sample tends to greater values than the other.
public enum MannWhitney {
  /// Tests by the normal approximation, with the variance corrected for ties and, by default, a continuity correction.
  ///
  /// - Returns: U of the treatment (pairs that it wins, ties counting one half), z and the p-value; nil for an empty
  ///   sample or if all values are equal.
  /// - Complexity: O(n log n).
  public static func test(
    treatment: [Double], control: [Double], alternative: Alternative = .twoSided,
    continuity: Bool = true
  ) -> (u: Double, z: Double, pValue: Double)? {
    let (n, m) = (Double(treatment.count), Double(control.count))
    guard n > 0, m > 0 else { return nil }
    let all = treatment + control
    let ranks = Ranks.midranks(all)
    let u = ranks.prefix(treatment.count).reduce(0, +) - n * (n + 1) / 2
    let total = n + m
    let spread = total > 1 ? n * m / 12 * (total + 1 - tieTerm(all) / (total * (total - 1))) : 0
    guard spread > 0 else { return nil }
    let excess = u - n * m / 2
    let step = continuity ? 0.5 : 0
    let shifted: Double
    switch alternative {
    case .twoSided: shifted = max(0, abs(excess) - step) * (excess < 0 ? -1 : 1)
    case .greater: shifted = excess - step
    case .less: shifted = excess + step
    }
    let z = shifted / spread.squareRoot()
    let pValue = alternative.pValue(
      lower: StandardNormal.cdf(z), upper: StandardNormal.upperTail(z))
    return (u, z, pValue)
  }

  /// Σ t³ − t over the groups of equal values.
  private static func tieTerm(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    var (sum, start) = (0.0, 0)
    for index in 1...sorted.count where index == sorted.count || sorted[index] != sorted[start] {
      let size = Double(index - start)
      sum += size * size * size - size
      start = index
    }
    return sum
  }
}
