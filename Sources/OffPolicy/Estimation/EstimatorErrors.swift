public import Statistics

/// How far off-policy estimates are from a known value of the target policy, with a bootstrap of both.
///
/// The relative error of an estimate is |estimate − truth|/|truth|, as in Y. Saito, S. Aihara, M. Matsutani and Y.
/// Narita, "Open Bandit Dataset and Pipeline" (NeurIPS 2021), section 5. In each replicate both numbers are resampled,
/// so the distribution of the error includes the uncertainty of the truth.
public struct EstimatorErrors: Sendable, Equatable {
  /// The error of one estimator.
  public struct Entry: Sendable, Equatable {
    /// The relative error; nil without an estimate, or if the truth is zero or unknown.
    public fileprivate(set) var error: Double?
    /// The mean of the relative error over the replicates; nil without any.
    public fileprivate(set) var mean: Double?
    /// The percentile interval of the relative error; nil without replicates.
    public fileprivate(set) var interval: Interval?
    /// The share of replicates in which its error is the smallest, a tie shared equally; nil without replicates.
    public fileprivate(set) var closest: Double?
  }

  /// The error of each estimator, in order.
  public private(set) var entries: [Entry]

  /// Creates the errors of estimates.
  ///
  /// - Parameters:
  ///   - estimates: For each estimator its value, and its replicates if it has any.
  ///   - truth: The value of the target policy, with its replicates, as many as those of the estimates.
  ///   - level: The confidence level of intervals, between 0 and 1, exclusive.
  public init(
    _ estimates: [(value: Double?, replicates: [Double?]?)],
    truth: (value: Double?, replicates: [Double?]), level: Double = 0.95
  ) {
    precondition(level > 0 && level < 1, "a confidence level is between 0 and 1")
    entries = estimates.map { Entry(error: Self.error($0.value, truth.value)) }
    let replicates = estimates.map { estimate in
      estimate.replicates.map { zip($0, truth.replicates).map { Self.error($0, $1) } }
    }
    let shares = Self.closest(replicates.map { $0 ?? [] }, count: truth.replicates.count)
    for (index, errors) in replicates.enumerated() {
      guard let errors = errors?.compactMap({ $0 }).sorted(), !errors.isEmpty else { continue }
      entries[index].mean = Moments(errors).mean
      if let low = QuantileType.linear.quantile((1 - level) / 2, of: errors),
        let high = QuantileType.linear.quantile(1 - (1 - level) / 2, of: errors)
      {
        entries[index].interval = Interval(low, max(low, high))
      }
      entries[index].closest = shares[index]
    }
  }

  /// The index of the estimator with the smallest mean error over the replicates, the first of equals; nil without
  /// replicates.
  public var best: Int? {
    entries.indices.filter { entries[$0].mean != nil }
      .min { (entries[$0].mean ?? 0, $0) < (entries[$1].mean ?? 0, $1) }
  }

  private static func error(_ estimate: Double?, _ truth: Double?) -> Double? {
    guard let estimate, let truth, truth != 0 else { return nil }
    let error = abs(estimate - truth) / abs(truth)
    return error.isFinite ? error : nil
  }

  /// Returns the share of replicates in which each of the lists has the smallest number.
  private static func closest(_ errors: [[Double?]], count: Int) -> [Double] {
    var shares = [Double](repeating: 0, count: errors.count)
    var counted = 0
    for replicate in 0..<count {
      let found = errors.map { replicate < $0.count ? $0[replicate] : nil }
      guard let least = found.compactMap({ $0 }).min() else { continue }
      counted += 1
      let winners = found.indices.filter { found[$0] == least }
      for winner in winners { shares[winner] += 1 / Double(winners.count) }
    }
    return shares.map { counted > 0 ? $0 / Double(counted) : 0 }
  }
}
