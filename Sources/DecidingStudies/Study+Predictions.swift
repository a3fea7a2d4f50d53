public import Events
internal import Prediction

extension Study {
  /// The predictions for all options, in declared order, as of the latest event.
  public var predictions: [StudyPrediction] { predictions(at: nil) }

  /// Returns the predictions for all options, in declared order.
  ///
  /// - Parameter time: The time of the prediction; the latest event's when nil or earlier.
  /// - Returns: One prediction for each option.
  public func predictions(at time: Timestamp?) -> [StudyPrediction] {
    let forecast = learning.forecast(in: situation(at: time))
    var numbers: [Double: Int] = [:]
    for confidence in forecast.confidences { numbers[confidence, default: 0] += 1 }
    return forecast.confidences.enumerated().map { place, confidence in
      let isTie = numbers[confidence, default: 0] > 1
      return StudyPrediction(
        option: counts.option(at: place), confidence: confidence,
        reason: forecast.isBlind ? .blind : isTie ? .tie : .counts)
    }
  }

  /// Returns the predictions by confidence, highest first, ties in declared order.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of predictions; all when nil.
  ///   - time: The time of the prediction; the latest event's when nil or earlier.
  /// - Returns: The predictions; none without options.
  public func rankedPredictions(limit: Int? = nil, at time: Timestamp? = nil) -> [StudyPrediction] {
    let sorted = predictions(at: time).enumerated().sorted { a, b in
      (b.element.confidence, a.offset) < (a.element.confidence, b.offset)
    }
    return sorted.prefix(max(0, limit ?? .max)).map(\.element)
  }

  /// Returns the prediction for the option most likely to be taken next; of equally likely ones, the one
  /// declared first.
  ///
  /// - Parameters:
  ///   - threshold: The confidence must be strictly above it.
  ///   - time: The time of the prediction; the latest event's when nil or earlier.
  /// - Returns: Nil when there are no options, or none is above the threshold.
  public func mostLikelyPrediction(above threshold: Double? = nil, at time: Timestamp? = nil)
    -> StudyPrediction?
  {
    let forecast = learning.forecast(in: situation(at: time))
    guard let best = forecast.mostLikely else { return nil }
    let confidence = forecast.confidences[best]
    if let threshold, !(confidence > threshold) { return nil }
    let isTie = forecast.confidences.dropFirst(best + 1).contains(confidence)
    return StudyPrediction(
      option: counts.option(at: best), confidence: confidence,
      reason: forecast.isBlind ? .blind : isTie ? .tie : .counts)
  }
}
