import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("Splitting a log")
struct LogSplitTests {
  @Test("each shard has exactly the events of its units, in order", arguments: 0..<10)
  func splits(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    var generator = EventGenerator(seed: seed)
    let events = generator.events(400)
    let writer = try LogWriter(folder.path("log"), options: LogOptions(segmentByteCount: 9_000))
    try writer.append(events)
    try writer.commit()
    let log = try LogReader(folder.path("log"))
    let split = LogSplit(shardCount: 1 + generator.random.index(6))
    let counts = try split.write(log, to: (0..<split.shardCount).map { folder.path("shard-\($0)") })
    var shards: [Set<UnitID>] = []
    for shard in 0..<split.shardCount {
      let stored = try LogReader(folder.path("shard-\(shard)")).allEvents()
      let naive = events.filter {
        let unit = Array($0.unit.rawValue.utf8)
        return unit.isEmpty || split.shard(of: unit[...]) == shard
      }
      #expect(stored == naive, "seed \(seed)")
      #expect(counts[shard] == UInt64(naive.count))
      shards.append(Set(stored.map(\.unit)).subtracting([UnitID("")]))
    }
    #expect(shards.reduce(0) { $0 + $1.count } == shards.reduce(Set()) { $0.union($1) }.count)
    #expect(Set((0..<split.shardCount).map { split.seed(of: $0, of: log) }).count == shards.count)
  }

  @Test("the shard of a unit never changes: FNV-1a of its bytes, mixed")
  func stable() {
    // Worked out apart from this code, with Python's integers.
    #expect(StableHash.of([]) == 0xF52A_15E9_A9B5_E89B)
    #expect(StableHash.of(Array("a".utf8)[...]) == 0x02C0_BDBF_4814_20F8)
    #expect(StableHash.of(Array("s-42".utf8)[...]) == 0xE455_8E48_5DFC_4FF4)
    #expect(LogSplit(shardCount: 7).shard(of: Array("s-42".utf8)[...]) == 3)
  }

  @Test("units spread evenly over the shards")
  func even() {
    let split = LogSplit(shardCount: 8)
    var counts = [Int](repeating: 0, count: 8)
    for number in 0..<80_000 { counts[split.shard(of: Array("user-\(number)".utf8)[...])] += 1 }
    // 10,000 each, with a standard deviation of 94.
    for count in counts { #expect(abs(count - 10_000) < 500) }
  }
}
