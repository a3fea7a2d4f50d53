import Events
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EventLog

/// The real file system, with a record of what was made durable, and a view of sizes as they once were.
private final class TracingDisk: WrappingDisk {
  struct State {
    var calls: [String] = []
    /// What every file's size is said to be.
    var size: UInt64?
  }

  let state = Mutex(State())
  let real = SystemDisk()

  var calls: [String] { state.withLock { $0.calls } }

  func wrap(_ file: any DiskFile) -> any DiskFile { TracingFile(file, self) }
  func syncFolder(_ path: String) throws(LogError) {
    state.withLock { $0.calls.append("syncFolder " + path) }
    try real.syncFolder(path)
  }
}

private final class TracingFile: WrappingFile {
  let real: any DiskFile
  private let disk: TracingDisk

  init(_ real: any DiskFile, _ disk: TracingDisk) { (self.real, self.disk) = (real, disk) }

  func size() throws(LogError) -> UInt64 {
    if let size = disk.state.withLock({ $0.size }) { return size }
    return try real.size()
  }
  func read(at offset: UInt64, count: Int) throws(LogError) -> [UInt8] {
    guard let size = disk.state.withLock({ $0.size }), offset < size else {
      return try real.read(at: offset, count: count)
    }
    return try real.read(at: offset, count: min(count, Int(size - offset)))
  }
  func sync() throws(LogError) {
    disk.state.withLock { $0.calls.append("sync") }
    try real.sync()
  }
}

@Suite("Durability")
struct LogDurabilityTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("data that a killed writer left in the page cache is synced before it counts as durable")
  func killedBeforeSync() throws {
    var generator = EventGenerator(seed: 1)
    do {
      let writer = try LogWriter(log)
      // A full frame is written, and two others are being encoded; nothing is committed.
      for _ in 0..<42 { try writer.append(generator.events(5_000)) }
    }
    let disk = TracingDisk()
    let writer = try LogWriter(log, options: LogOptions(), disk: disk)
    #expect(try writer.commit() == 65_536)
    #expect(disk.calls.contains("sync"))
    #expect(disk.calls.contains("syncFolder " + log))
  }

  @Test("the name of an existing folder is made durable too")
  func readyMadeFolder() throws {
    try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: false)
    let disk = TracingDisk()
    _ = try LogWriter(log, options: LogOptions(), disk: disk)
    #expect(disk.calls.contains("syncFolder " + folder.path))
  }

  @Test(
    "a reader that saw half a frame does not take what was committed since for a sign of damage")
  func halfAFrame() throws {
    var generator = EventGenerator(seed: 1)
    let writer = try LogWriter(log)
    var ends: [UInt64] = []
    for _ in 0..<3 {
      try writer.append(generator.events(3))
      try writer.commit()
      ends.append(try LogReader(log).byteCount)
    }
    // HEAD is read before the size, so this reader saw it as it was before.
    for name in LogHead.names { try FileManager.default.removeItem(atPath: log + "/" + name) }
    let disk = TracingDisk()
    disk.state.withLock { $0.size = ends[0] + 100 }
    let reader = try LogReader(log, disk: disk)
    #expect(reader.eventCount == 3)
    #expect(reader.tail?.byteCount == 100)
  }
}
