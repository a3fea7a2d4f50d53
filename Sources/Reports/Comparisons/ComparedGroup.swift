internal import Replay
internal import Statistics

/// The units of a variant, as a comparison sees them.
struct ComparedGroup {
  var metric: Metric
  var units: Int
  var tally: MetricTally

  /// Of a metric that is 0 or 1 the share of ones.
  var proportion: Proportion? {
    guard metric.isBinary, units > 0 else { return nil }
    return Proportion(successes: tally.converters, trials: units)
  }

  /// Mean and variance of one unit: p(1 - p) for what is 0 or 1, by the delta method for a ratio, n - 1 for the rest.
  var mean: SampleMean? {
    if let proportion { return SampleMean(proportion) }
    if let ratio = tally.ratio { return ratio.ratio }
    return SampleMean(tally.moments)
  }

  /// The mean, also of a single unit.
  var point: Double? {
    guard let ratio = tally.ratio else { return tally.moments.mean }
    guard let n = ratio.numerator.mean, let d = ratio.denominator.mean, d != 0 else { return nil }
    return n / d
  }
}
