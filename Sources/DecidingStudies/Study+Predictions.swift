public import Events
internal import Prediction

extension Study {
  /// What the predictor thinks of each option, in declared order, as of the latest event.
  public var predictions: [StudyPrediction] { predictions(at: nil) }

  /// What the predictor thinks of each option, in declared order.
  ///
  /// - Parameter time: The moment of prediction; the latest event's when nil or before it.
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

  /// All options by confidence, the highest first, ties in declared order.
  ///
  /// - Parameters:
  ///   - limit: How many are wanted at most; all when nil.
  ///   - time: The moment of prediction; the latest event's when nil or before it.
  /// - Returns: The predictions; none without options.
  public func rankedPredictions(limit: Int? = nil, at time: Timestamp? = nil) -> [StudyPrediction] {
    let sorted = predictions(at: time).enumerated().sorted { a, b in
      (b.element.confidence, a.offset) < (a.element.confidence, b.offset)
    }
    return sorted.prefix(max(0, limit ?? .max)).map(\.element)
  }

  /// The option that will most likely be taken next; among equals the one declared first.
  ///
  /// - Parameters:
  ///   - threshold: Confidence must lie strictly above it.
  ///   - time: The moment of prediction; the latest event's when nil or before it.
  /// - Returns: Nil when there are no options, or none lies above the threshold.
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
