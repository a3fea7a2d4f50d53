import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("Shards of units")
struct UnitShardTests {
  @Test("a shard is written from 1, as in 1/4", arguments: ["1/1", "1/4", "4/4", "4096/4096"])
  func parses(text: String) throws {
    #expect(try #require(UnitShard(text)).description == text)
  }

  @Test(
    "anything else is not a shard",
    arguments: [
      "", "/", "1", "0/4", "5/4", "1/0", "-1/4", "+1/4", "01/4", "1/4/4", "1 /4", "1/4097", "a/b",
      "1/99999999999999999999",
    ])
  func refuses(text: String) {
    #expect(UnitShard(text) == nil)
  }

  @Test("each unit belongs to one shard, the one that a split writes it to")
  func partitions() {
    for count in [1, 2, 3, 7, 64, 4_096] {
      let split = LogSplit(shardCount: count)
      let shards = UnitShard.all(of: count)
      for number in 0..<200 {
        let unit = Array("user-\(number)é".utf8)[...]
        let own = shards.filter { $0.contains(unit: unit) }
        #expect(own.map { $0.number - 1 } == [split.shard(of: unit)])
      }
    }
  }

  @Test("the empty unit, of events that concern everyone, belongs to every shard")
  func everyone() {
    #expect(UnitShard.all(of: 7).allSatisfy { $0.contains(unit: []) })
  }

  @Test("the logs of a split belong to their shards, and to no other", arguments: 0..<5)
  func splitLogs(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    var generator = EventGenerator(seed: seed)
    let writer = try LogWriter(folder.path("log"))
    try writer.append(generator.events(300))
    try writer.commit()
    let split = LogSplit(shardCount: 3)
    _ = try split.write(
      LogReader(folder.path("log")), to: (0..<3).map { folder.path("shard-\($0)") })
    for shard in UnitShard.all(of: 3) {
      for index in 0..<3 {
        let log = try LogReader(folder.path("shard-\(index)"))
        let units = Set(try log.allEvents().map(\.unit)).subtracting([UnitID("")])
        let isOwn = index == shard.number - 1 || units.isEmpty
        #expect(try (shard.firstForeignUnit(of: log) == nil) == isOwn, "seed \(seed)")
      }
    }
  }

  @Test("the error names the first unit of another shard, and that shard")
  func namesTheUnit() throws {
    let folder = try TemporaryFolder()
    let shard = try #require(UnitShard("2/4"))
    let own = (0..<50).map { "u\($0)" }.filter { shard.contains(unit: Array($0.utf8)[...]) }
    let others = (0..<50).map { "u\($0)" }.filter { !own.contains($0) }
    let writer = try LogWriter(folder.path("log"))
    for unit in own + others {
      try writer.append([
        Event(
          time: Timestamp(microseconds: 1), unit: UnitID(unit),
          payload: .dataPoint(DataPoint(kind: "a")))
      ])
    }
    try writer.commit()
    let log = try LogReader(folder.path("log"))
    let error = #expect(throws: LogError.self) { try shard.requireAllUnits(of: log) }
    #expect(error?.code == .otherShard)
    let place = LogSplit(shardCount: 4).shard(of: Array(others[0].utf8)[...]) + 1
    #expect(error?.message.contains("'\(others[0])' belongs to shard \(place)/4") == true)
    #expect(error?.message.contains("shard 2/4") == true)
  }
}
