public import Statistics

/// The regret of one policy less that of another in the same environment.
public struct PolicyDifference: Sendable, Equatable {
  /// The indices of the policies; the difference is the first one's regret less the second one's.
  public var first: Int
  /// The policy that is subtracted.
  public var second: Int
  /// The mean of the difference over the runs.
  public var mean: Double
  /// Its standard error; nil for fewer than two runs.
  public var standardError: Double?
  /// The interval of the mean difference by Student's t.
  public var interval: Interval?
  /// The two-sided p-value that there is no difference; nil where it cannot be told.
  public var pValue: Double?
  /// The p-value adjusted for all pairs of the environment, after Holm.
  public var adjustedPValue: Double?
}

/// Policies of one environment in the order of their regret, ties told apart from real differences.
public struct PolicyRanking: Sendable, Equatable {
  /// Every pair of policies.
  public let differences: [PolicyDifference]
  /// For each policy: one more than the number of policies that are better than it beyond chance.
  public let ranks: [Int]

  /// Compares policies.
  ///
  /// - Parameters:
  ///   - regrets: For each policy the regret of every run, as many runs for each.
  ///   - isPaired: Whether run n of one policy saw the same rewards as run n of the others: then the differences of the
  ///     runs are tested, otherwise the means by Welch's test.
  ///   - level: Of the intervals; a policy is better beyond chance when the adjusted p-value is below 1 − level.
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
      // The same difference in every run: none at all, or one beyond doubt.
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
