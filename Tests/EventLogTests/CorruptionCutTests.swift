import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("Truncated and extended files")
struct CorruptionCutTests {
  @Test(
    "a log truncated at any length gives the events of its complete frames only; it is refused if HEAD records more",
    arguments: [false, true])
  func cuts(hasHead: Bool) throws {
    let (disk, events) = try EveryEncodingLog.make()
    if !hasHead { disk.removeHead(of: EveryEncodingLog.path) }
    let log = try LogReader(EveryEncodingLog.path, disk: disk)
    let files = EveryEncodingLog.segments(of: disk)
    for (index, file) in files.enumerated() {
      let bytes = try #require(disk.files[file])
      let frames = log.frames.filter { $0.segment == index }
      let ends = frames.map { Int($0.endOffset) }
      let borders = [0, 1, 63, 64, 65] + ends.flatMap { [$0 - 1, $0, $0 + 1] }
      let sizes = Array(stride(from: 0, to: bytes.count, by: isLongTest ? 1 : 53)) + borders
      for size in sizes where size < bytes.count {
        disk.files[file] = Array(bytes.prefix(size))
        let verdict = try verdict(disk, events: events)
        if index < files.count - 1 {
          // A cut behind the last event takes nothing, and the next segment goes on there.
          let isWhole = frames.filter { $0.rows > 0 }.allSatisfy { Int($0.endOffset) <= size }
          #expect(verdict == nil || (isWhole && verdict == events.count), "\(file) at \(size)")
        } else {
          let whole = log.frames.filter { $0.segment < index || Int($0.endOffset) <= size }
          let count = whole.reduce(0) { $0 + $1.rows }
          let expected = hasHead && count < events.count ? nil : count
          #expect(verdict == expected, "\(file) at \(size)")
        }
      }
      disk.files[file] = bytes
    }
  }

  /// How many events are read back; nil when the log is refused.
  private func verdict(_ disk: MemoryDisk, events: [Event]) throws -> Int? {
    do {
      let read = try LogReader(EveryEncodingLog.path, disk: disk).allEvents()
      #expect(read == Array(events.prefix(read.count)))
      return read.count
    } catch let error as LogError {
      #expect(error.code == .damaged)
      return nil
    }
  }

  @Test("a bigger log truncated at, before and after every frame's end gives the frames before it")
  func bigCuts() throws {
    let disk = MemoryDisk()
    var generator = EventGenerator(seed: 9)
    let events = generator.events(isLongTest ? 6_000 : 1_500)
    do {
      var options = LogOptions(segmentByteCount: 1 << 30, seed: 1)
      options.frameRowCount = 50
      let writer = try LogWriter("log", options: options, disk: disk)
      try writer.append(events)
      try writer.commit()
    }
    disk.removeHead(of: "log")
    let file = "log/" + SegmentHeader.fileName(basePosition: 0)
    let bytes = try #require(disk.files[file])
    let log = try LogReader("log", disk: disk)
    for (number, frame) in log.frames.enumerated() where frame.rows > 0 {
      for size in [-1, 0, 1, 127, 128, 129].map({ Int(frame.endOffset) + $0 }) {
        disk.files[file] = Array(bytes.prefix(size))
        let cut = try LogReader("log", disk: disk)
        let whole = log.frames.filter { Int($0.endOffset) <= size }.last
        #expect(cut.eventCount == whole?.endPosition ?? 0, "frame \(number), cut at \(size)")
        #expect((cut.tail != nil) == (size != Int(whole?.endOffset ?? 64)))
      }
    }
  }

  @Test("any garbage after the end is a tail, and the next writer quarantines it")
  func junk() throws {
    let (disk, events) = try EveryEncodingLog.make()
    let whole = disk.files
    let files = EveryEncodingLog.segments(of: disk)
    let last = try #require(files.last)
    var random = SeededGenerator(seed: 4)
    for round in 0..<60 {
      let count = 1 + random.index(5_000)
      let junk = (0..<count).map { _ in
        round % 3 == 0 ? 0 : UInt8(truncatingIfNeeded: random.next())
      }
      disk.files[last]?.append(contentsOf: junk)
      #expect(try LogVerdict.of(disk, events: events) == .found)
      let writer = try LogWriter(EveryEncodingLog.path, options: LogOptions(seed: 1), disk: disk)
      #expect(writer.recovered?.byteCount == UInt64(count), "round \(round)")
      #expect(writer.recovered.flatMap { disk.files[$0.quarantined] } == junk)
      #expect(try LogReader(EveryEncodingLog.path, disk: disk).allEvents() == events)
      disk.files = whole
    }
    // Behind a segment that is not the last it cannot be what a crash left.
    let first = try #require(files.first)
    disk.files[first]?.append(0)
    #expect(try LogVerdict.of(disk, events: events) == .found)
  }
}
