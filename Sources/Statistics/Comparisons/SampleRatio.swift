/// Tests for sample ratio mismatch (SRM): whether the counts of units fit the intended shares of the variants.
public enum SampleRatio {
  /// Tests counts against shares by Pearson's chi-squared test.
  ///
  /// - Parameters:
  ///   - counts: The units of each variant.
  ///   - shares: The intended share of each variant, not negative; they need not add up to 1.
  /// - Returns: Statistic, degrees of freedom and p-value; nil for fewer than two variants with a share, or without
  ///   units. A variant without a share that has units makes the statistic infinite and the p-value 0.
  public static func chiSquared(counts: [Int], shares: [Double])
    -> (statistic: Double, degreesOfFreedom: Int, pValue: Double)?
  {
    let total = Double(counts.reduce(0, +))
    let whole = shares.reduce(0, +)
    let drawn = shares.filter { $0 > 0 }.count
    guard counts.count == shares.count, drawn > 1, total > 0, whole > 0 else { return nil }
    var statistic = 0.0
    for (count, share) in zip(counts, shares) {
      let expected = total * share / whole
      if expected > 0 {
        statistic += (Double(count) - expected) * (Double(count) - expected) / expected
      } else if count > 0 {
        statistic = .infinity
      }
    }
    let distribution = ChiSquared(degreesOfFreedom: Double(drawn - 1))
    return (statistic, drawn - 1, distribution.upperTail(statistic))
  }
}
