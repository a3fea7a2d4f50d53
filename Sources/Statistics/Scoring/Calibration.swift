/// Predicted probabilities by bins of equal width, [low, high) but the last one, which holds 1 too: how often what was
/// predicted with which confidence came true.
public struct Calibration: Sendable, Equatable {
  /// One bin.
  public struct Bin: Sendable, Equatable {
    /// The number of predictions.
    public var count = 0
    /// The number of them that came true.
    public var positives = 0
    var confidences = ExactSum()

    /// The mean prediction; nil for an empty bin.
    public var confidence: Double? { count > 0 ? confidences.value / Double(count) : nil }
    /// The share that came true; nil for an empty bin.
    public var rate: Double? { count > 0 ? Double(positives) / Double(count) : nil }
    /// How far both are apart; nil for an empty bin.
    public var gap: Double? {
      guard let confidence, let rate else { return nil }
      return abs(confidence - rate)
    }
  }

  /// The bins, ascending.
  public private(set) var bins: [Bin]

  /// Creates empty bins.
  ///
  /// - Precondition: `count` is positive.
  public init(bins count: Int = 10) {
    precondition(count > 0, "there is at least one bin")
    bins = [Bin](repeating: Bin(), count: count)
  }

  /// Adds a prediction in 0 ... 1.
  public mutating func add(_ probability: Double, outcome: Bool) {
    let index = max(0, min(bins.count - 1, Int(probability * Double(bins.count))))
    bins[index].count += 1
    bins[index].positives += outcome ? 1 : 0
    bins[index].confidences.add(probability)
  }

  /// Adds all the predictions of another instance with as many bins.
  public mutating func merge(_ other: Calibration) {
    for (index, bin) in other.bins.enumerated() where index < bins.count {
      bins[index].count += bin.count
      bins[index].positives += bin.positives
      bins[index].confidences.merge(bin.confidences)
    }
  }

  private var total: Double { Double(bins.reduce(0) { $0 + $1.count }) }

  /// The expected calibration error: the mean gap, weighted by the predictions of the bins; nil without any.
  public var expectedError: Double? {
    guard total > 0 else { return nil }
    return bins.reduce(0) { $0 + Double($1.count) * ($1.gap ?? 0) } / total
  }

  /// The greatest gap; nil without predictions.
  public var greatestError: Double? { bins.compactMap(\.gap).max() }

  /// A. H. Murphy's partition (1973) of the Brier score of the bins' means: reliability − resolution + uncertainty; nil
  /// without predictions.
  public var partition: (reliability: Double, resolution: Double, uncertainty: Double)? {
    guard total > 0 else { return nil }
    let base = Double(bins.reduce(0) { $0 + $1.positives }) / total
    var (reliability, resolution) = (0.0, 0.0)
    for bin in bins {
      guard let gap = bin.gap, let rate = bin.rate else { continue }
      reliability += Double(bin.count) * gap * gap
      resolution += Double(bin.count) * (rate - base) * (rate - base)
    }
    return (reliability / total, resolution / total, base * (1 - base))
  }
}

extension Calibration {
  /// The expected calibration error over bins of as equal a number of predictions as can be, in ascending order of
  /// the probabilities (ties by outcome); nil without predictions.
  ///
  /// - Complexity: O(n log n).
  public static func equalMassError(
    _ predictions: [(probability: Double, outcome: Bool)], bins count: Int
  ) -> Double? {
    guard !predictions.isEmpty, count > 0 else { return nil }
    let sorted = predictions.sorted {
      ($0.probability, $0.outcome ? 1 : 0) < ($1.probability, $1.outcome ? 1 : 0)
    }
    var sum = 0.0
    for bin in 0..<count {
      let part = sorted[bin * sorted.count / count..<(bin + 1) * sorted.count / count]
      let confidence = part.reduce(0) { $0 + $1.probability }
      sum += abs(confidence - Double(part.filter(\.outcome).count))
    }
    return sum / Double(sorted.count)
  }
}
