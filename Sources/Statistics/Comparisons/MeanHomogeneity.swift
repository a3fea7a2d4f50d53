/// Tests whether the means of several groups are equal.
public enum MeanHomogeneity {
  /// Tests the dispersion of the group means against the variance of all values together.
  ///
  /// With nᵥ values of mean mᵥ in group v, and mean m and sample variance s² of all values, the statistic is Σ nᵥ(mᵥ −
  /// m)² / s². If the values are assigned to the groups at random its expectation is the number of groups less 1,
  /// whatever their distribution (it is (N − 1)·SSB/SST), and it is asymptotically chi-squared.
  ///
  /// - Parameter groups: The moments of each group; empty groups are ignored.
  /// - Returns: Statistic, degrees of freedom and p-value; nil for fewer than two nonempty groups, or if the values
  ///   have no finite variance above 0.
  public static func chiSquared(_ groups: [Moments])
    -> (statistic: Double, degreesOfFreedom: Int, pValue: Double)?
  {
    let filled = groups.filter { $0.count > 0 }
    let all = filled.reduce(into: Moments()) { $0.merge($1) }
    guard filled.count > 1, let mean = all.mean, let variance = all.variance, variance > 0,
      variance.isFinite
    else { return nil }
    // An exact sum, so that the order of the groups has no effect.
    var between = ExactSum()
    for group in filled {
      let distance = (group.mean ?? mean) - mean
      between.add(Double(group.count) * distance * distance)
    }
    let statistic = between.value / variance
    guard statistic.isFinite else { return nil }
    let degrees = filled.count - 1
    let distribution = ChiSquared(degreesOfFreedom: Double(degrees))
    return (statistic, degrees, distribution.upperTail(statistic))
  }
}
