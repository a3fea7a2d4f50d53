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
    let writer = try LogWriter("/log", options: options, disk: disk)
    var events: [Event] = []
    while try LogReader("/log", disk: disk).segments.count < 4 {
      let count = rows.lowerBound + generator.random.index(rows.count)
      let batch = generator.events(count)
      try writer.append(batch)
      try writer.commit()
      events += batch
    }
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

  @Test("stay as they are when compacting fails, and the writer continues", arguments: 1...12)
  func failing(call: Int) throws {
    let disk = SimulatedDisk(seed: 1)
    var generator = EventGenerator(seed: 1)
    var options = LogOptions(segmentByteCount: 12_000, seed: 1)
    options.smallFrameCount = 2
    var events: [Event] = []
    do {
      let writer = try LogWriter("/log", options: options, disk: disk)
      while try LogReader("/log", disk: disk).segments[0].byteCount < 12_000 {
        let batch = generator.events(2)
        try writer.append(batch)
        try writer.commit()
        events += batch
      }
      // The first write after the roll's own calls belongs to compacting, or to what comes after it.
      disk.inject([SimulatedDisk.Fault(call: .write, number: 1 + call)])
      let batch = generator.events(2)
      do {
        try writer.append(batch)
        try writer.commit()
        events += batch
      } catch let error as LogError {
        #expect(error.code == .inputOutput)
      }
    }
    disk.inject([])
    _ = try LogWriter("/log", options: options, disk: disk)
    #expect(try LogReader("/log", disk: disk).allEvents() == events)
    #expect(try disk.list("/log")?.contains { $0.hasSuffix(SegmentRewriter.suffix) } == false)
  }
}
