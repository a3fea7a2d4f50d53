import Events
import TestSupport
import Testing
import Threads

@testable import EventLog

/// A disk in memory that counts what is read of its files.
private final class CountingDisk: WrappingDisk {
  let real: SimulatedDisk
  let reads = Monitor(0)

  init(_ real: SimulatedDisk) { self.real = real }

  func wrap(_ file: any DiskFile) -> any DiskFile { CountingFile(file, reads) }
}

private final class CountingFile: WrappingFile {
  let real: any DiskFile
  private let reads: Monitor<Int>

  init(_ real: any DiskFile, _ reads: Monitor<Int>) { (self.real, self.reads) = (real, reads) }

  func read(at offset: UInt64, count: Int) throws(LogError) -> [UInt8] {
    reads.withLock { $0 += 1 }
    return try real.read(at: offset, count: count)
  }
}

/// A log that everything happens to which may happen while a reader follows it.
private struct FollowedLog {
  static let path = "/log"

  let disk: SimulatedDisk
  var generator: EventGenerator
  private var options: LogOptions
  private var writer: LogWriter?

  init(seed: UInt64) throws {
    disk = SimulatedDisk(seed: seed)
    generator = EventGenerator(seed: seed)
    let size = UInt64(3_000 + generator.random.index(6_000))
    options = LogOptions(segmentByteCount: size, seed: seed)
    options.frameRowCount = 1 + generator.random.index(4)
    options.smallFrameCount = 3
    options.compacting = .caller
    writer = try LogWriter(Self.path, options: options, disk: disk)
  }

  private mutating func writing() throws -> LogWriter {
    if let writer { return writer }
    let opened = try LogWriter(Self.path, options: options, disk: disk)
    writer = opened
    return opened
  }

  /// Does something at random.
  mutating func step() throws -> String {
    let choice = generator.random.index(12)
    switch choice {
    case 0...3:
      let batch = generator.events(1 + generator.random.index(5))
      let writer = try writing()
      try writer.append(batch)
      if generator.random.chance(0.6) { try writer.commit() }
      return "append"
    case 4:
      let batch = generator.events(10 + generator.random.index(20))
      let writer = try writing()
      for event in batch { try writer.append([event]) }
      return "append many"
    case 5, 6:
      return try writing().commits.compactEndedSegment() ? "compact an ended segment" : "nothing"
    case 7:
      writer = nil
      _ = try LogRewriter(Self.path, disk: disk).compact()
      return "compact"
    case 8:
      writer = nil
      let unit = "u-\(generator.random.index(40))"
      _ = try LogRewriter(Self.path, disk: disk).erase(Erasure(units: [unit]))
      return "erase"
    case 9:
      writer = nil
      return "release"
    default:
      return try tear(addingGarbage: choice == 10)
    }
  }

  /// Leaves the file as a crash does: something of what was never durable is missing, changed, or too much.
  private mutating func tear(addingGarbage: Bool) throws -> String {
    let durable = try writing().durablePosition
    writer = nil
    let log = try LogReader(Self.path, disk: disk)
    let last = log.segments[log.segments.count - 1]
    let file = try disk.open(last.path, writable: true)
    let size = try file.size()
    if addingGarbage {
      let count = 1 + generator.random.index(300)
      var bytes = [UInt8](repeating: 0, count: count)
      for index in bytes.indices { bytes[index] = UInt8(generator.random.index(256)) }
      try file.write(bytes, at: size)
      return "add \(count) bytes"
    }
    let own = log.frames.filter { $0.segment == log.segments.count - 1 }
    let start = own.last { $0.endPosition <= durable }?.endOffset ?? UInt64(SegmentHeader.byteCount)
    guard start < size else { return "nothing" }
    let offset = start + UInt64(generator.random.index(Int(size - start)))
    if generator.random.chance(0.5) {
      try file.truncate(to: offset)
      return "tear at \(offset)"
    }
    try file.write(try file.read(at: offset, count: 1).map { ~$0 }, at: offset)
    return "flip at \(offset)"
  }
}

@Suite("Following a log with one reader")
struct LogReaderReopeningTests {
  private struct Picture: Equatable {
    var events: UInt64
    var frames: [[UInt64]]
    var segments: [[UInt64]]
    var paths: [String]
    var tail: LogReader.Tail?
    var limits: [UInt32]

    init(_ log: LogReader) {
      events = log.eventCount
      frames = log.frames.map {
        [UInt64($0.segment), $0.offset, UInt64($0.check), $0.basePosition, UInt64($0.rows)]
      }
      segments = log.segments.map {
        [$0.basePosition, $0.endPosition, $0.byteCount, UInt64($0.header.salt)]
      }
      paths = log.segments.map(\.path)
      tail = log.tail
      limits = Vocabulary.allCases.map { log.codeLimit($0) }
    }
  }

