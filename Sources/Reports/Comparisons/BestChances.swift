internal import Replay
internal import Statistics

/// The posterior chances of variants to be the best of all, under a flat prior.
enum BestChances {
  /// The maximum number of variants: the time grows with its square.
  static let mostVariants = 40

  /// Returns the chance of each variant to be the best.
  ///
  /// - Parameters:
  ///   - means: The mean of each variant; nil where it is not known.
  ///   - direction: Which means are better.
  /// - Returns: The chances, which add up to 1; nil unless every mean has a standard error and one can be better.
  static func chances(_ means: [SampleMean?], _ direction: Metric.Direction) -> [Double]? {
    guard direction != .neutral, (2...mostVariants).contains(means.count) else { return nil }
    let sign = direction.sign
    let posteriors = means.compactMap { mean in
      mean.flatMap { NormalPosterior(estimate: sign * $0.mean, standardError: $0.squaredError.squareRoot()) }
    }
    return posteriors.count == means.count ? NormalPosterior.chancesToBeBest(posteriors) : nil
  }
}
