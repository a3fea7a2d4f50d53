extension SampleRatio {
  /// Tests each variant against all others together by the exact binomial test, for counts too small for Pearson's
  /// test.
  ///
  /// The p-value of a variant is twice the smaller tail; the least of them is multiplied by the number of variants if
  /// there are more than two (Bonferroni).
  ///
  /// - Parameters:
  ///   - counts: The units of each variant.
  ///   - shares: The intended share of each variant, not negative; they need not add up to 1.
  /// - Returns: The p-value; nil for fewer than two variants with a share, or without units.
  public static func exact(counts: [Int], shares: [Double]) -> Double? {
    let (total, whole) = (counts.reduce(0, +), shares.reduce(0, +))
    let drawn = shares.filter { $0 > 0 }.count
    guard counts.count == shares.count, drawn > 1, total > 0, whole > 0 else { return nil }
    if zip(counts, shares).contains(where: { $0 > 0 && $1 == 0 }) { return 0 }
    let least = zip(counts, shares).filter { $1 > 0 }.map { count, share in
      2 * min(tail(atLeast: count, total, share / whole), tail(atMost: count, total, share / whole))
    }.min()
    return least.map { min(1, drawn > 2 ? Double(drawn) * $0 : $0) }
  }

  private static func tail(atLeast count: Int, _ total: Int, _ p: Double) -> Double {
    count <= 0
      ? 1 : SpecialFunctions.incompleteBeta(p, Double(count), Double(total - count + 1))
  }

  private static func tail(atMost count: Int, _ total: Int, _ p: Double) -> Double {
    tail(atLeast: total - count, total, 1 - p)
  }

  /// Tests counts against the sums of the assignment probabilities of each unit, which may depend on earlier units, as
  /// with a bandit policy.
  ///
  /// The number of a variant's units less the sum of its probabilities p is a martingale whose variance is the sum of
  /// p·(1 − p) (B. M. Brown, "Martingale central limit theorems", 1971). Its square over the variance is chi-squared
  /// with one degree of freedom; if the variance is below 25, the p-value is that of G. Bennett's bound (1962; for
  /// martingales D. A. Freedman, 1975), which holds for any. The least p-value is multiplied by the number of variants
  /// if there are more than two (Bonferroni).
  ///
  /// - Parameter variants: The units of each variant, their expected number, and the variance.
  /// - Returns: The greatest square over its variance, and the p-value; nil if no variance is above 0.
  public static func summed(_ variants: [(count: Int, expected: Double, variance: Double)])
    -> (statistic: Double, pValue: Double)?
  {
    let tested = variants.filter { $0.variance > 1e-9 }
    guard !tested.isEmpty else { return nil }
    let results = tested.map { variant in
      let excess = Double(variant.count) - variant.expected
      return (
        statistic: excess * excess / variant.variance,
        pValue: martingaleTail(abs(excess), variant.variance)
      )
    }
    let factor = tested.count > 2 ? Double(tested.count) : 1
    guard let statistic = results.map(\.statistic).max(), let p = results.map(\.pValue).min()
    else { return nil }
    return (statistic, min(1, p * factor))
  }

  private static func martingaleTail(_ excess: Double, _ variance: Double) -> Double {
    guard variance < 25 else {
      return 2 * StandardNormal.upperTail(excess / variance.squareRoot())
    }
    let ratio = excess / variance
    return min(1, 2 * Double.exp(-variance * ((1 + ratio) * Double.log(onePlus: ratio) - ratio)))
  }

  /// Tests the counts if only the propensity p of the chosen variant is known: the expected sum of 1/p over a variant's
  /// units is the number of all units (D. G. Horvitz and D. J. Thompson, 1952), with or without a learning policy.
  ///
  /// Only sums that are too large count, as rarely chosen variants make sums too small: a variant with too many units
  /// is detected, and if one has too few another has too many. The standard error is estimated from the same units,
  /// which makes the test more conservative the larger the sum. The least p-value is multiplied by the number of
  /// variants (Bonferroni).
  ///
  /// - Parameters:
  ///   - variants: For each variant its units, Σ 1/p and Σ (1 − p)/p² over them; those with fewer than 30 units are not
  ///     tested.
  ///   - units: The units of all variants.
  /// - Returns: The greatest sum less `units` over its standard error, and the p-value; nil if nothing can be tested.
  public static func inverse(
    _ variants: [(count: Int, inverses: Double, variance: Double)], units: Int
  ) -> (statistic: Double, pValue: Double)? {
    let tested = variants.filter { $0.count >= 30 && $0.variance > 0 }
    let z = tested.map { ($0.inverses - Double(units)) / $0.variance.squareRoot() }.max()
    return z.map { ($0, min(1, Double(tested.count) * StandardNormal.upperTail($0))) }
  }
}
