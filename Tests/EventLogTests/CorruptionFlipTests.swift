import Events
import Foundation
import TestSupport
import Testing

@testable import EventLog

let isLongTest = LongTests.areWanted

@Suite("Flipped bits")
struct CorruptionFlipTests {
  @Test("the damaged test log has every encoding, vocabulary and form of storage")
  func coverage() throws {
    let (disk, events) = try EveryEncodingLog.make()
    let log = try LogReader(EveryEncodingLog.path, disk: disk)
    #expect(try log.allEvents() == events)
    let usage = log.columnUsage()
    let encodings = Set(usage.map(\.encoding))
    for encoding in ColumnEncoding.allCases {
      #expect(encodings.contains(encoding.name), "\(encoding) does not occur")
    }
    for vocabulary in Vocabulary.allCases {
      #expect(log.nameCount(vocabulary) > 0, "\(vocabulary) has no name")
    }
    #expect(usage.contains { $0.deflated > 0 })
    #expect(usage.contains { $0.deflated < $0.chunks })
    #expect(log.frames.contains { $0.entries.contains { $0.hasGaps } })
    #expect(usage.contains { $0.column.hasSuffix("-literals") })
    #expect(log.segments.count >= 2 && log.frameCount == 4)
    #expect(log.byteCount < 40_000, "small enough to flip every bit")
  }

  /// In a sample, a prime step takes every bit of a byte and every part of the log in turn. The parts are
  /// for the processors to share.
  @Test("are detected, whichever bit it is, and no wrong event is returned", arguments: 0..<8)
  func everyBit(part: Int) throws {
    let (disk, events) = try EveryEncodingLog.make()
    let whole = disk.files
    var flips = 0
    for file in EveryEncodingLog.segments(of: disk) {
      let bytes = try #require(whole[file])
      let step = 8 * (isLongTest ? 1 : 211)
      for bit in stride(from: part * step / 8, to: bytes.count * 8, by: step) {
        disk.files[file]?[bit / 8] ^= 1 << UInt8(bit % 8)
        do {
          let verdict = try LogVerdict.of(disk, events: events)
          #expect(verdict == .found, "bit \(bit) of \(file)")
        } catch {
          Issue.record("bit \(bit) of \(file): \(error)")
        }
        disk.files[file] = bytes
        flips += 1
      }
    }
    #expect(flips > (isLongTest ? 12_000 : 60))
    #expect(try LogVerdict.of(disk, events: events) == .unchanged)
  }

  @Test("a byte changed to any other value outside of chunks is detected")
  func everyHeaderValue() throws {
    let (disk, events) = try EveryEncodingLog.make()
    let file = try #require(EveryEncodingLog.segments(of: disk).first)
    let bytes = try #require(disk.files[file])
    let log = try LogReader(EveryEncodingLog.path, disk: disk)
    let frame = try #require(log.frames.first)
    let places = Array(0..<SegmentHeader.byteCount + 128) + Array(frame.header.trailerBytes)
    for place in places {
      for change in stride(from: UInt8(1), through: 255, by: isLongTest ? 1 : 83) {
        disk.files[file]?[place] ^= change
        #expect(try LogVerdict.of(disk, events: events) == .found, "byte \(place)")
        disk.files[file] = bytes
      }
    }
  }

  @Test(
    "take no more memory than reading the log, and at most 64 MB",
    .enabled(if: isLongTest))
  func memory() async {
    await #expect(processExitsWith: .success) {
      let (disk, events) = try EveryEncodingLog.make()
      _ = try LogVerdict.of(disk, events: events)
      let before = peakMemory()
      for file in EveryEncodingLog.segments(of: disk) {
        let bytes = disk.files[file] ?? []
        for bit in stride(from: 0, to: bytes.count * 8, by: 23) {
          disk.files[file]?[bit / 8] ^= 1 << UInt8(bit % 8)
          _ = try? LogVerdict.of(disk, events: events)
          disk.files[file] = bytes
        }
      }
      try FuzzTarget.require(peakMemory() - before < 64 << 20, "more than 64 MB")
    }
  }
}

/// The most memory that this process ever had, in bytes. It says something of a test only in a process of
/// its own.
func peakMemory() -> Int {
  var usage = rusage()
  // Safety: getrusage fills the structure that it is given, and keeps no pointer.
  _ = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  return Int(usage.ru_maxrss) * 1_024
}

extension FrameHeader {
  /// Where the trailer of a segment's first frame stands in the file.
  var trailerBytes: Range<Int> {
    let end = SegmentHeader.byteCount + Int(length)
    return end - Self.trailerByteCount..<end
  }
}
