import Events
import Foundation
import TestSupport
import Testing

@testable import EventLog

/// The real file system, but one write fails.
private final class FailingDisk: WrappingDisk, @unchecked Sendable {
  let real = SystemDisk()
  private var writesLeft: Int

  init(failingAt write: Int) { writesLeft = write }

  func wrap(_ file: any DiskFile) -> any DiskFile { FailingFile(real: file, disk: self) }

  func isFailing() -> Bool {
    writesLeft -= 1
    return writesLeft == 0
  }
}

private final class FailingFile: WrappingFile {
  let real: any DiskFile
  private let disk: FailingDisk

  init(real: any DiskFile, disk: FailingDisk) { (self.real, self.disk) = (real, disk) }

  func write(_ bytes: [UInt8], at offset: UInt64) throws(LogError) {
    guard path.contains("/HEAD.") || !disk.isFailing() else {
      throw LogError(.inputOutput, "No space left on device", path: path)
    }
    try real.write(bytes, at: offset)
  }
}

@Suite("Frames that are encoded ahead")
struct FrameAheadTests {
  private static let rowCount = 4_096

  private func records(_ seed: UInt64, _ count: Int) throws -> [EventRecord] {
    var generator = EventGenerator(seed: seed)
    return try generator.events(count).map { event in
      var record = EventRecord()
      try record.load(event)
      return record
    }
  }

  private func options(_ seed: UInt64) -> LogOptions {
    var options = LogOptions(seed: seed)
    options.frameRowCount = Self.rowCount
    return options
  }

  /// The bytes of a log's only segment: its header, and frames that are encoded one after the other.
  private func twin(
    _ records: [EventRecord], _ header: SegmentHeader, _ folder: String
  ) throws -> [UInt8] {
    var (names, batch) = (NameRegister(units: UnitRegister(path: folder)), BatchBuilder())
    var (bytes, previous, latest, position) = (header.bytes, header.crc, Int64.min, UInt64(0))
    for first in stride(from: 0, to: records.count, by: Self.rowCount) {
      for record in records[first..<min(first + Self.rowCount, records.count)] {
        try batch.append(record, names: &names)
      }
      batch.finish()
      let (frame, check) = FrameWriter.frame(
        of: batch.columns, names: names.unpublished,
        place: FrameWriter.Place(
          basePosition: position, durable: 0, salt: header.salt, previous: previous,
          latestBefore: latest), profile: header.profile ?? .balanced)
      bytes += frame
      previous = check
      latest = max(latest, batch.columns.latest)
      position += UInt64(batch.count)
      names.publishAll()
      batch.removeAll()
    }
    return bytes
  }

  @Test(
    "have the bytes of frames encoded one after the other", arguments: UInt64(1)...4,
    [1, 4_096, 4_097, 17_000])
  func sameBytes(seed: UInt64, count: Int) throws {
    let folder = try TemporaryFolder()
    let records = try records(seed, count)
    let writer = try LogWriter(folder.path("log"), options: options(seed))
    for first in stride(from: 0, to: count, by: 700) {
      let indices = Array(first..<min(first + 700, count))
      try writer.append(parsed: records, at: indices)
      #expect(writer.nextPosition == UInt64(first + indices.count))
    }
    try writer.commit()
    let segment = folder.path("log/" + SegmentHeader.fileName(basePosition: 0))
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: segment)))
    let expected = try twin(records, SegmentHeader(bytes), folder.path)
    #expect(bytes == expected, "seed \(seed)")
    #expect(try LogReader(folder.path("log")).allEvents().count == count)
  }

  @Test(
    "a failing write fails an append or the commit after it, and keeps what was committed",
    arguments: 3...7)
  func failing(write: Int) throws {
    let folder = try TemporaryFolder()
    let records = try records(UInt64(write), 20_000)
    do {
      let writer = try LogWriter(
        folder.path("log"), options: options(1), disk: FailingDisk(failingAt: write))
      try writer.append(parsed: records, at: Array(0..<100))
      try writer.commit()
      let error = #expect(throws: LogError.self) {
        for index in 100..<records.count { try writer.append(parsed: records, at: [index]) }
        try writer.commit()
      }
      #expect(error?.code == .inputOutput)
      #expect(throws: LogError.self) { try writer.append(parsed: records[0]) }
      #expect(throws: LogError.self) { try writer.commit() }
    }
    let count = try LogReader(folder.path("log")).eventCount
    #expect(count >= 100 && (count - 100) % UInt64(Self.rowCount) == 0)
    let writer = try LogWriter(folder.path("log"))
    for index in Int(count)..<records.count { try writer.append(parsed: records[index]) }
    try writer.commit()
    #expect(try LogReader(folder.path("log")).eventCount == UInt64(records.count))
  }

  @Test("what is only being encoded when the writer is closed is dropped, like other events in memory")
  func closing() throws {
    let folder = try TemporaryFolder()
    let records = try records(9, 9_000)
    let writer = try LogWriter(folder.path("log"), options: options(9))
    try writer.append(parsed: records, at: Array(records.indices))
    writer.close()
    #expect(writer.nextPosition == writer.durablePosition)
    #expect(try LogReader(folder.path("log")).eventCount == 0)
  }
}
