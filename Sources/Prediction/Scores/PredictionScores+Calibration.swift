public import Statistics

/// What came of acting whenever the highest confidence was above a threshold.
public struct ConfidentPredictions: Sendable, Equatable {
  /// The threshold, which a confidence must exceed.
  public var threshold: Double
  /// How many takes were predicted in all.
  public var events: Int
  /// How often the highest confidence was above the threshold.
  public var acted: Int
  /// How often that was right.
  public var right: Int

  /// The share of takes before which one would have acted; nil without events.
  public var coverage: Double? { events > 0 ? Double(acted) / Double(events) : nil }
  /// The share of right ones among those acted on; nil where there was none.
  public var accuracy: Double? { acted > 0 ? Double(right) / Double(acted) : nil }
  /// E. B. Wilson's interval of the accuracy, which takes predictions for independent; nil where there was none.
  public var accuracyInterval: Interval? {
    acted > 0 && right <= acted ? Proportion(successes: right, trials: acted).wilsonInterval() : nil
  }
}

/// How often predictions of about the same confidence came true.
public struct ReliabilityRow: Sendable, Equatable {
  /// The least confidence of a bin of equal width; nil for one of equal mass.
  public var low: Double?
  /// The confidence at which it ends: not part of it, but for 1.
  public var high: Double?
  /// How many predictions there are.
  public var count: Int
  /// How many of them came true.
  public var positives: Int
  /// Their mean confidence; nil without any.
  public var confidence: Double?
  /// The share that came true; nil without any.
  public var rate: Double? { count > 0 ? Double(positives) / Double(count) : nil }
  /// E. B. Wilson's interval of the share, which takes predictions for independent; nil without any.
  public var interval: Interval? {
    guard count > 0, (0...count).contains(positives) else { return nil }
    return Proportion(successes: positives, trials: count).wilsonInterval()
  }
}

extension PredictionScores {
  /// What came of acting above each threshold of the plan, ascending.
  public var confident: [ConfidentPredictions] {
    plan.thresholds.indices.map { place in
      let above = tally.acted[(place + 1)...]
      return ConfidentPredictions(
        threshold: plan.thresholds[place], events: events,
        acted: above.reduce(0) { $0 + $1.count }, right: above.reduce(0) { $0 + $1.right })
    }
  }

  /// The highest confidences, in bins of equal width [low, high), of which the last one holds 1 too. A take for which there was
  /// no option is not in them.
  public var calibration: Calibration { tally.calibration }

  /// The expected calibration error of the highest confidence over bins of equal width (M. P. Naeini, G. F. Cooper and
  /// M. Hauskrecht, "Obtaining well calibrated probabilities using Bayesian binning", AAAI 2015); nil without predictions.
  public var calibrationError: Double? { tally.calibration.expectedError }

  /// The greatest calibration error of those bins; nil without predictions.
  public var greatestCalibrationError: Double? { tally.calibration.greatestError }

  /// The expected calibration error over as many bins of equal mass (K. Nguyen and B. O'Connor, "Posterior calibration and
  /// exploratory analysis for natural language processing models", EMNLP 2015); nil without predictions.
  ///
  /// Confidences are kept in 1,024 narrow bins; where the edge of a bin falls into one, that is shared out in proportion.
  public var adaptiveCalibrationError: Double? {
    tally.narrow.equalMass(bins: max(1, plan.bins)).expectedError
  }

  /// A. H. Murphy's partition of the Brier score of the highest confidence, by the means of bins of equal width ("A new vector
  /// partition of the probability score", Journal of Applied Meteorology 12, 1973); nil without predictions.
  public var murphy: (reliability: Double, resolution: Double, uncertainty: Double)? {
    tally.calibration.partition
  }

  /// How often the highest confidence came true, by bins of equal width.
  public var reliability: [ReliabilityRow] {
    let bins = tally.calibration.bins
    return bins.enumerated().map { place, bin in
      ReliabilityRow(
        low: Double(place) / Double(bins.count), high: Double(place + 1) / Double(bins.count),
        count: bin.count, positives: bin.positives, confidence: bin.confidence)
    }
  }

  /// How often the highest confidence came true, by tenths of the predictions, those of the lowest confidence first.
  public var deciles: [ReliabilityRow] {
    tally.narrow.equalMass(bins: 10).bins.map {
      ReliabilityRow(count: $0.count, positives: $0.positives, confidence: $0.confidence)
    }
  }
}