  @Test(
    "it sees what a reader opened anew sees, whatever happened to the log",
    arguments: 0..<UInt64(LongTests.areWanted ? 2_000 : 60), [DamagePolicy.strict, .skip])
  func likeAFreshReader(seed: UInt64, policy: DamagePolicy) throws {
    var log = try FollowedLog(seed: seed)
    var reader = try LogReader(FollowedLog.path, damaged: policy, disk: log.disk)
    var steps: [String] = []
    for _ in 0..<40 {
      steps.append(try log.step())
      if log.generator.random.chance(0.3) { continue }
      let fresh = try LogReader(FollowedLog.path, damaged: policy, disk: log.disk)
      let words = "seed \(seed): \(steps.joined(separator: ", "))"
      if let reopened = try reader.reopened() {
        reader = reopened
        #expect(Picture(reader) == Picture(fresh), "\(words)")
      }
      #expect(reader.eventCount == fresh.eventCount, "\(words)")
      #expect(reader.tail == fresh.tail, "\(words)")
      #expect(try reader.allEvents() == fresh.allEvents(), "\(words)")
      #expect(reader.losses == fresh.losses, "\(words)")
    }
  }

  /// Returns how many reads reopening takes after something happened to a log of small frames, and how many opening
  /// does.
  private func reads(
    segmentByteCount: UInt64, _ change: (LogWriter, inout EventGenerator) throws -> Void
  ) throws -> (reopening: Int, opening: Int) {
    let disk = CountingDisk(SimulatedDisk(seed: 1))
    var generator = EventGenerator(seed: 1)
    var options = LogOptions(segmentByteCount: segmentByteCount, seed: 1)
    options.compacting = .caller
    let writer = try LogWriter("/log", options: options, disk: disk)
    for _ in 0..<400 {
      try writer.append([generator.next()])
      try writer.commit()
    }
    let reader = try LogReader("/log", disk: disk)
    try change(writer, &generator)
    let before = disk.reads.withLock { $0 }
    let reopened = try #require(try reader.reopened())
    let between = disk.reads.withLock { $0 }
    let fresh = try LogReader("/log", disk: disk)
    #expect(Picture(reopened) == Picture(fresh))
    return (between - before, disk.reads.withLock { $0 } - between)
  }

  @Test("it reads no frame again that it knows when the last segment has grown")
  func costOfGrowth() throws {
    let (reopening, opening) = try reads(segmentByteCount: 64 << 20) { writer, generator in
      for _ in 0..<5 {
        try writer.append([generator.next()])
        try writer.commit()
      }
    }
    #expect(opening > 1_000)
    #expect(reopening < 50, "\(reopening) reads")
  }

  @Test("it reads no frame again that it knows when other segments followed")
  func costOfSegments() throws {
    let (reopening, opening) = try reads(segmentByteCount: 60_000) { writer, generator in
      for _ in 0..<50 {
        try writer.append([generator.next()])
        try writer.commit()
      }
    }
    #expect(opening > 1_000)
    #expect(reopening < 300, "\(reopening) reads")
  }

  @Test("a torn frame that was set aside and written again with the same size is not overlooked")
  func sameSize() throws {
    let disk = SimulatedDisk(seed: 1)
    var generator = EventGenerator(seed: 1)
    let (first, second) = (generator.events(2), generator.events(3))
    func append(_ events: [Event], committing: Bool = true) throws {
      var options = LogOptions(seed: 1)
      options.frameRowCount = 1
      let writer = try LogWriter("/log", options: options, disk: disk)
      for event in events { try writer.append([event]) }
      if committing { try writer.commit() }
    }
    try append(first)
    try append(second, committing: false)
    let whole = try LogReader("/log", disk: disk)
    let frame = try #require(whole.frames.last)
    let file = try disk.open(whole.segments[0].path, writable: true)
    let entry = try #require(frame.entries.first { $0.storedLength > 0 })
    let place = frame.offset + UInt64(entry.offset)
    try file.write(try file.read(at: place, count: 1).map { ~$0 }, at: place)
    let reader = try LogReader("/log", disk: disk)
    #expect(reader.tail != nil && reader.eventCount == whole.eventCount - 1)
    #expect(try reader.reopened() == nil)
    try file.write(try file.read(at: place, count: 1).map { ~$0 }, at: place)
    let reopened = try #require(try reader.reopened())
    #expect(reopened.tail == nil && reopened.eventCount == whole.eventCount)
  }

  @Test("a list of frames that grows and shrinks is like an array", arguments: 0..<UInt64(20))
  func frameList(seed: UInt64) throws {
    let disk = SimulatedDisk(seed: seed)
    let writer = try LogWriter("/log", options: LogOptions(seed: 1), disk: disk)
    var generator = EventGenerator(seed: seed)
    try writer.append(generator.events(3))
    try writer.commit()
    var frame = try #require(try LogReader("/log", disk: disk).frames.first)
    var (list, array) = (FrameList(), [UInt64]())
    for number in 0..<3_000 as Range<UInt64> {
      if generator.random.chance(0.01) {
        let count = generator.random.index(array.count + 1)
        list.removeAll(from: count)
        array.removeLast(array.count - count)
      }
      let copy = list
      frame.offset = number
      list.append(frame)
      array.append(number)
      #expect(copy.count == array.count - 1)
      #expect(list.last?.offset == number)
    }
    #expect(list.map(\.offset) == array)
    list.removeAll(from: 0)
    #expect(list.isEmpty)
  }
}
