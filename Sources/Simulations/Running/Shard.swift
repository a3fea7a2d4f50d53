/// One of several parts of a plan, for several machines: the runs whose number leaves a certain rest.
public struct Shard: Hashable, Sendable {
  /// The number of the part, from 1.
  public let number: Int
  /// How many parts there are.
  public let count: Int

  /// The whole.
  public static let whole = Shard(uncheckedNumber: 1, of: 1)

  private init(uncheckedNumber number: Int, of count: Int) {
    (self.number, self.count) = (number, count)
  }

  /// Reads `1/4`, the first of four parts; nil for what is no such text.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1], count >= 1,
      count <= 100_000_000, number >= 1, number <= count
    else { return nil }
    (self.number, self.count) = (number, count)
  }

  /// Whether a run belongs to the part.
  public func contains(_ run: Int) -> Bool { run % count == number - 1 }
}
