/// A reliability diagram: predicted probabilities and outcomes in bins of equal width, [low, high) except the last one,
/// which includes 1.
public struct Calibration: Sendable, Equatable {
  /// A bin.
  public struct Bin: Sendable, Equatable {
    /// The number of predictions.
    public var count = 0
    /// The number of predictions whose event occurred.
    public var positives = 0
    @usableFromInline var confidences = FixedPointSum()

    @inlinable init() {}

    @inlinable
    @inline(__always)
    mutating func add(_ steps: Int128, _ outcome: Bool) {
      count &+= 1
      positives &+= outcome ? 1 : 0
      confidences.add(steps)
    }

    /// The mean prediction; nil for an empty bin.
    public var confidence: Double? { count > 0 ? confidences.value / Double(count) : nil }
    /// The observed frequency of the event; nil for an empty bin.
    public var rate: Double? { count > 0 ? Double(positives) / Double(count) : nil }
    /// The absolute difference of mean prediction and observed frequency; nil for an empty bin.
    public var gap: Double? {
      guard let confidence, let rate else { return nil }
      return abs(confidence - rate)
    }
  }

  @usableFromInline var storage: [Bin]

  /// The bins, ascending.
  public var bins: [Bin] { storage }

  /// Creates empty bins.
  ///
  /// - Precondition: `count` is positive.
  public init(bins count: Int = 10) {
    precondition(count > 0, "there is at least one bin")
    storage = [Bin](repeating: Bin(), count: count)
  }

  private init(_ bins: [Bin]) { storage = bins }

  /// Adds a prediction in 0 ... 1; values outside are clamped, and NaN counts as 0.
  ///
  /// Sums are exact to 2⁻⁵² per prediction, and do not depend on any order.
  ///
  /// - Complexity: O(1), without allocation.
  @inlinable
  @inline(__always)
  public mutating func add(_ probability: Double, outcome: Bool) {
    let probability = probability >= 0 ? Swift.min(probability, 1) : 0
    let index = Swift.min(storage.count &- 1, Int(probability * Double(storage.count)))
    storage[index].add(FixedPointSum.cutSteps(of: probability), outcome)
  }

  /// Adds all the predictions of another instance with the same number of bins.
  public mutating func merge(_ other: Calibration) {
    for (index, bin) in other.storage.enumerated() where index < storage.count {
      storage[index].count += bin.count
      storage[index].positives += bin.positives
      storage[index].confidences.merge(bin.confidences)
    }
  }

  /// The number of predictions.
  public var count: Int { storage.reduce(0) { $0 + $1.count } }

  private var total: Double { Double(count) }

  /// The expected calibration error: the mean gap, weighted by the number of predictions in each bin; nil without
  /// predictions.
  public var expectedError: Double? {
    guard total > 0 else { return nil }
    return bins.reduce(0) { $0 + Double($1.count) * ($1.gap ?? 0) } / total
  }

  /// The maximum calibration error, the greatest gap; nil without predictions.
  public var greatestError: Double? { bins.compactMap(\.gap).max() }

  /// A. H. Murphy's decomposition (1973) of the Brier score of the bin means: reliability − resolution + uncertainty;
  /// nil without predictions.
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

extension Calibration.Bin {
  /// Returns a number of the predictions, with their proportional share of the positives and of the sum.
  fileprivate func first(_ number: Int) -> Calibration.Bin {
    guard number < count else { return self }
    var part = Calibration.Bin()
    part.count = number
    part.positives = Int(clamping: Int128(positives) * Int128(number) / Int128(count))
    part.confidences = FixedPointSum(steps: confidences.steps / Int128(count) * Int128(number))
    return part
  }
}

extension Calibration {
  /// Returns the same predictions in bins of as equal a number of predictions as possible, for deciles and the adaptive
  /// calibration error, provided that the bins here are narrow.
  ///
  /// A bin that straddles the edge of a new one is divided in proportion: both parts are assumed to have the same
  /// frequency and mean. With fewer predictions than new bins some are empty.
  ///
  /// - Parameter count: The number of bins; at least one is made.
  /// - Returns: The new bins, ascending.
  /// - Complexity: O(bins).
  public func equalMass(bins count: Int) -> Calibration {
    let total = self.count
    var parts = [Bin](repeating: Bin(), count: max(1, count))
    var (part, before) = (0, 0)
    for bin in storage where bin.count > 0 {
      var used = 0
      while used < bin.count {
        while part < parts.count - 1, before + used >= Self.edge(part + 1, of: parts.count, total) {
          part += 1
        }
        let end =
          part == parts.count - 1
          ? bin.count : min(bin.count, Self.edge(part + 1, of: parts.count, total) - before)
        let (share, rest) = (bin.first(end), bin.first(used))
        parts[part].count += share.count - rest.count
        parts[part].positives += share.positives - rest.positives
        parts[part].confidences.add(share.confidences.steps - rest.confidences.steps)
        used = end
      }
      before += bin.count
    }
    return Calibration(parts)
  }

  /// Returns the number of predictions before a part.
  private static func edge(_ part: Int, of parts: Int, _ total: Int) -> Int {
    Int(clamping: Int128(total) * Int128(part) / Int128(parts))
  }
}
