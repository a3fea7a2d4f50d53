/// How well scores rank positives above negatives.
public enum Discrimination {
  /// Returns the area under the ROC curve: the probability that a positive has a greater score than a negative, ties
  /// counting one half; nil without positives or without negatives.
  ///
  /// - Complexity: O(n log n).
  public static func areaUnderCurve(_ scores: [(score: Double, outcome: Bool)]) -> Double? {
    let positives = Double(scores.filter(\.outcome).count)
    let negatives = Double(scores.count) - positives
    guard positives > 0, negatives > 0 else { return nil }
    let ranks = Ranks.midranks(scores.map(\.score))
    let sum = zip(ranks, scores).reduce(0) { $0 + ($1.1.outcome ? $1.0 : 0) }
    return (sum - positives * (positives + 1) / 2) / (positives * negatives)
  }

  /// Returns the average precision: the mean precision over the steps of recall, with tied scores taken together; nil
  /// without positives.
  ///
  /// - Complexity: O(n log n).
  public static func averagePrecision(_ scores: [(score: Double, outcome: Bool)]) -> Double? {
    let positives = scores.filter(\.outcome).count
    guard positives > 0 else { return nil }
    let sorted = scores.sorted { $0.score > $1.score }
    var (seen, hits, sum, index) = (0, 0, 0.0, 0)
    while index < sorted.count {
      let score = sorted[index].score
      var fresh = 0
      while index < sorted.count, sorted[index].score == score {
        fresh += sorted[index].outcome ? 1 : 0
        seen += 1
        index += 1
      }
      hits += fresh
      sum += Double(fresh) * Double(hits) / Double(seen)
    }
    return sum / Double(positives)
  }
}
