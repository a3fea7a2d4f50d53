internal import Replay
internal import Statistics

/// The units of a variant, as input to a comparison.
struct MetricSample {
  var metric: Metric
  var units: Int
  var tally: MetricTally

  /// The share of ones, for a binary metric.
  var proportion: Proportion? {
    guard metric.isBinary, units > 0 else { return nil }
    return Proportion(successes: tally.converters, trials: units)
  }

  /// Whether every value is 0 or 1: their sum is that of their squares.
  var hasBinaryValues: Bool {
    if metric.isBinary { return true }
    let sum = tally.moments.sum
    return tally.ratio == nil && sum.isFinite && sum == tally.moments.totalOfSquares.value
  }

  /// The units with a value; one of 0 is none where all are 0 or 1.
  var valued: Int {
    hasBinaryValues && !metric.isBinary ? Int(tally.moments.sum) : tally.converters
  }

  /// The units with a value and, where all are 0 or 1, those without one, whichever are fewer.
  var outcomes: Int { hasBinaryValues ? min(valued, units - valued) : valued }

  /// Mean and variance of one unit: p(1 - p) for a binary metric, by the delta method for a ratio, with n - 1
  /// otherwise.
  var mean: SampleMean? {
    if let proportion { return SampleMean(proportion) }
    if let ratio = tally.ratio { return ratio.ratio }
    return SampleMean(tally.moments)
  }

  /// The mean, also defined for a single unit.
  var point: Double? {
    guard let ratio = tally.ratio else { return tally.moments.mean }
    guard let n = ratio.numerator.mean, let d = ratio.denominator.mean, d != 0 else { return nil }
    return n / d
  }
}
