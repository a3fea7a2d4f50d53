/// How well scores put what came true before what did not.
public enum Discrimination {
  /// The area under the receiver operating characteristic: the probability that a positive has the greater score than a
  /// negative, ties by half; nil without either.
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

  /// The average precision: the mean over the steps of recall of the precision reached there, scores that tie taken
  /// together; nil without positives.
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
