public import Statistics

/// The result of acting only on predictions whose highest confidence exceeds a threshold.
public struct ConfidentPredictions: Sendable, Equatable {
  /// The threshold, which a confidence must exceed.
  public var threshold: Double
  /// The number of predicted takes.
  public var events: Int
  /// The number of predictions above the threshold.
  public var acted: Int
  /// The number of correct predictions above the threshold.
  public var right: Int

  /// The share of predictions above the threshold; nil without events.
  public var coverage: Double? { events > 0 ? Double(acted) / Double(events) : nil }
  /// The share of correct predictions among those above the threshold; nil if there are none.
  public var accuracy: Double? { acted > 0 ? Double(right) / Double(acted) : nil }
  /// E. B. Wilson's interval of the accuracy, which assumes independent predictions; nil if there are none.
  public var accuracyInterval: Interval? {
    acted > 0 && right <= acted ? Proportion(successes: right, trials: acted).wilsonInterval() : nil
  }
}

/// The observed hit rate of predictions with similar confidence.
public struct ReliabilityRow: Sendable, Equatable {
  /// The lower end of a bin of equal width; nil for one of equal mass.
  public var low: Double?
  /// The upper end of a bin of equal width, exclusive except for 1; nil for one of equal mass.
  public var high: Double?
  /// The number of predictions.
  public var count: Int
  /// The number of correct predictions.
  public var positives: Int
  /// The mean confidence; nil without predictions.
  public var confidence: Double?
  /// The share of correct predictions; nil without predictions.
  public var rate: Double? { count > 0 ? Double(positives) / Double(count) : nil }
  /// E. B. Wilson's interval of the share, which assumes independent predictions; nil without predictions.
  public var interval: Interval? {
    guard count > 0, (0...count).contains(positives) else { return nil }
    return Proportion(successes: positives, trials: count).wilsonInterval()
  }
}

extension PredictionScores {
  /// The results of acting above each threshold of the plan, ascending.
  public var confident: [ConfidentPredictions] {
    plan.thresholds.indices.map { place in
      let above = tally.acted[(place + 1)...]
      return ConfidentPredictions(
        threshold: plan.thresholds[place], events: events,
        acted: above.reduce(0) { $0 + $1.count }, right: above.reduce(0) { $0 + $1.right })
    }
  }

  /// The highest confidences, in bins of equal width [low, high), the last one including 1. A take without options is
  /// a miss with confidence 0.
  public var calibration: Calibration { tally.calibration }

  /// The expected calibration error of the highest confidence over bins of equal width (M. P. Naeini, G. F. Cooper
  /// and M. Hauskrecht, "Obtaining well calibrated probabilities using Bayesian binning", AAAI 2015); nil without
  /// predictions.
  public var calibrationError: Double? { tally.calibration.expectedError }

  /// The maximum calibration error of those bins; nil without predictions.
  public var greatestCalibrationError: Double? { tally.calibration.greatestError }

  /// The expected calibration error over the same number of bins of equal mass (K. Nguyen and B. O'Connor, "Posterior
  /// calibration and exploratory analysis for natural language processing models", EMNLP 2015); nil without
  /// predictions.
  ///
  /// Confidences are kept in 1,024 narrow bins; one that contains the edge of a bin is divided in proportion.
  public var adaptiveCalibrationError: Double? {
    tally.narrow.equalMass(bins: max(1, plan.bins)).expectedError
  }

  /// A. H. Murphy's decomposition of the Brier score of the highest confidence, by the means of bins of equal width
  /// ("A new vector partition of the probability score", Journal of Applied Meteorology 12, 1973); nil without
  /// predictions.
  public var murphy: (reliability: Double, resolution: Double, uncertainty: Double)? {
    tally.calibration.partition
  }

  /// The reliability of the highest confidence, by bins of equal width.
  public var reliability: [ReliabilityRow] {
    let bins = tally.calibration.bins
    return bins.enumerated().map { place, bin in
      ReliabilityRow(
        low: Double(place) / Double(bins.count), high: Double(place + 1) / Double(bins.count),
        count: bin.count, positives: bin.positives, confidence: bin.confidence)
    }
  }

  /// The reliability of the highest confidence, by deciles of the predictions, the lowest confidences first.
  public var deciles: [ReliabilityRow] {
    tally.narrow.equalMass(bins: 10).bins.map {
      ReliabilityRow(count: $0.count, positives: $0.positives, confidence: $0.confidence)
    }
  }
}
