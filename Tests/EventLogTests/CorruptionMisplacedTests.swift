import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("Frames and files in the wrong place")
struct CorruptionMisplacedTests {
  /// A log of frames of the same length, told apart by the revenue of their events.
  private static func log(
    seed: UInt64, path: String = "log", on disk: MemoryDisk = MemoryDisk()
  ) throws -> (disk: MemoryDisk, events: [Event]) {
    var events: [Event] = []
    let options = LogOptions(segmentByteCount: 2_000, seed: seed)
    let writer = try LogWriter(path, options: options, disk: disk)
    for frame in 0..<10 {
      let batch = (0..<4).map { row in
        Event(
          time: Timestamp(microseconds: Int64(frame * 4 + row)), unit: "u",
          payload: .conversion(Conversion(goal: "g", revenue: Double(frame))))
      }
      try writer.append(batch)
      try writer.commit()
      events += batch
    }
    return (disk, events)
  }

  private struct Place: Hashable {
    var file: String
    var range: Range<Int>
  }

  private static func frames(_ disk: MemoryDisk, _ path: String = "log") throws -> [Place] {
    let log = try LogReader(path, disk: disk)
    return log.frames.map {
      Place(file: log.segments[$0.segment].path, range: Int($0.offset)..<Int($0.endOffset))
    }
  }

  private static func bytes(_ place: Place, on disk: MemoryDisk) -> [UInt8] {
    Array(disk.files[place.file]?[place.range] ?? [])
  }

  @Test("a frame copied over another, from the log itself or from another one, is refused")
  func copied() throws {
    let (disk, events) = try Self.log(seed: 1)
    _ = try Self.log(seed: 2, path: "other", on: disk)
    let whole = disk.files
    let places = try Self.frames(disk)
    #expect(Set(places.map(\.file)).count >= 3)
    var cases = 0
    for target in places {
      for source in try places + Self.frames(disk, "other") where source != target {
        guard source.range.count == target.range.count else { continue }
        let copy = Self.bytes(source, on: disk)
        disk.files[target.file]?.replaceSubrange(target.range, with: copy)
        #expect(try LogVerdict.of(disk, events: events) == .found, "\(source) over \(target)")
        disk.files = whole
        cases += 1
      }
    }
    #expect(cases > 100)
  }

  @Test("two frames that changed places are refused")
  func swapped() throws {
    let (disk, events) = try Self.log(seed: 1)
    let whole = disk.files
    let places = try Self.frames(disk)
    var cases = 0
    for (index, one) in places.enumerated() {
      for other in places[..<index] where one.range.count == other.range.count {
        let (first, second) = (Self.bytes(one, on: disk), Self.bytes(other, on: disk))
        disk.files[one.file]?.replaceSubrange(one.range, with: second)
        disk.files[other.file]?.replaceSubrange(other.range, with: first)
        #expect(try LogVerdict.of(disk, events: events) == .found, "\(one) and \(other)")
        disk.files = whole
        cases += 1
      }
    }
    #expect(cases > 20)
  }

  @Test("a frame that stands there twice, or is cut out, is refused")
  func repeatedAndRemoved() throws {
    let (disk, events) = try Self.log(seed: 1)
    let whole = disk.files
    for place in try Self.frames(disk).dropLast() {
      let frame = Self.bytes(place, on: disk)
      disk.files[place.file]?.insert(contentsOf: frame, at: place.range.upperBound)
      #expect(try LogVerdict.of(disk, events: events) == .found, "\(place) twice")
      disk.files = whole
      let isLast = try Self.frames(disk).filter { $0.file == place.file }.last == place
      disk.files[place.file]?.removeSubrange(place.range)
      // The last frame of a last segment leaves no trace; here the log's last one is a seal without events.
      #expect(try LogVerdict.of(disk, events: events) == .found || isLast, "without \(place)")
      disk.files = whole
    }
  }

  @Test("whole frames of an older segment, or of another log, behind the end are never replayed")
  func staleTail() throws {
    let (disk, events) = try Self.log(seed: 1)
    _ = try Self.log(seed: 2, path: "other", on: disk)
    let whole = disk.files
    let last = try #require(EveryEncodingLog.segments(of: disk).last { $0.hasPrefix("log/") })
    for stale in try Self.frames(disk) + Self.frames(disk, "other") {
      let junk = Self.bytes(stale, on: disk)
      disk.files[last]?.append(contentsOf: junk)
      let log = try LogReader("log", disk: disk)
      #expect(log.tail?.byteCount == UInt64(junk.count))
      #expect(try log.allEvents() == events)
      do {
        let writer = try LogWriter("log", options: LogOptions(seed: 3), disk: disk)
        #expect(writer.recovered?.byteCount == UInt64(junk.count))
        #expect(writer.nextPosition == UInt64(events.count))
      }
      #expect(try LogReader("log", disk: disk).allEvents() == events)
      disk.files = whole
    }
  }

  @Test("a segment that is missing, has another's name, or is there twice is found out")
  func segments() throws {
    let (disk, events) = try Self.log(seed: 1)
    let whole = disk.files
    let files = EveryEncodingLog.segments(of: disk)
    for (index, file) in files.enumerated() {
      if index < files.count - 1 {
        disk.files[file] = nil
        #expect(try LogVerdict.of(disk, events: events) == .found, "without \(file)")
        disk.files = whole
      }
      for base in [UInt64(1), 7, 39, 1_000, .max] {
        let name = "log/" + SegmentHeader.fileName(basePosition: base)
        disk.files[name] = whole[file]
        #expect(try LogVerdict.of(disk, events: events) == .found, "\(file) also as \(name)")
        disk.files[file] = nil
        #expect(try LogVerdict.of(disk, events: events) == .found, "\(file) as \(name)")
        disk.files = whole
      }
      for other in files where other != file {
        disk.files[file] = whole[other]
        #expect(try LogVerdict.of(disk, events: events) == .found, "\(other) as \(file)")
        disk.files = whole
      }
    }
  }
}
