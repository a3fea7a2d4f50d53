/// The test of several independent effects for being one and the same.
public enum EffectHomogeneity {
  /// Cochran's Q: the sum of the squared distances of the effects from their mean, each in standard errors, by the
  /// chi-squared distribution with one degree of freedom less than there are effects. W. G. Cochran, "The combination
  /// of estimates from different experiments" (1954).
  ///
  /// - Parameter effects: The effects with their standard errors, above 0.
  /// - Returns: The statistic and the p-value of one common effect; nil for fewer than two effects.
  public static func cochran(
    _ effects: [(estimate: Double, standardError: Double)]
  ) -> (statistic: Double, pValue: Double)? {
    let known = effects.filter { $0.standardError > 0 && $0.standardError.isFinite && $0.estimate.isFinite }
    guard known.count > 1 else { return nil }
    let weights = known.map { 1 / ($0.standardError * $0.standardError) }
    let total = weights.reduce(0, +)
    guard total.isFinite, total > 0 else { return nil }
    let mean = zip(known, weights).reduce(0) { $0 + $1.0.estimate * $1.1 } / total
    let statistic = zip(known, weights).reduce(0) { sum, pair in
      let distance = pair.0.estimate - mean
      return sum + pair.1 * distance * distance
    }
    guard statistic.isFinite else { return nil }
    return (
      statistic, ChiSquared(degreesOfFreedom: Double(known.count - 1)).upperTail(statistic)
    )
  }
}
