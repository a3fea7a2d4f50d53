internal import Statistics

/// The scores of one forecast against the option taken, computed in one pass over the confidences.
struct Assessment {
  /// The option with the highest confidence, the first declared of equals; -1 without options.
  private(set) var top = -1
  /// Its confidence; 0 without options.
  private(set) var topConfidence = 0.0
  /// The number of options with a higher confidence than the one taken.
  private(set) var greater = 0
  /// The number of options with the same confidence, including the one taken; 0 if that is missing.
  private(set) var equal = 0
  /// The number of options with the same confidence that were declared before the one taken.
  private(set) var equalBefore = 0
  /// The confidence of the option taken; 0 if it is missing.
  private(set) var own = 0.0
  /// The Brier score: the sum of the squared distances to the outcome.
  private(set) var brier = 0.0
  /// The ranked probability score (``ChoiceScores/rankedProbability(_:taken:)``).
  private(set) var rankedProbability = 0.0

  /// Whether the option taken is among the options.
  var isSeen: Bool { equal > 0 }
  /// Whether the option taken was predicted.
  var isHit: Bool { equal > 0 && greater == 0 && equalBefore == 0 }
  /// The rank of the option taken with ties counted pessimistically; 0 if it is missing.
  var pessimisticRank: Int { equal > 0 ? greater &+ equal : 0 }

  /// Scores a forecast.
  ///
  /// In the Brier and the ranked probability score, a missing option counts as a last option with a confidence of 0.
  /// It has no rank.
  ///
  /// - Parameters:
  ///   - confidences: The confidence of each option.
  ///   - taken: The index of the option taken; beyond the others if it is missing.
  /// - Complexity: O(options), without allocation.
  @inline(__always)
  init(_ confidences: [Double], taken: Int) {
    let count = confidences.count
    let isSeen = taken >= 0 && taken < count
    let taken = isSeen ? taken : .max
    if isSeen { own = confidences[taken] }
    var (squares, cumulative, distances, lastDistance) = (0.0, 0.0, 0.0, 0.0)
    var best = -Double.infinity
    // The index of the option taken is unpredictable for a processor, so no branch depends on it.
    for place in 0..<count {
      let confidence = confidences[place]
      if confidence > best { (best, top) = (confidence, place) }
      let isEqual = confidence == own ? 1 : 0
      greater &+= confidence > own ? 1 : 0
      equal &+= isEqual
      equalBefore &+= isEqual & (place < taken ? 1 : 0)
      squares += confidence * confidence
      cumulative += confidence
      distances += lastDistance
      let distance = cumulative - Self.one(ifNot: place < taken)
      lastDistance = distance * distance
    }
    if top >= 0 { topConfidence = best }
    if !isSeen { (equal, equalBefore) = (0, 0) }
    brier = squares - 2 * own + 1
    // The last cumulative probability is always 1, so it is not part of the score.
    let steps = isSeen ? count &- 1 : count
    rankedProbability = isSeen ? distances : distances + lastDistance
    if steps > 1 { rankedProbability /= Double(steps) }
  }

  /// Returns 0 if the condition holds, else 1, without a branch.
  @inline(__always)
  private static func one(ifNot condition: Bool) -> Double {
    let mask: UInt64 = condition ? 0 : .max
    return Double(bitPattern: 1.0.bitPattern & mask)
  }

  /// Returns the log loss in nats.
  @inline(__always)
  func logLoss(clip: Double, ofMiss missLoss: Double) -> Double {
    own > clip ? -Double.log(min(1, own)) : missLoss
  }
}
