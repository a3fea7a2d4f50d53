import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("Sectors lost")
struct CorruptionSectorTests {
  /// A log of one segment that grows with incompressible texts, so that it is big and soon made.
  private static func log(byteCount: Int) throws -> (disk: MemoryDisk, frames: Int) {
    let disk = MemoryDisk()
    var random = SeededGenerator(seed: 8)
    var options = LogOptions(profile: .fast, segmentByteCount: 1 << 30, seed: 1)
    options.frameRowCount = byteCount > 8 << 20 ? 1_000 : 100
    let writer = try LogWriter("log", options: options, disk: disk)
    var record = EventRecord()
    for number in 0..<byteCount / 2_100 {
      record.reset(kind: .conversion, time: Timestamp(microseconds: Int64(number)))
      record[.unit] = record.add("u\(number % 50)")
      record[.goal] = record.add("g")
      record.revenue = Double(number)
      let text = (0..<256).map { _ in String(random.next() | 1 << 60, radix: 36) }.joined()
      record[.unknown] = record.add("\"x\":\"\(text.prefix(2_600))\"")
      try writer.append(record)
    }
    try writer.commit()
    return (disk, try LogReader("log", disk: disk).frames.count)
  }

  @Test("are found, with file and place, and cost no more than the chunk or frame that was hit")
  func zeroed() throws {
    let (disk, frameCount) = try Self.log(byteCount: isLongTest ? 8 << 20 : 2 << 20)
    let file = "log/" + SegmentHeader.fileName(basePosition: 0)
    let whole = try #require(disk.files[file])
    let log = try LogReader("log", disk: disk)
    #expect(frameCount > 9)
    for size in [512, 4_096] {
      let step = size * (isLongTest ? 1 : 37 * 512 / size * 2 + 1)
      for start in stride(from: 0, to: whole.count, by: step) {
        let sector = start..<min(start + size, whole.count)
        let zeros = [UInt8](repeating: 0, count: sector.count)
        guard !whole[sector].elementsEqual(zeros) else { continue }
        disk.files[file]?.replaceSubrange(sector, with: zeros)
        try check(disk, sector, log)
        disk.files[file]?.replaceSubrange(sector, with: whole[sector])
      }
    }
    #expect(disk.files[file] == whole)
  }

  private func check(_ disk: MemoryDisk, _ sector: Range<Int>, _ whole: LogReader) throws {
    let bytes = { (offset: UInt64, end: UInt64) in Int(offset)..<Int(end) }
    let hit = whole.frames.filter { bytes($0.offset, $0.endOffset).overlaps(sector) }
    do {
      let log = try LogReader("log", disk: disk)
      guard log.tail == nil else {
        // Only the last frames, which nothing behind them says were durable, may look cut off.
        #expect(log.eventCount == hit.first?.basePosition, "\(sector)")
        return
      }
      var named = 0
      for frame in hit {
        let file = log.segments[0].file
        var checked = CheckedBytes(file, limit: frame.endOffset)
        let problems = try FrameCheck(file: file, frame: frame).problems(&checked)
        for problem in problems {
          #expect(bytes(frame.offset, frame.endOffset).contains(Int(problem.offset)))
          named += 1
        }
      }
      #expect(named > 0, "\(sector)")
      // What was not hit is read as before.
      if let other = log.frames.first(where: { $0.basePosition > (hit.last?.basePosition ?? 0) }) {
        let check = FrameCheck(file: log.segments[0].file, frame: other)
        #expect(try check.isWhole())
      }
    } catch {
      #expect(error.code == .damaged || sector.lowerBound < SegmentHeader.byteCount)
      #expect(error.path == whole.segments[0].path)
      let place = error.offset.map { Int($0) } ?? 0
      #expect(hit.contains { bytes($0.offset, $0.endOffset).contains(place) } || place == 0)
    }
  }

  @Test("verify names every chunk that lost a sector, and the events of the other frames are read")
  func verified() throws {
    let (disk, _) = try Self.log(byteCount: 1 << 20)
    let file = "log/" + SegmentHeader.fileName(basePosition: 0)
    let whole = try #require(disk.files[file])
    let log = try LogReader("log", disk: disk)
    for frame in log.frames where frame.rows > 0 {
      for entry in frame.entries where entry.column.vocabulary == nil && entry.storedLength > 0 {
        let start = Int(frame.offset) + Int(entry.offset)
        let hit = start..<start + min(512, Int(entry.storedLength))
        let changed = whole[hit].map { ~$0 }
        disk.files[file]?.replaceSubrange(hit, with: changed)
        let damaged = try LogReader("log", disk: disk)
        let problems = try damaged.verify().problems
        #expect(problems.map(\.offset) == [UInt64(start)])
        #expect(problems.first?.reason.contains(entry.column.name) == true)
        #expect(problems.first?.path == file)
        var seen: UInt64 = 0
        if frame.basePosition > 0 {
          try damaged.forEachEvent(in: 0..<frame.basePosition) { _, _ in seen += 1 }
        }
        try damaged.forEachEvent(in: frame.endPosition..<UInt64.max) { _, _ in seen += 1 }
        #expect(seen == log.eventCount - UInt64(frame.rows))
        disk.files[file]?.replaceSubrange(hit, with: whole[hit])
      }
    }
  }
}
