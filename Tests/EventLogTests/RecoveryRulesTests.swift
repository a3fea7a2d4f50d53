import Events
import Synchronization
import TestSupport
import Testing

@testable import EventLog

/// The simulated disk, with a record of how much is read of each file.
private final class CountingDisk: WrappingDisk {
  let bytesRead = Mutex<[String: Int]>([:])
  let real: SimulatedDisk

  init(_ real: SimulatedDisk) { self.real = real }

  func wrap(_ file: any DiskFile) -> any DiskFile { CountingFile(file, self) }
}

private final class CountingFile: WrappingFile {
  let real: any DiskFile
  private let disk: CountingDisk

  init(_ real: any DiskFile, _ disk: CountingDisk) { (self.real, self.disk) = (real, disk) }

  func read(at offset: UInt64, count: Int) throws(LogError) -> [UInt8] {
    disk.bytesRead.withLock { $0[path, default: 0] += count }
    return try real.read(at: offset, count: count)
  }
}

/// One test for each rule of recovery. A rule about snapshots (R7) has none: there are no snapshots.
@Suite("Recovery rules")
struct RecoveryRulesTests {
  private let log: SmallLog
  private let frames: [FrameInfo]

  /// Two segments; the last one's last frame is not proven by anything but HEAD.
  init() throws {
    var generator = EventGenerator(seed: 10)
    let batches = (0..<5).map { _ in generator.events(5) }
    log = try SmallLog(batches, segmentByteCount: 6_500, isClosed: false)
    try #require(log.segments.count == 2)
    frames = Array(try log.reader().frames)
    try #require(frames.count { $0.segment == 1 } > 1)
  }

  private var lastFrame: FrameInfo { frames[frames.count - 1] }

  @Test(
    "R1: a last segment without a complete header never held an event; any other header is required"
  )
  func header() throws {
    var incompleteSegment = log
    let next = SegmentHeader.fileName(basePosition: 25)
    for bytes in [[], [1, 2, 3], [UInt8](repeating: 0, count: 4_096)] as [[UInt8]] {
      incompleteSegment.files[next] = bytes
      #expect(try incompleteSegment.reader().allEvents() == log.events)
      #expect(try incompleteSegment.writer().recovered?.byteCount == UInt64(bytes.count))
    }
    for name in log.segments {
      for place in 0..<SegmentHeader.byteCount {
        var damaged = log
        damaged.files[name]?[place] ^= 1
        #expect(throws: LogError.self) { try damaged.reader() }
        #expect(throws: LogError.self) { try damaged.writer() }
      }
    }
  }

