import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("Segments that overlap, or begin out of range")
struct SegmentBoundsTests {
  private let whole: SmallLog
  private let parted: SmallLog

  /// The same log in one segment and in several.
  init() throws {
    var generator = EventGenerator(seed: 3)
    let batches = (0..<8).map { _ in generator.events(5) }
    whole = try SmallLog(batches)
    parted = try SmallLog(batches, segmentByteCount: 4_000)
    try #require(parted.segments.count > 2)
  }

  @Test("damage after the start of the next segment is skipped")
  func damageInOverlap() throws {
    var log = whole
    let next = parted.segments[1]
    log.files[next] = parted.files[next]
    let base = try #require(SegmentHeader.basePosition(fileName: next))
    let frames = try whole.reader().frames
    let damaged = try #require(frames.first { $0.basePosition > base })
    log.files[log.segments[0]]?[Int(damaged.offset) + 8] ^= 1

    #expect(throws: LogError.self) { try log.reader() }
    let reader = try log.reader(.skip)
    for (position, event) in try reader.eventsByPosition() {
      #expect(event == log.events[Int(position)])
    }
    #expect(reader.lostPositions.contains(damaged.basePosition))
  }

  @Test("a segment that begins beyond the position limit is damaged, and no sum overflows")
  func farSegment() throws {
    let id = try #require(whole.reader().id)
    for base in [LogPosition.limit + 1, UInt64(Int64.max) + 1, .max] {
      var log = whole
      let header = SegmentHeader(basePosition: base, log: id, salt: 7)
      log.files[SegmentHeader.fileName(basePosition: base)] = header.bytes + [1, 2, 3, 4]
      #expect(throws: LogError.self) { try log.reader() }
      let reader = try log.reader(.skip)
      #expect(try reader.allEvents() == log.events)
      #expect(reader.eventCount == UInt64(log.events.count))
      #expect(reader.lostEventCount == 0)
    }
  }
}
