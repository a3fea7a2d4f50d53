import Events
import Foundation
import TestSupport
import Testing
import Threads

@testable import EventLog

/// The real file system, with the largest number of files and locks that were open at once.
private final class CountingDisk: WrappingDisk {
  let real = SystemDisk()
  let counts = Monitor((now: 0, most: 0))

  var mostOpen: Int { counts.withLock { $0.most } }

  func add(_ number: Int) {
    counts.withLock { counts in
      counts.now += number
      counts.most = max(counts.most, counts.now)
    }
  }

  func wrap(_ file: any DiskFile) -> any DiskFile { CountedFile(file, self) }

  func lock(_ path: String, holder: String) throws(LogError) -> any DiskLock {
    CountedLock(try real.lock(path, holder: holder), self)
  }
}

private final class CountedFile: WrappingFile {
  let real: any DiskFile
  private let disk: CountingDisk

  init(_ real: any DiskFile, _ disk: CountingDisk) {
    (self.real, self.disk) = (real, disk)
    disk.add(1)
  }

  deinit { disk.add(-1) }
}

private final class CountedLock: DiskLock {
  private let real: any DiskLock
  private let disk: CountingDisk

  init(_ real: any DiskLock, _ disk: CountingDisk) {
    (self.real, self.disk) = (real, disk)
    disk.add(1)
  }

  deinit { disk.add(-1) }
}

