import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("Segments that end")
struct EndedSegmentTests {
  private func frames(_ log: LogReader, _ segment: Int) -> Int {
    log.frames.count { $0.segment == segment && $0.rows > 0 }
  }

  private func makeLog(
    _ disk: SimulatedDisk, smallFrameCount: Int, rows: ClosedRange<Int>
  ) throws -> [Event] {
    var generator = EventGenerator(seed: 1)
    var options = LogOptions(segmentByteCount: 30_000, seed: 1)
    options.smallFrameCount = smallFrameCount
    options.compacting = .caller
    let writer = try LogWriter("/log", options: options, disk: disk)
    var events: [Event] = []
    while try LogReader("/log", disk: disk).segments.count < 4 {
      let count = rows.lowerBound + generator.random.index(rows.count)
      let batch = generator.events(count)
      try writer.append(batch)
      try writer.commit()
      events += batch
    }
    while writer.commits.compactEndedSegment() {}
    return events
  }

  @Test("are compacted when they have many small frames, and nothing else changes")
  func compacted() throws {
    let disk = SimulatedDisk(seed: 1)
    let events = try makeLog(disk, smallFrameCount: 5, rows: 1...3)
    let log = try LogReader("/log", disk: disk)
    #expect((0..<3).allSatisfy { frames(log, $0) == 1 })
    #expect(frames(log, 3) >= 1)
    #expect(log.segments.dropLast().allSatisfy { $0.byteCount < 30_000 })
    #expect(try log.allEvents() == events)
    #expect(try log.verify(deep: true).problems.isEmpty)
  }

  @Test("stay as they are when their frames are few")
  func few() throws {
    let disk = SimulatedDisk(seed: 1)
    let events = try makeLog(disk, smallFrameCount: 1_000, rows: 1...3)
    let log = try LogReader("/log", disk: disk)
    #expect((0..<3).allSatisfy { frames(log, $0) > 5 })
    #expect(try log.allEvents() == events)
  }

  /// A writer that has just ended a segment, which is to be compacted.
  private func makeWriter(
    _ disk: SimulatedDisk, _ generator: inout EventGenerator
  ) throws -> (writer: LogWriter, events: [Event]) {
    var options = LogOptions(segmentByteCount: 12_000, seed: 1)
    options.smallFrameCount = 2
    options.compacting = .caller
    let writer = try LogWriter("/log", options: options, disk: disk)
    var events: [Event] = []
    while try LogReader("/log", disk: disk).segments.count < 2 {
      let batch = generator.events(2)
      try writer.append(batch)
      try writer.commit()
      events += batch
    }
    return (writer, events)
  }

  private func hasHalfFile(_ disk: SimulatedDisk) throws -> Bool {
    try disk.list("/log")?.contains { $0.hasSuffix(SegmentRewriter.suffix) } == true
  }

  @Test(
    "stay as they are when compacting fails, leave no half file, and the writer continues",
    arguments: SimulatedDisk.Fault.Call.allCases, 1...6)
  func failing(call: SimulatedDisk.Fault.Call, number: Int) throws {
    let disk = SimulatedDisk(seed: 1)
    var generator = EventGenerator(seed: 1)
    do {
      var (writer, events) = try makeWriter(disk, &generator)
      disk.inject([SimulatedDisk.Fault(call: call, number: number)])
      #expect(writer.commits.compactEndedSegment())
      disk.inject([])
      #expect(try !hasHalfFile(disk))
      let batch = generator.events(2)
      try writer.append(batch)
      try writer.commit()
      events += batch
      #expect(try LogReader("/log", disk: disk).allEvents() == events)
    }
    _ = try LogWriter("/log", options: LogOptions(), disk: disk)
    #expect(try LogReader("/log", disk: disk).verify(deep: true).problems.isEmpty)
  }

  @Test("are compacted while others append, commit and end the next one", arguments: 0..<UInt64(10))
  func interleaved(seed: UInt64) throws {
    let disk = SimulatedDisk(seed: seed)
    var generator = EventGenerator(seed: seed)
    let (writer, before) = try makeWriter(disk, &generator)
    let earlier = try LogReader("/log", disk: disk)
    var events = before
    disk.duringNextSync {
      for _ in 0..<20 {
        let batch = generator.events(2)
        #expect(throws: Never.self) {
          try writer.append(batch)
          try writer.commit()
        }
        events += batch
      }
    }
    #expect(writer.commits.compactEndedSegment())
    #expect(events.count == before.count + 40)
    let log = try LogReader("/log", disk: disk)
    #expect(frames(log, 0) == 1)
    #expect(try log.allEvents() == events)
    #expect(try earlier.allEvents() == before, "a reader continues with the file that it has")
  }

  @Test("are the old file or the new one after a power cut at any moment of compacting")
  func powerCuts() throws {
    var operation = 1
    while true {
      let disk = SimulatedDisk(seed: UInt64(operation))
      var generator = EventGenerator(seed: 1)
      let (writer, events) = try makeWriter(disk, &generator)
      disk.cutPower(at: operation)
      _ = writer.commits.compactEndedSegment()
      let isCut = disk.isWithoutPower
      for round in 0..<3 as Range<UInt64> {
        var random = SeededGenerator(seed: round)
        let after = disk.crash(using: &random)
        let words = "operation \(operation), round \(round)"
        #expect(try LogReader("/log", disk: after).allEvents() == events, "\(words)")
        _ = try LogWriter("/log", options: LogOptions(), disk: after)
        #expect(try !hasHalfFile(after), "\(words)")
      }
      guard isCut else { break }
      operation += 1
    }
    #expect(operation > 6)
  }

  @Test("are not compacted any more once the writer has failed")
  func failedWriter() throws {
    let disk = SimulatedDisk(seed: 1)
    var generator = EventGenerator(seed: 1)
    let (writer, events) = try makeWriter(disk, &generator)
    disk.inject([SimulatedDisk.Fault(call: .write, number: 1)])
    try writer.append(generator.events(1))
    #expect(throws: LogError.self) { try writer.commit() }
    disk.inject([])
    #expect(!writer.commits.compactEndedSegment())
    #expect(try LogReader("/log", disk: disk).allEvents() == events)
  }
}
