import Events
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EventLog

/// The real file system, but writing or syncing fails at a given call.
private final class FailingDisk: WrappingDisk {
  enum Failing { case writes, syncs }

  let real = SystemDisk()
  private let failing: Failing
  private let calls: CallCounter

  init(_ failing: Failing, atCall call: Int) {
    self.failing = failing
    calls = CallCounter(failAt: call)
  }

  func wrap(_ file: any DiskFile) -> any DiskFile { FailingFile(file, failing, calls) }
}

/// Counts calls; says when the one comes that fails.
private final class CallCounter: Sendable {
  private let count = Atomic<Int>(0)
  private let failAt: Int
  init(failAt: Int) { self.failAt = failAt }
  func isFailing() -> Bool {
    count.add(1, ordering: .relaxed).newValue == failAt
  }
}

private final class FailingFile: WrappingFile {
  let real: any DiskFile
  private let failing: FailingDisk.Failing
  private let calls: CallCounter

  init(_ real: any DiskFile, _ failing: FailingDisk.Failing, _ calls: CallCounter) {
    (self.real, self.failing, self.calls) = (real, failing, calls)
  }

  func write(_ bytes: [UInt8], at offset: UInt64) throws(LogError) {
    // That HEAD cannot be written is no failure; see LogHeadTests.
    if failing == .writes, !path.contains("/HEAD."), calls.isFailing() {
      try real.write(Array(bytes.prefix(bytes.count / 2)), at: offset)
      throw LogError(.inputOutput, "No space left on device", path: path)
    }
    try real.write(bytes, at: offset)
  }
  func sync() throws(LogError) {
    if failing == .syncs, calls.isFailing() {
      throw LogError(.inputOutput, "Input/output error", path: path)
    }
    try real.sync()
  }
}

@Suite("When writing fails")
struct LogWriterFailureTests {
  @Test(
    "everything committed before is preserved, nothing is acknowledged after, and the writer reports why",
    arguments: 2..<9, [true, false])
  func failingCall(call: Int, atWrite: Bool) throws {
    let folder = try TemporaryFolder()
    let log = folder.path("log")
    var generator = EventGenerator(seed: UInt64(call))
    var committed: [Event] = []
    var failure: LogError?
    do {
      let disk = FailingDisk(atWrite ? .writes : .syncs, atCall: call)
      let options = LogOptions(segmentByteCount: 4_000)
      let writer = try LogWriter(log, options: options, disk: disk)
      for _ in 0..<10 {
        let batch = generator.events(10)
        do {
          try writer.append(batch)
          try writer.commit()
          committed += batch
        } catch let error as LogError {
          failure = error
          #expect(error.message.contains("events before \(committed.count) are stored"))
          break
        }
      }
      let again = #expect(throws: LogError.self) { try writer.append(generator.events(1)) }
      #expect(again?.code == .poisoned)
      #expect(throws: LogError.self) { try writer.commit() }
    }
    #expect(failure?.code == .inputOutput)
    do {
      let writer = try LogWriter(log)
      try writer.commit()
    }
    // A failed sync leaves open whether its frame is on disk; what was acknowledged must be.
    let read = try LogReader(log).allEvents()
    #expect(Array(read.prefix(committed.count)) == committed)
    #expect(read.count <= committed.count + 10)
  }

  @Test("a second writer is told who holds the log, and may write when the first is gone")
  func twoWriters() throws {
    let folder = try TemporaryFolder()
    let log = folder.path("log")
    do {
      let writer = try LogWriter(log, options: LogOptions(holder: "process 42 on host h"))
      let error = #expect(throws: LogError.self) { try LogWriter(log) }
      #expect(error?.code == .locked)
      #expect(error?.message.contains("process 42 on host h") == true)
      try writer.commit()
    }
    #expect(throws: Never.self) { try LogWriter(log) }
  }

  @Test("a folder of other files, a file, and nothing are each told apart")
  func notALog() throws {
    let folder = try TemporaryFolder()
    try Data("x".utf8).write(to: URL(fileURLWithPath: folder.path("x")))
    #expect(#expect(throws: LogError.self) { try LogReader(folder.path) }?.code == .notALog)
    #expect(#expect(throws: LogError.self) { try LogWriter(folder.path) }?.code == .notALog)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["x"])
    let file = folder.path("x")
    #expect(#expect(throws: LogError.self) { try LogReader(file) }?.code == .notALog)
    #expect(#expect(throws: LogError.self) { try LogWriter(file) }?.code == .notALog)
    let nothing = folder.path("nothing")
    #expect(#expect(throws: LogError.self) { try LogReader(nothing) }?.code == .notFound)
    let deep = folder.path("no/such/folder")
    #expect(#expect(throws: LogError.self) { try LogWriter(deep) }?.code == .cannotCreate)
  }

  @Test("a log of a newer version is refused, and the message names the version")
  func newerVersion() throws {
    let folder = try TemporaryFolder()
    let log = folder.path("log")
    _ = try LogWriter(log)
    let file = log + "/" + SegmentHeader.fileName(basePosition: 0)
    var bytes = try #require(FileManager.default.contents(atPath: file))
    bytes[8] = 2
    let crc = Checksum.crc32c(Array(bytes.prefix(60)))
    for index in 0..<4 { bytes[60 + index] = UInt8(truncatingIfNeeded: crc >> UInt32(8 * index)) }
    try bytes.write(to: URL(fileURLWithPath: file))
    let error = #expect(throws: LogError.self) { try LogReader(log) }
    #expect(error?.code == .newerVersion)
    #expect(error?.message.contains("format 2.0") == true)
    #expect(throws: LogError.self) { try LogWriter(log) }
  }
}