/// Splits of logs that have everything that a log can have, against the events one by one.
@Suite("Sharding logs")
struct ShardingTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }

  init() throws { folder = try TemporaryFolder() }

  private func paths(_ count: Int, _ name: String = "shard") -> [String] {
    (0..<count).map { folder.path("\(name)-\($0)") }
  }

  /// Random events, some with texts that are too long for a vocabulary.
  private func events(_ seed: UInt64, _ count: Int, longLists: Bool = false) -> [Event] {
    var generator = EventGenerator(seed: seed)
    return generator.events(count).map { event in
      var event = event
      guard case .decision(var decision) = event.payload else { return event }
      if generator.random.chance(0.2) {
        let text = String(repeating: "long text \(generator.random.index(3)) ", count: 9)
        decision.context = ["a": .number(1), "text": .text(text), "b": .flag(true)]
      }
      if longLists, generator.random.chance(0.2) {
        let count = generator.random.chance(0.5) ? 600 : 5_000
        decision.choices = (0..<count).map { VariantID("v\($0)") }
        decision.probabilities = nil
      }
      event.payload = .decision(decision)
      return event
    }
  }

  private func write(_ events: [Event], frameRowCount: Int = 65_536) throws {
    var options = LogOptions(segmentByteCount: 9_000)
    options.frameRowCount = frameRowCount
    let writer = try LogWriter(log, options: options)
    try writer.append(events)
    try writer.commit()
  }

  /// Expects that each shard has exactly its events, in order, and is a valid log that can be continued.
  private func expectShards(_ events: [Event], _ count: Int, _ name: String = "shard", seed: UInt64)
    throws
  {
    for shard in UnitShard.all(of: count) {
      let path = folder.path("\(name)-\(shard.number - 1)")
      let own = try LogReader(path)
      let naive = events.filter { shard.contains(unit: Array($0.unit.rawValue.utf8)[...]) }
      #expect(try own.allEvents() == naive, "seed \(seed), shard \(shard)")
      #expect(try own.verify(deep: true).problems.isEmpty)
      #expect(try !LogFilling.isUnfinished(path))
      try shard.requireAllUnits(of: own)
    }
    let first = folder.path("\(name)-0")
    let before = try LogReader(first).allEvents()
    let writer = try LogWriter(first)
    try writer.append(Array(events.prefix(50)))
    try writer.commit()
    #expect(try LogReader(first).allEvents() == before + events.prefix(50), "seed \(seed)")
  }

  @Test("every shard has its events exactly, in order", arguments: 0..<40)
  func splits(seed: UInt64) throws {
    let events = events(seed, 600)
    try write(events, frameRowCount: seed % 2 == 0 ? 65_536 : 37)
    let count = [1, 2, 3, 7, 64, 300][Int(seed) % 6]
    _ = try LogSplit(shardCount: count).write(LogReader(log), to: paths(count))
    try expectShards(events, count, seed: seed)
  }

  @Test(
    "small frames, for want of memory, are merged, and the same log gives the same bytes",
    arguments: 0..<10)
  func little(seed: UInt64) throws {
    let events = events(seed, 2_000)
    try write(events, frameRowCount: 40)
    for name in ["shard", "again"] {
      _ = try LogSplit(shardCount: 3).write(
        LogReader(log), to: paths(3, name), options: LogOptions(segmentByteCount: 20_000),
        memoryLimit: 4_000)
    }
    for shard in 0..<3 {
      let names = try SystemDisk().list(folder.path("shard-\(shard)")) ?? []
      #expect(try SystemDisk().list(folder.path("again-\(shard)")) ?? [] == names)
      for name in names {
        let pair = try ["shard", "again"].map {
          try Data(contentsOf: URL(fileURLWithPath: folder.path("\($0)-\(shard)/\(name)")))
        }
        #expect(pair[0] == pair[1], "\(name)")
      }
      let log = try LogReader(folder.path("shard-\(shard)"))
      // Without merging there is a frame for about every ten events.
      #expect(log.frames.count < 20)
    }
    try expectShards(events, 3, seed: seed)
  }

  @Test("very long lists are split event by event, with the same result", arguments: 0..<5)
  func longLists(seed: UInt64) throws {
    let events = events(seed, 100, longLists: true)
    try write(events)
    let log = try LogReader(self.log)
    #expect(try ColumnSplit(log, [nil], memoryLimit: 0) == nil)
    _ = try LogSplit(shardCount: 3).write(
      log, to: paths(3), options: LogOptions(), memoryLimit: 9_000)
    try expectShards(events, 3, seed: seed)
  }

  @Test("lists and objects that are stored in the frame themselves are copied")
  func literals() throws {
    // More texts than a vocabulary takes.
    let texts = (0..<70_000).map { "t\($0)" }
    let writer = try LogWriter(log)
    var expected: [Event] = []
    for (number, text) in texts.enumerated() {
      let list = [VariantID("a\(number % 300)"), VariantID("b\(number / 300)")]
      expected.append(
        Event(
          time: Timestamp(microseconds: Int64(number)), unit: UnitID("u\(number % 50)"),
          payload: .decision(
            Decision(
              experiment: "e", variant: list[0], choices: list,
              context: [text: .text(text)]))))
    }
    try writer.append(expected)
    try writer.commit()
    let reader = try LogReader(log)
    #expect(reader.frames.contains { $0.entry(ColumnID.context.literals) != nil })
    #expect(reader.frames.contains { $0.entry(ColumnID.choices.literals) != nil })
    _ = try LogSplit(shardCount: 2).write(reader, to: paths(2))
    for shard in UnitShard.all(of: 2) {
      let own = try LogReader(folder.path("shard-\(shard.number - 1)"))
      #expect(
        try own.allEvents()
          == expected.filter { shard.contains(unit: Array($0.unit.rawValue.utf8)[...]) })
      #expect(try own.verify(deep: true).problems.isEmpty)
    }
  }

  @Test(
    "erased events, and their units, are in no shard; their positions are in the first",
    arguments: 0..<5, [false, true])
  func erased(seed: UInt64, byRecords: Bool) throws {
    let events = events(seed, 500)
    try write(events, frameRowCount: 90)
    let unit = events.first { $0.unit.rawValue != "" }?.unit ?? ""
    _ = try LogRewriter(log).erase(Erasure(units: [unit.rawValue]))
    let log = try LogReader(log, damaged: byRecords ? .skip : .strict)
    _ = try LogSplit(shardCount: 3).write(log, to: paths(3))
    try expectShards(events.filter { $0.unit != unit }, 3, seed: seed)
    let erased = UInt64(events.count { $0.unit == unit })
    for (shard, path) in paths(3).enumerated() {
      let shard = (number: shard, log: try LogReader(path))
      let own = UInt64(try shard.log.allEvents().count)
      #expect(shard.log.eventCount == own + (shard.number == 0 ? erased : 0))
      #expect(try shard.log.verify(deep: true).problems.isEmpty)
    }
  }

  @Test("a reader that skips damage gives the events that it can read")
  func damaged() throws {
    let events = events(1, 400)
    try write(events, frameRowCount: 50)
    let frame = try LogReader(self.log).frames[3]
    let path = try LogReader(self.log).segments[frame.segment].path
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let entry = try #require(frame.entry(.time))
    bytes[Int(frame.offset) + Int(entry.offset) + 3] ^= 1
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    #expect(throws: LogError.self) {
      try LogSplit(shardCount: 2).write(LogReader(self.log), to: paths(2))
    }
    let log = try LogReader(self.log, damaged: .skip)
    _ = try LogSplit(shardCount: 2).write(log, to: paths(2))
    let rest = try LogReader(self.log, damaged: .skip).allEvents()
    #expect(rest.count < events.count)
    try expectShards(rest, 2, seed: 1)
  }

  @Test("an interrupted split starts over, and one that was interrupted at its end goes on")
  func restarts() throws {
    struct Stop: Error {}
    let events = events(3, 500)
    try write(events, frameRowCount: 50)
    let split = LogSplit(shardCount: 3)
    #expect(throws: Stop.self) {
      try split.write(LogReader(log), to: paths(3)) { if $0 > 200 { throw Stop() } }
    }
    #expect(try paths(3).allSatisfy { try LogFilling.isUnfinished($0) })
    #expect(throws: LogError.self) { try LogWriter(paths(3)[1]) }
    #expect(try split.write(LogReader(log), to: paths(3)).allSatisfy { $0 != nil })
    let error = #expect(throws: LogError.self) { try split.write(LogReader(log), to: paths(3)) }
    #expect(error?.code == .cannotCreate)
    _ = try folder.write("", "shard-2/\(LogFilling.name)")
    let counts = try split.write(LogReader(log), to: paths(3))
    #expect(counts.map { $0 == nil } == [true, true, false])
    try expectShards(events, 3, seed: 3)
  }

  @Test("4,096 shards need no more open files than a few hundred")
  func many() throws {
    let events = events(4, 300)
    try write(events)
    let disk = CountingDisk()
    _ = try LogSplit(shardCount: 4_096).write(
      LogReader(log), to: paths(4_096), options: LogOptions(), disk: disk)
    #expect(disk.mostOpen <= 600)
    let stored = try UnitShard.all(of: 4_096).flatMap {
      try LogReader(folder.path("shard-\($0.number - 1)")).allEvents()
    }
    let everyone = events.count { $0.unit == "" }
    #expect(stored.count == events.count + everyone * 4_095)
  }
}
