public import Statistics

/// The difference in regret between two policies in the same environment.
public struct PolicyDifference: Sendable, Equatable {
  /// The index of the policy from whose regret the other's is subtracted.
  public var first: Int
  /// The index of the policy whose regret is subtracted.
  public var second: Int
  /// The mean difference over the runs.
  public var mean: Double
  /// The standard error of the mean difference; nil for fewer than two runs.
  public var standardError: Double?
  /// The Student t confidence interval of the mean difference.
  public var interval: Interval?
  /// The two-sided p-value of no difference; nil if undefined.
  public var pValue: Double?
  /// The p-value after Holm's adjustment for all pairs of the environment.
  public var adjustedPValue: Double?
}

/// The policies of one environment ranked by regret, with statistically indistinguishable policies tied.
public struct PolicyRanking: Sendable, Equatable {
  /// The differences of all pairs of policies.
  public let differences: [PolicyDifference]
  /// The rank of each policy: 1 plus the number of policies that are significantly better.
  public let ranks: [Int]

  /// Compares policies.
  ///
  /// - Parameters:
  ///   - regrets: The regret of every run, for each policy; all have the same number of runs.
  ///   - isPaired: Whether the same run number means the same rewards for all policies: then a paired t test is used,
  ///     otherwise Welch's test.
  ///   - level: The confidence level of the intervals; a policy is significantly better if the adjusted p-value is
  ///     below 1 − level.
  /// - Complexity: O(policies² × runs).
  public init(_ regrets: [[Double]], isPaired: Bool, level: Double = 0.95) {
    var differences: [PolicyDifference] = []
    for first in regrets.indices {
      for second in regrets.indices where second > first {
        differences.append(
          isPaired
            ? Self.paired(first, second, regrets, level)
            : Self.unpaired(first, second, regrets, level))
      }
    }
    let known = differences.indices.filter { differences[$0].pValue != nil }
    let adjusted = Multiplicity.holm.adjusted(known.compactMap { differences[$0].pValue })
    for (index, value) in zip(known, adjusted) { differences[index].adjustedPValue = value }
    var ranks = [Int](repeating: 1, count: regrets.count)
    for difference in differences {
      guard let p = difference.adjustedPValue, p < 1 - level else { continue }
      ranks[difference.mean < 0 ? difference.second : difference.first] += 1
    }
    (self.differences, self.ranks) = (differences, ranks)
  }

  private static func paired(
    _ first: Int, _ second: Int, _ regrets: [[Double]], _ level: Double
  ) -> PolicyDifference {
    let moments = Moments(zip(regrets[first], regrets[second]).map { $0 - $1 })
    let mean = moments.mean ?? 0
    var difference = PolicyDifference(
      first: first, second: second, mean: mean, standardError: moments.standardError,
      interval: moments.meanInterval(level: level))
    guard let error = moments.standardError else { return difference }
    if error > 0 {
      let t = StudentT(degreesOfFreedom: Double(moments.count - 1))
      difference.pValue = min(1, 2 * t.upperTail(abs(mean) / error))
    } else {
      // The difference is the same in every run: either zero or certain.
      difference.pValue = mean == 0 ? 1 : 0
    }
    return difference
  }

  private static func unpaired(
    _ first: Int, _ second: Int, _ regrets: [[Double]], _ level: Double
  ) -> PolicyDifference {
    let (a, b) = (Moments(regrets[first]), Moments(regrets[second]))
    var difference = PolicyDifference(
      first: first, second: second, mean: (a.mean ?? 0) - (b.mean ?? 0))
    guard let treatment = SampleMean(a), let control = SampleMean(b) else { return difference }
    let test = MeanTest.welch(treatment: treatment, control: control, level: level)
    difference.standardError = test.standardError
    difference.interval = test.interval
    difference.pValue = test.pValue
    return difference
  }
}
