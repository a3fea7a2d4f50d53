import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("Crafted data with valid checksums")
struct CorruptionHostileTests {
  private static func forge(_ hostile: HostileCase) throws -> (disk: MemoryDisk, events: [Event]) {
    let (disk, events) = try EveryEncodingLog.make()
    guard let file = EveryEncodingLog.segments(of: disk).first, let bytes = disk.files[file] else {
      throw FuzzTarget.Failure(description: "no segment")
    }
    var segment = ForgedSegment(bytes)
    let whole = segment.bytes
    guard whole == bytes else { throw FuzzTarget.Failure(description: "the forge is at fault") }
    hostile.forge(&segment)
    let forged = segment.bytes
    guard forged != whole else { throw FuzzTarget.Failure(description: "nothing was forged") }
    disk.files[file] = forged
    return (disk, events)
  }

  @Test("are refused by name, or have no effect", arguments: HostileCase.all)
  func lies(hostile: HostileCase) throws {
    let (disk, events) = try Self.forge(hostile)
    var code: LogError.Code?
    var problems = 0
    do {
      let log = try LogReader(EveryEncodingLog.path, disk: disk)
      do {
        problems = try log.verify(deep: true).problems.count
        #expect(try log.allEvents() == events)
      } catch let error as LogError {
        code = error.code
        #expect(error.path.contains("seg-") && !error.message.isEmpty, "\(error)")
      }
      // By columns it may go well, where the lie is in another; a trap would end the run.
      let selections: [AttributeSelection] = [
        .context("country"), .metadata("note"), .data, .features("price"),
      ]
      try? log.forEachBatch(EventColumns(rawValue: .max), selections) { _ in }
    } catch let error as LogError {
      code = error.code
    }
    switch hostile.outcome {
    case .refused(let expected): #expect(code == expected)
    case .unchanged: #expect(code == nil && problems == 0)
    case .verified: #expect(code == nil && problems > 0)
    }
    _ = try? LogWriter(EveryEncodingLog.path, options: LogOptions(seed: 1), disk: disk)
  }

  @Test("are refused by a split too, or are copied without effect", arguments: HostileCase.all)
  func split(hostile: HostileCase) throws {
    let (disk, events) = try Self.forge(hostile)
    guard let log = try? LogReader(EveryEncodingLog.path, disk: disk) else { return }
    let isReadable = (try? log.allEvents()) != nil
    let paths = ["/shard-0", "/shard-1"]
    do {
      _ = try LogSplit(shardCount: 2).write(log, to: paths, options: LogOptions(), disk: disk)
      #expect(isReadable)
      for shard in UnitShard.all(of: 2) {
        let own = try LogReader(paths[shard.number - 1], disk: disk)
        #expect(
          try own.allEvents()
            == events.filter { shard.contains(unit: Array($0.unit.rawValue.utf8)[...]) })
      }
    } catch let error as LogError {
      #expect(!isReadable, "\(error)")
    }
  }

  @Test("all of them together take no more memory than a valid log of 64 MB would")
  func memory() async {
    await #expect(processExitsWith: .success) {
      _ = try EveryEncodingLog.make()
      let before = peakMemory()
      for hostile in HostileCase.all {
        let (disk, events) = try CorruptionHostileTests.forge(hostile)
        _ = try? LogVerdict.of(disk, events: events)
      }
      try FuzzTarget.require(peakMemory() - before < 256 << 20, "more than 256 MB")
    }
  }

  @Test("one column that cannot be read leaves the others readable")
  func otherColumns() throws {
    for name in ["an unknown codec", "an unknown encoding"] {
      let hostile = try #require(HostileCase.all.first { $0.description == name })
      let (disk, events) = try Self.forge(hostile)
      let log = try LogReader(EveryEncodingLog.path, disk: disk)
      var rows = 0
      try log.forEachBatch([.time, .unit, .experiment, .propensity]) { rows += $0.count }
      #expect(rows == events.count)
      let error = #expect(throws: LogError.self) { try log.forEachBatch([.reason]) { _ in } }
      #expect(error?.code == .newerVersion)
      #expect(error?.message.contains("column reason has") == true)
    }
  }

  @Test("unknown parts are counted, and reported")
  func unknownParts() throws {
    for hostile in HostileCase.all where hostile.description.hasPrefix("a column ") {
      guard hostile.outcome == .unchanged, !hostile.description.contains("twice") else { continue }
      let log = try LogReader(EveryEncodingLog.path, disk: try Self.forge(hostile).disk)
      #expect(log.unknownParts == ["1 other columns"], "\(hostile)")
    }
    let skipped = HostileCase.header("a frame of type 128", 4, .unchanged, 128 as UInt8)
    let (disk, events) = try Self.forge(skipped)
    let log = try LogReader(EveryEncodingLog.path, disk: disk)
    let rows = log.frames[0].rows
    #expect(log.unknownParts == ["\(rows) events in frames of another type"])
    #expect(log.eventCount == UInt64(events.count), "positions stay what they were")
    #expect(try log.allEvents() == Array(events.dropFirst(rows)))
  }

  @Test("an event with more probabilities than a reader accepts is refused by the writer")
  func tooManyProbabilities() throws {
    let writer = try LogWriter("log", options: LogOptions(seed: 1), disk: MemoryDisk())
    var record = EventRecord()
    record.hasProbabilities = true
    record.probabilities = Array(repeating: 0, count: EventRecord.largestProbabilityCount + 1)
    let error = #expect(throws: LogError.self) { try writer.append(record) }
    #expect(error?.code == .badEvent)
  }

  @Test(
    "an event whose texts share their bytes, and would be too large when read back, is refused too")
  func sharedTexts() throws {
    let disk = MemoryDisk()
    let writer = try LogWriter("log", options: LogOptions(seed: 1), disk: disk)
    var record = EventRecord()
    record.reset(kind: .decision, time: Timestamp(microseconds: 1))
    record[.unit] = record.add("u")
    record[.experiment] = record.add("e")
    record[.variant] = record.add([UInt8](repeating: 120, count: 1 << 20)[...])
    record.hasChoices = true
    record.choices = Array(repeating: record[.variant], count: 600)
    let error = #expect(throws: LogError.self) { try writer.append(record) }
    #expect(error?.code == .badEvent)
    record.choices = Array(repeating: record[.variant], count: 3)
    try writer.append(record)
    try writer.commit()
    #expect(try LogReader("log", disk: disk).allEvents().count == 1)
  }

  @Test("a list that repeats a long name does not exhaust memory", .enabled(if: isLongTest))
  func longNames() throws {
    let long = HostileCase.texts("long names", .names(.variants)) { index, _ in
      [UInt8](repeating: 120, count: 1 << 20) + [UInt8(index)]
    }
    let lists = HostileCase.texts("long lists", .names(.lists)) { index, _ in
      [0x80, 0x1E] + [UInt8](repeating: 1, count: 3_839) + [UInt8(index + 1)]
    }
    let both = HostileCase(description: "both", outcome: .refused(.damaged)) {
      long.forge(&$0)
      lists.forge(&$0)
    }
    let (disk, _) = try Self.forge(both)
    let log = try LogReader(EveryEncodingLog.path, disk: disk)
    let error = #expect(throws: LogError.self) { try log.allEvents() }
    #expect(error?.message.contains("an event of more than") == true)
  }
}
