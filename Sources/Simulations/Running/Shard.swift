/// One of several parts of a plan, for several machines.
///
/// The runs of all pairs of environment and policy are dealt out one by one, all pairs of run 0 first, beginning with
/// another pair in each run: the parts have the same number of runs, give or take one, however many pairs and runs the
/// plan has, and none gets all runs of a slow policy.
public struct Shard: Hashable, Sendable {
  /// The number of the part, from 1.
  public let number: Int
  /// The number of parts.
  public let count: Int

  /// The whole plan.
  public static let whole = Shard(uncheckedNumber: 1, of: 1)

  private init(uncheckedNumber number: Int, of count: Int) {
    (self.number, self.count) = (number, count)
  }

  /// Parses `1/4`, the first of four parts; nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1], count >= 1,
      count <= 100_000_000, number >= 1, number <= count
    else { return nil }
    (self.number, self.count) = (number, count)
  }

  /// Returns whether a run of a pair belongs to the part.
  ///
  /// - Parameters:
  ///   - pair: The index of the pair.
  ///   - run: The number of the run.
  ///   - pairCount: The number of pairs of the plan, at least 1.
  /// - Returns: Whether it does.
  public func contains(pair: Int, run: Int, of pairCount: Int) -> Bool {
    // The product of two remainders of at most 10^8 does not overflow.
    let start = (run % count) * (pairCount % count)
    let place = (pair + run % pairCount) % pairCount
    return (start + place) % count == number - 1
  }

  /// Returns the number of runs in the part, for a plan with a number of runs over all pairs.
  public func runCount(of total: Int) -> Int {
    total / count + (number <= total % count ? 1 : 0)
  }
}
