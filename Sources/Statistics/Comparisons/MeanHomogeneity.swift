/// Whether the means of several groups could be of one population.
public enum MeanHomogeneity {
  /// The spread of the means of groups over the variance of all their values together.
  ///
  /// With nᵥ values of mean mᵥ in group v, and mean m and sample variance s² of all values, the statistic is
  /// Σ nᵥ(mᵥ − m)² / s². When the values are dealt to the groups at random its mean is the number of groups less 1,
  /// whatever their distribution (it is (N − 1)·SSB/SST), and it is chi-squared in the limit.
  ///
  /// - Parameter groups: The moments of each group; those without values do not count.
  /// - Returns: Statistic, degrees of freedom and p-value; nil for fewer than two groups with values, and where the
  ///   values have no finite variance above 0.
  public static func chiSquared(_ groups: [Moments])
    -> (statistic: Double, degreesOfFreedom: Int, pValue: Double)?
  {
    let filled = groups.filter { $0.count > 0 }
    let all = filled.reduce(into: Moments()) { $0.merge($1) }
    guard filled.count > 1, let mean = all.mean, let variance = all.variance, variance > 0,
      variance.isFinite
    else { return nil }
    // Added exactly, so that the order of the groups does not show.
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