  @Test("R2a: data not known to be durable is quarantined from the first incomplete frame on")
  func tornTail() throws {
    var torn = log
    torn.removeHead()
    for place in [lastFrame.offset + 5, lastFrame.offset + 400, lastFrame.endOffset - 3] {
      var changed = torn
      changed.files[log.last]?[Int(place)] ^= 1
      let reader = try changed.reader()
      #expect(
        reader.tail?.offset == lastFrame.offset, "byte \(place): a reader sees it as a tail too")
      #expect(try reader.allEvents() == Array(log.events.prefix(20)))
      #expect(try changed.writer().recovered?.offset == lastFrame.offset)
    }
  }

  @Test(
    "R2b: damage to data that HEAD or a later frame records as durable is reported, and nothing is truncated"
  )
  func durable() throws {
    let before = frames[frames.count - 2]
    for (frame, hasHead) in [(lastFrame, true), (before, true), (before, false)] {
      for place in [frame.offset + 5, frame.offset + 400, frame.endOffset - 3] {
        var changed = log
        if !hasHead { changed.removeHead() }
        changed.files[log.last]?[Int(place)] ^= 1
        let disk = try changed.disk
        let error = #expect(throws: LogError.self) {
          try LogWriter(SmallLog.path, options: LogOptions(), disk: disk)
        }
        #expect(error?.code == .damaged && error?.path.hasSuffix(log.last) == true)
        #expect(SmallLog.files(on: disk)[log.last] == changed.files[log.last])
        #expect(try changed.damage() != nil)
      }
    }
  }

  @Test("R3: zeros after the last frame are a tail")
  func zeros() throws {
    for count in [1, 8, 128, 4_096] {
      var longer = log
      longer.files[log.last]? += [UInt8](repeating: 0, count: count)
      #expect(try longer.reader().tail?.byteCount == UInt64(count))
      #expect(try longer.writer().recovered?.byteCount == UInt64(count))
    }
  }

  @Test("R4: a damaged chunk stops a strict reader of its column alone")
  func chunk() throws {
    let entry = try #require(frames[0].entry(.time))
    var damaged = log
    damaged.files[log.segments[0]]?[Int(frames[0].offset) + Int(entry.offset)] ^= 1
    let reader = try damaged.reader()
    #expect(throws: LogError.self) { try reader.forEachBatch([.time]) { _ in } }
    var rows = 0
    try reader.forEachBatch([.unit]) { rows += $0.count }
    #expect(rows == log.events.count)
  }

  @Test("R5: a missing segment is refused with its events, an overlap too")
  func gap() throws {
    var missing = log
    missing.files[log.segments[0]] = nil
    let base = try log.reader().segments[1].basePosition
    let error = #expect(throws: LogError.self) { try missing.reader() }
    #expect(error?.message.contains("the events 0 to \(base - 1) are missing") == true)
    var doubled = log
    doubled.files[SegmentHeader.fileName(basePosition: 1)] = log.files[log.segments[0]]
    #expect(throws: LogError.self) { try doubled.reader() }
  }

  @Test("R6: frames take precedence over a HEAD that records less, and the writer corrects it")
  func staleHead() throws {
    var stale = log
    let id = try #require(try log.reader().id)
    stale.files["HEAD.0"] = LogHead(log: id, durable: 3, sequence: 1).bytes
    stale.files["HEAD.1"] = nil
    #expect(try stale.reader().allEvents() == log.events)
    let disk = try stale.disk
    #expect(try LogWriter(SmallLog.path, options: LogOptions(), disk: disk).recovered == nil)
    let files = SmallLog.files(on: disk)
    #expect(LogHead.names.compactMap { LogHead(files[$0] ?? []) }.map(\.durable).max() == 25)
  }

  @Test(
    "R8: opening reads no chunk that is proven durable, but each chunk is verified when it is read"
  )
  func opening() throws {
    let disk = CountingDisk(try log.disk)
    let reader = try LogReader(SmallLog.path, disk: disk)
    let read = disk.bytesRead.withLock { $0 }
    for (index, name) in log.segments.enumerated() {
      let own = frames.filter { $0.segment == index }
      let meta = own.reduce(SegmentHeader.byteCount) { $0 + $1.header.metaLength + 16 }
      #expect(read[SmallLog.path + "/" + name] == meta, "\(name)")
    }
    var damaged = log
    for frame in frames {
      for entry in frame.entries where entry.storedLength > 0 {
        damaged.files = log.files
        damaged.files[log.segments[frame.segment]]?[Int(frame.offset) + Int(entry.offset)] ^= 1
        #expect(throws: LogError.self) { try damaged.reader().chunk(entry, of: frame) }
      }
    }
    #expect(try reader.allEvents() == log.events)
  }

  @Test("R9: a length is checked against the file before memory is allocated for it")
  func lengths() throws {
    var header = lastFrame.header
    header.length = UInt32.max - 7
    header.columns = 65_535
    var hostile = log
    hostile.removeHead()
    hostile.files[log.last]?.replaceSubrange(
      Int(lastFrame.offset)..<Int(lastFrame.offset) + 128, with: header.bytes)
    let disk = CountingDisk(try hostile.disk)
    let reader = try LogReader(SmallLog.path, disk: disk)
    #expect(reader.tail?.offset == lastFrame.offset)
    #expect(disk.bytesRead.withLock { $0.values.max() ?? 0 } < 4 << 20)
  }

  @Test("R10: recovering again changes nothing")
  func again() throws {
    var torn = log
    torn.removeHead()
    torn.files[log.last]?.removeLast(11)
    let disk = try torn.disk
    #expect(try LogWriter(SmallLog.path, options: LogOptions(), disk: disk).recovered != nil)
    let files = SmallLog.files(on: disk)
    #expect(try LogWriter(SmallLog.path, options: LogOptions(), disk: disk).recovered == nil)
    #expect(SmallLog.files(on: disk) == files)
    #expect(try LogReader(SmallLog.path, disk: disk).allEvents() == Array(log.events.prefix(20)))
  }
}
