import Events
import Foundation
import Platform
import TestSupport
import Testing

@testable import EventLog

@Suite("A log that others move, replace or link under its writer")
struct LogPlaceTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }
  private var files: FileManager { .default }

  init() throws { folder = try TemporaryFolder() }

  private func event(_ number: Int) -> Event {
    Event(
      time: Timestamp(microseconds: Int64(number)), unit: UnitID("u\(number)"),
      payload: .goal(Goal(experiment: "e", goal: "g")))
  }

  private func units() throws -> [String] {
    try LogReader(log).allEvents().map(\.unit.rawValue)
  }

  @Test(
    "a writer whose lock was deleted acknowledges nothing, and leaves the next writer's events alone"
  )
  func deletedLock() throws {
    let first = try LogWriter(log)
    try first.append([event(1)])
    try first.commit()
    try first.append([event(2)])
    try files.removeItem(atPath: log + "/LOCK")
    let second = try LogWriter(log)
    for number in 3..<6 { try second.append([event(number)]) }
    try second.commit()
    let error = #expect(throws: LogError.self) { try first.commit() }
    #expect(error?.code == .locked)
    #expect(throws: LogError.self) { try first.append([event(7)]) }
    try second.append([event(6)])
    try second.commit()
    #expect(try units() == ["u1", "u3", "u4", "u5", "u6"])
  }

  @Test("a folder that was moved gets no event, and a new one at its path no file")
  func movedFolder() throws {
    let writer = try LogWriter(log)
    try writer.append([event(1)])
    try writer.commit()
    try files.moveItem(atPath: log, toPath: log + "-moved")
    try files.createDirectory(atPath: log, withIntermediateDirectories: false)
    try writer.append([event(2)])
    #expect(throws: LogError.self) { try writer.commit() }
    #expect(try files.contentsOfDirectory(atPath: log) == [])
  }

  @Test(
    "a segment that was deleted or replaced under its writer gets no acknowledged event",
    arguments: [true, false])
  func replacedSegment(isReplaced: Bool) throws {
    let writer = try LogWriter(log)
    try writer.append([event(1)])
    try writer.commit()
    let segment = log + "/" + SegmentHeader.fileName(basePosition: 0)
    let bytes = try Data(contentsOf: URL(filePath: segment))
    try files.removeItem(atPath: segment)
    if isReplaced { try bytes.write(to: URL(filePath: segment)) }
    try writer.append([event(2)])
    let error = #expect(throws: LogError.self) { try writer.commit() }
    #expect(error?.path == segment)
  }

  @Test(
    "whatever is no file or folder in a log's folder is refused with its name, without waiting",
    arguments: [
      "seg-00000000000000000000.bdl", "HEAD.0", "HEAD.1", "LOCK", "SEGMENTS", "IMPORTS",
      "SNAPSHOT", "quarantine", "notes",
    ], ["symbolic link", "pipe", "socket"])
  func strangeFiles(name: String, kind: String) throws {
    do {
      let writer = try LogWriter(log)
      try writer.append([event(1)])
      try writer.commit()
    }
    let path = log + "/" + name
    if files.fileExists(atPath: path) { try files.moveItem(atPath: path, toPath: path + "-real") }
    let other = folder.path("other")
    try Data("mine".utf8).write(to: URL(filePath: other))
    switch kind {
    case "symbolic link": try files.createSymbolicLink(atPath: path, withDestinationPath: other)
    // Safety: the calls read the path up to its terminator.
    case "pipe": #expect(unsafe mkfifo(path, 0o600) == 0)
    default: #expect(unsafe mknod(path, S_IFSOCK | 0o600, 0) == 0)
    }
    for open: () throws -> Void in [
      { _ = try LogWriter(log) }, { _ = try LogReader(log) }, { _ = try LogRewriter(log) },
      { _ = try LogRepair(log) }, { _ = try ErasureRemains.find(around: log) },
    ] {
      let error = #expect(throws: LogError.self) { try open() }
      #expect(error?.code == .notALog && error?.path == path)
      #expect(error?.message.contains("it is a \(kind)") == true)
    }
    #expect(try Data(contentsOf: URL(filePath: other)) == Data("mine".utf8))
  }

  @Test("links to a log's folder are followed")
  func linkedFolder() throws {
    try files.createDirectory(atPath: folder.path("real"), withIntermediateDirectories: false)
    try files.createSymbolicLink(atPath: log, withDestinationPath: folder.path("real"))
    let writer = try LogWriter(log)
    try writer.append([event(1)])
    try writer.commit()
    #expect(try units() == ["u1"])
  }

  // MARK: Replacing files

  @Test("what is done in a folder that is held open stays in it when another is at its path")
  func heldFolder() throws {
    try files.createDirectory(atPath: log, withIntermediateDirectories: false)
    let disk = try SystemDisk().holding(log)
    let moved = folder.path("moved")
    try files.moveItem(atPath: log, toPath: moved)
    try files.createDirectory(atPath: log, withIntermediateDirectories: false)
    try disk.create(log + "/a", like: [log]).write([1, 2, 3], at: 0)
    try disk.createFolder(log + "/quarantine", like: log)
    _ = try disk.create(log + "/quarantine/b", like: [log + "/a"])
    try disk.rename(log + "/a", to: log + "/c")
    try disk.syncFolder(log)
    let lock = try? disk.lock(log + "/LOCK", holder: "me")
    #expect(lock == nil, "the path does not lead to the lock")
    #expect(try disk.open(log + "/c", writable: true).size() == 3)
    try disk.remove(log + "/quarantine/b")
    #expect(try disk.list(log) == ["LOCK", "c", "quarantine"])
    #expect(try files.contentsOfDirectory(atPath: log) == [])
    #expect(try files.contentsOfDirectory(atPath: moved + "/quarantine") == [])
  }

  enum Displacement: CaseIterable {
    case deletedLock, replacedLock, movedFolder
  }

  private func displace(_ displacement: Displacement) throws {
    switch displacement {
    case .deletedLock: try files.removeItem(atPath: log + "/LOCK")
    case .replacedLock:
      try files.removeItem(atPath: log + "/LOCK")
      try Data().write(to: URL(filePath: log + "/LOCK"))
    case .movedFolder:
      try files.moveItem(atPath: log, toPath: log + "-moved")
      try files.createDirectory(atPath: log, withIntermediateDirectories: false)
    }
  }

  /// The files of the log, wherever its folder is now.
  private func contents() throws -> [String: Data] {
    let folder = files.fileExists(atPath: log + "-moved") ? log + "-moved" : log
    var contents: [String: Data] = [:]
    for name in try files.contentsOfDirectory(atPath: folder)
    where name != "LOCK" && !name.hasSuffix(".new") {
      contents[name] = try Data(contentsOf: URL(filePath: folder + "/" + name))
    }
    return contents
  }

  private func fill() throws {
    let writer = try LogWriter(log, options: LogOptions(segmentByteCount: 1_000, seed: 1))
    for number in 0..<400 {
      try writer.append([event(number)])
      if number % 10 == 0 { try writer.commit() }
    }
    try writer.commit()
    writer.close()
  }

  @Test("a rewrite replaces no file once its lock is another's", arguments: Displacement.allCases)
  func rewriting(displacement: Displacement) throws {
    try fill()
    for isErasing in [true, false] {
      let rewriter = try LogRewriter(log)
      let before = try contents()
      var isDisplaced = false
      let displaceOnce = { (_: UInt64) throws in
        guard !isDisplaced else { return }
        isDisplaced = true
        try displace(displacement)
      }
      #expect(throws: LogError.self) {
        if isErasing {
          _ = try rewriter.erase(Erasure(units: ["u7"]), progress: displaceOnce)
        } else {
          _ = try rewriter.compact(progress: displaceOnce)
        }
      }
      let after = try contents().filter { $0.key != "SEGMENTS" }
      #expect(after == before.filter { $0.key != "SEGMENTS" })
      if displacement == .movedFolder {
        #expect(try files.contentsOfDirectory(atPath: log) == [])
        return
      }
    }
  }

  @Test("a repair replaces no file once its lock is another's", arguments: Displacement.allCases)
  func repairing(displacement: Displacement) throws {
    try fill()
    let segments = try contents().keys.filter { $0.hasPrefix("seg-") }.sorted()
    let name = try #require(segments.dropFirst().first)
    var bytes = try Data(contentsOf: URL(filePath: log + "/" + name))
    bytes[bytes.count / 2] ^= 0xFF
    try bytes.write(to: URL(filePath: log + "/" + name))
    let repair = try LogRepair(log)
    #expect(repair.isNeeded)
    let before = try contents()
    var isDisplaced = false
    let error = #expect(throws: LogError.self) {
      try repair.run { _ in
        guard !isDisplaced else { return }
        isDisplaced = true
        try displace(displacement)
      }
    }
    #expect(error?.code == .locked)
    #expect(try contents() == before)
    if displacement == .movedFolder { #expect(try files.contentsOfDirectory(atPath: log) == []) }
  }

  @Test("a log that is written at once is not finished when its lock is another's")
  func filling() throws {
    var shard = try ShardFile(
      log, options: LogOptions(seed: 1), index: 0, of: 1, Deflater(), disk: SystemDisk())
    try shard.complete()
    try files.removeItem(atPath: log + "/LOCK")
    let error = #expect(throws: LogError.self) { try shard.finish() }
    #expect(error?.code == .locked)
    #expect(try LogFilling.isUnfinished(log))
  }
}
