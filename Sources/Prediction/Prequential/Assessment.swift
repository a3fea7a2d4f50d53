internal import Statistics

/// One forecast held against what was taken, in one pass over the confidences.
struct Assessment {
  /// The option of the highest confidence, among equals the one declared first; -1 without options.
  private(set) var top = -1
  /// Its confidence; 0 without options.
  private(set) var topConfidence = 0.0
  /// How many options have a higher confidence than the one taken.
  private(set) var greater = 0
  /// How many have the same, it among them; 0 when it was not there.
  private(set) var equal = 0
  /// How many of those were declared before it.
  private(set) var equalBefore = 0
  /// The confidence of the option taken; 0 when it was not there.
  private(set) var own = 0.0
  /// The Brier score: the sum of the squared distances to the outcome.
  private(set) var brier = 0.0
  /// The ranked probability score (``ChoiceScores/rankedProbability(_:taken:)``).
  private(set) var rankedProbability = 0.0

  /// Whether the option taken was there.
  var isSeen: Bool { equal > 0 }
  /// Whether the option taken was predicted.
  var isHit: Bool { equal > 0 && greater == 0 && equalBefore == 0 }
  /// The rank of the option taken with ties counted against it; 0 when it was not there.
  var pessimisticRank: Int { equal > 0 ? greater &+ equal : 0 }

  /// Assesses a forecast.
  ///
  /// An option that was not there counts as if it had been the last one, with a confidence of 0, in the Brier and the ranked
  /// probability score, and has no rank.
  ///
  /// - Parameters:
  ///   - confidences: Of each option.
  ///   - taken: The place of the option taken; beyond the others if it was not there.
  /// - Complexity: O(options), without allocation.
  @inline(__always)
  init(_ confidences: [Double], taken: Int) {
    let count = confidences.count
    let isSeen = taken >= 0 && taken < count
    let taken = isSeen ? taken : .max
    if isSeen { own = confidences[taken] }
    var (squares, cumulative, distances, lastDistance) = (0.0, 0.0, 0.0, 0.0)
    var best = -Double.infinity
    // Where the option taken stands is what a processor cannot foresee: there is no branch that depends on it.
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
    // Of the cumulative distributions the last one is always 1, so it is no part of the score.
    let steps = isSeen ? count &- 1 : count
    rankedProbability = isSeen ? distances : distances + lastDistance
    if steps > 1 { rankedProbability /= Double(steps) }
  }

  /// 0 if the condition holds, else 1, without a branch.
  @inline(__always)
  private static func one(ifNot condition: Bool) -> Double {
    let mask: UInt64 = condition ? 0 : .max
    return Double(bitPattern: 1.0.bitPattern & mask)
  }

  /// The log loss in nats.
  @inline(__always)
  func logLoss(clip: Double, ofMiss missLoss: Double) -> Double {
    own > clip ? -Double.log(min(1, own)) : missLoss
  }
}
