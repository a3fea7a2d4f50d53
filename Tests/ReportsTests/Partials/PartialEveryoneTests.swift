import EventLog
import Events
import Replay
import Tables
import TestSupport
import Testing

@testable import Reports

@Suite("Events of everyone in the parts of a log")
struct PartialEveryoneTests {
  /// The number of shards and the seed of the log.
  static let cases = [(1, 1), (2, 2), (3, 3), (7, 4), (64, 5)].map { ($0.0, UInt64($0.1)) }

  @Test("count once, like erased events, which no unit has any more", arguments: cases)
  func health(count: Int, seed: UInt64) throws {
    var events = LogParts.events(seed: 300 + seed)
    let parts = try LogParts(events, into: count)
    #expect(events.contains { $0.unit == "" })
    try parts.expectSame(HealthReport())
    try parts.expectSame(HealthReport(), by: .policy)
    events.removeLast(events.count / 2)
    for order in LogParts.Order.allCases {
      let erased = try LogParts(events, into: count, erasing: ["u-3", "u-17", "u-20"], order)
      try erased.expectSame(HealthReport())
      try erased.expectSame(RewardReport())
      try erased.expectSame(RegretReport())
      try erased.expectSame(ComparisonReport())
    }
  }

  @Test("are counted by shard 1 alone")
  func counts() throws {
    let events = LogParts.events(seed: 1)
    let parts = try LogParts(events, into: 3)
    let counts = try (0..<3).map {
      try Partial(bytes: parts.partial(RewardReport(), $0)).eventCount
    }
    #expect(counts.reduce(0, +) == events.count)
    let everyone = events.count { $0.unit == "" }
    #expect(counts[0] == Int(parts.parts[0].eventCount) && everyone > 10)
    #expect(counts[1] == Int(parts.parts[1].eventCount) - everyone)
  }
}
