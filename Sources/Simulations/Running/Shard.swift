/// One of several parts of a plan, for several machines: the runs whose numbers have a given remainder.
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

  /// Returns whether a run belongs to the part.
  public func contains(_ run: Int) -> Bool { run % count == number - 1 }
}
