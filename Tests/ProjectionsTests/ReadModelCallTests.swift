import EventLog
import Events
import Foundation
import Platform
import Replay
import TestSupport
import Testing
import Threads

@testable import Projections

/// A replay that is killed, or whose disk fails, at any call by which SQLite changes a file: what a report says right
/// after is what was true before the replay or what is true after it.
@Suite("Read models whose replay ends at any call")
struct ReadModelCallTests {
  /// A log and databases of it: before a replay, and after.
  private struct World {
    let log: GrowingLog
    let folder: TemporaryFolder
    /// The report before the replay; nil where there is none yet.
    let before: [UInt8]?
    let after: [UInt8]

    var model: ReadModel { ReadModel(folder.path("model")) }
    var start: String { folder.path("start") }

    init(_ kind: String) throws {
      var random = SeededGenerator(seed: 7)
      log = try GrowingLog()
      folder = try TemporaryFolder()
      try log.append(UnitWorld.events(&random, count: 150, units: 40))
      let old = ReadModel(folder.path("start"))
      if kind != "made" {
        try log.update(old)
        before = try old.report()
        try log.append(UnitWorld.events(&random, count: 40, units: 40))
        if kind == "anew" {
          try log.rewrite { _ = try $0.erase(Erasure(units: ["u1"])) }
        }
      } else {
        before = nil
      }
      after = try log.report()
    }

    /// Puts the database back to where it was before the replay.
    func reset() throws {
      try ReadModelCallTests.remove(model.path)
      try ReadModelCallTests.copy(start, to: model.path)
    }

    func replay() throws { _ = try model.update(from: LogReplay(try log.reader(), jobs: 1)) }
  }

  private static let kinds = ["made", "appended", "anew"]

  private static func suffixes(_ path: String) -> [String] {
    ["", "-wal", "-journal"].filter { FileManager.default.fileExists(atPath: path + $0) }
  }

  private static func copy(_ path: String, to target: String) throws {
    for suffix in suffixes(path) {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: target + suffix)
    }
  }

  private static func remove(_ path: String) throws {
    for suffix in suffixes(path) { try FileManager.default.removeItem(atPath: path + suffix) }
    try? FileManager.default.removeItem(atPath: path + "-shm")
  }

  /// What a report of the database says; nil when there is nothing in it yet.
  private static func report(_ model: ReadModel) throws -> [UInt8]? {
    do {
      return try model.report()
    } catch let error as ProjectionError where error.code == .notFound {
      return nil
    }
  }

  @Test("killed before any call, the database simply opens", arguments: kinds)
  func killed(kind: String) throws {
    let world = try World(kind)
    try world.reset()
    let count = Monitor(0)
    let copies = try TemporaryFolder()
    let (path, crash) = (world.model.path, copies.path("crash-"))
    try WatchedCalls.watching(path) { _, _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      try Self.copy(path, to: crash + "\(number)")
      return nil
    } _: {
      try world.replay()
    }
    let calls = count.withLock { $0 }
    #expect(calls > 20)
    #expect(try Self.report(world.model) == world.after)
    var seen: Set<Bool> = []
    for number in 1...calls {
      let crashed = ReadModel(crash + "\(number)")
      guard FileManager.default.fileExists(atPath: crashed.path) else { continue }
      let report = try Self.report(crashed)
      #expect(report == world.before || report == world.after, "call \(number)")
      seen.insert(report == world.after)
      _ = try crashed.update(from: LogReplay(try world.log.reader(), jobs: 1))
      #expect(try crashed.report() == world.after, "call \(number)")
      #expect(Self.suffixes(crashed.path) == [""], "call \(number)")
    }
    #expect(seen.contains(false))
  }

  @Test(
    "when the disk is full from any call on, the replay fails and leaves all or nothing",
    .enabled(if: SlowTests.areWanted, "make test SLOW=1 runs it"),
    arguments: kinds, [ENOSPC, EIO])
  func fullDisk(kind: String, number: Int32) throws {
    let world = try World(kind)
    var isDone = false
    var failures = 0
    var first = 1
    while !isDone {
      try world.reset()
      let count = Monitor(0)
      let start = first
      do {
        try WatchedCalls.watching(world.model.path) { call, _ in
          // Making room is possible on a full disk; and without a page of shared memory nobody can say anything.
          if call == "unlink" || call == "ftruncate" { return nil }
          let place = count.withLock { count in
            count += 1
            return count
          }
          return place >= start ? number : nil
        } _: {
          try world.replay()
        }
        isDone = count.withLock { $0 } < start
        #expect(isDone, "call \(start) failed, and the replay says it is done")
      } catch let error as ProjectionError {
        failures += 1
        #expect(error.code == .inputOutput, "call \(start): \(error)")
      }
      let full = try WatchedCalls.watching(world.model.path) { call, _ in
        call.hasSuffix("write") ? number : nil
      } _: {
        try Self.report(world.model)
      }
      let report = try Self.report(world.model)
      #expect(report == full, "call \(start), while the disk is full")
      #expect(report == world.before || report == world.after, "call \(start)")
      try world.replay()
      #expect(try world.model.report() == world.after, "call \(start)")
      #expect(Self.suffixes(world.model.path) == [""], "call \(start)")
      // One sort of error is tried at every call, the other now and then.
      first += number == ENOSPC ? 1 : 5
    }
    #expect(failures > (number == ENOSPC ? 10 : 5))
  }

  @Test("without write permission, a copy of the database of a killed replay is read")
  func copied() throws {
    let world = try World("made")
    let count = Monitor(0)
    let copies = try TemporaryFolder()
    let (path, crash) = (world.model.path, copies.path("crash-"))
    try WatchedCalls.watching(path) { _, _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number % 7 == 0 { try Self.copy(path, to: crash + "\(number)") }
      return nil
    } _: {
      try world.replay()
    }
    for number in stride(from: 7, to: count.withLock { $0 }, by: 7) {
      let crashed = ReadModel(crash + "\(number)")
      guard FileManager.default.fileExists(atPath: crashed.path) else { continue }
      let files = try Self.suffixes(crashed.path).map {
        try Data(contentsOf: URL(fileURLWithPath: crashed.path + $0))
      }
      // Every change in the folder fails, as it would if nothing there could be written.
      let report = try WatchedCalls.watching(copies.path("")) { _, _ in
        EROFS
      } _: {
        try Self.report(crashed)
      }
      #expect(report == nil || report == world.after, "call \(number)")
      #expect(
        try Self.suffixes(crashed.path).map {
          try Data(contentsOf: URL(fileURLWithPath: crashed.path + $0))
        } == files, "call \(number)")
    }
  }

  @Test(
    "a database that is made anew by force keeps its permissions, and the old one until it is whole"
  )
  func forced() throws {
    let world = try World("made")
    let path = world.model.path
    try Data(repeating: UInt8(ascii: "x"), count: 5_000).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    let old = try Data(contentsOf: URL(fileURLWithPath: path))
    let replay = LogReplay(try world.log.reader(), jobs: 1)
    #expect(throws: ProjectionError.self) {
      try WatchedCalls.watching(path + "-new") { call, _ in
        call == "unlink" ? nil : ENOSPC
      } _: {
        _ = try world.model.update(from: replay, force: true)
      }
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == old)
    #expect(try FileManager.default.contentsOfDirectory(atPath: world.folder.path) == ["model"])
    _ = try world.model.update(from: replay, force: true)
    #expect(try world.model.report() == world.after)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect((mode as? NSNumber)?.intValue == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: world.folder.path) == ["model"])
  }
}
