import EventLog
import Events
import Foundation
import Replay
import TestSupport
import Testing
import Threads

@testable import Projections

/// What a process leaves that is killed is what others see of its files at that moment. So a copy of the files after
/// each change is each crash that there can be.
@Suite("Read models after a crash")
struct ReadModelCrashTests {
  private struct Stop: Error {}

  /// The database and what SQLite puts beside it.
  private static func files(_ path: String) -> [String] {
    ["", "-wal", "-journal"].filter { FileManager.default.fileExists(atPath: path + $0) }
  }

  private static func copy(_ path: String, to target: String) throws {
    for suffix in files(path) {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: target + suffix)
    }
  }

  @Test(
    "after a crash at any change, a second replay leaves what the first would have",
    arguments: ["made", "appended", "anew"])
  func crashes(kind: String) throws {
    var random = SeededGenerator(seed: 7)
    let log = try GrowingLog()
    try log.append(UnitWorld.events(&random, count: 900, units: 300))
    if kind != "made" {
      try log.update()
      try log.append(UnitWorld.events(&random, count: 60, units: 60))
    }
    if kind == "anew" { try log.rewrite { _ = try $0.compact(profile: .small) { _ in } } }
    let before = kind == "made" ? nil : try ModelContent(log.model)
    let folder = try TemporaryFolder()
    let start = folder.path("start")
    try Self.copy(log.model.path, to: start)

    let count = Monitor(0)
    let model = ReadModel(folder.path("model"))
    try Self.copy(start, to: model.path)
    let replay = LogReplay(try log.reader(), jobs: 1)
    let crash = folder.path("crash-")
    _ = try model.update(from: replay) {
      let number = count.withLock { count in
        count += 1
        return count
      }
      try Self.copy(model.path, to: crash + "\(number)")
    }
    let after = try ModelContent(model)
    #expect(after.differences(from: try log.freshContent()) == [])
    let crashes = count.withLock { $0 }
    #expect(crashes > 10)

    for number in 1...crashes {
      let crashed = ReadModel(folder.path("crash-\(number)"))
      // Whoever opens it first finds what was there before, all of it.
      if let before, number % 3 == 0 {
        #expect(try ModelContent(crashed).differences(from: before) == [], "crash \(number)")
      }
      let again = try crashed.update(from: replay)
      #expect(again.kind != .unchanged, "crash \(number)")
      #expect(try ModelContent(crashed).differences(from: after) == [], "crash \(number)")
      #expect(Self.files(crashed.path) == [""], "crash \(number)")
      #expect(try crashed.update(from: replay).kind == .unchanged)
    }
  }

  @Test("an error at any change leaves the database unchanged")
  func errors() throws {
    var random = SeededGenerator(seed: 8)
    let log = try GrowingLog()
    try log.append(UnitWorld.events(&random, count: 300, units: 50))
    try log.update()
    let before = try ModelContent(log.model)
    try log.append(UnitWorld.events(&random, count: 100, units: 50))
    let replay = LogReplay(try log.reader(), jobs: 2)
    var last = 0
    for stop in 1...1_000 {
      let count = Monitor(0)
      do {
        _ = try log.model.update(from: replay) {
          let isHere = count.withLock { count in
            count += 1
            return count == stop
          }
          if isHere { throw Stop() }
        }
        break
      } catch is Stop {
        last = stop
        #expect(try ModelContent(log.model).differences(from: before) == [], "change \(stop)")
        #expect(Self.files(log.model.path) == [""])
      }
    }
    #expect(last > 5)
    #expect(try ModelContent(log.model).differences(from: log.freshContent()) == [])
  }

  @Test("whoever reads it while it is brought up to date sees the state before")
  func readers() throws {
    var random = SeededGenerator(seed: 9)
    let log = try GrowingLog()
    try log.append(UnitWorld.events(&random, count: 100))
    try log.update()
    let before = try log.model.report()
    try log.append(UnitWorld.events(&random, count: 100))
    let seen = Monitor([[UInt8]]())
    let model = log.model
    _ = try model.update(from: LogReplay(try log.reader(), jobs: 1)) {
      let report = try model.report()
      seen.withLock { $0.append(report) }
    }
    let reports = seen.withLock { $0 }
    #expect(!reports.isEmpty && reports.allSatisfy { $0 == before })
    #expect(try model.report() == log.report())
  }
}
