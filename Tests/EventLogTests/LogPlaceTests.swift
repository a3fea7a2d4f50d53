import Events
import Foundation
import Glibc
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
    "links and pipes in a log's folder are refused with their names, without waiting",
    arguments: ["seg-00000000000000000000.bdl", "HEAD.0", "HEAD.1", "LOCK"], [true, false])
  func strangeFiles(name: String, isPipe: Bool) throws {
    do {
      let writer = try LogWriter(log)
      try writer.append([event(1)])
      try writer.commit()
    }
    let path = log + "/" + name
    if files.fileExists(atPath: path) { try files.moveItem(atPath: path, toPath: path + "-real") }
    let other = folder.path("other")
    try Data("mine".utf8).write(to: URL(filePath: other))
    if isPipe {
      // Safety: mkfifo reads the path up to its terminator.
      #expect(unsafe mkfifo(path, 0o600) == 0)
    } else {
      try files.createSymbolicLink(atPath: path, withDestinationPath: other)
    }
    let error = #expect(throws: LogError.self) { try LogWriter(log) }
    #expect(error?.code == .notALog && error?.path == path)
    if name != "LOCK" { #expect(throws: LogError.self) { try LogReader(log) } }
    #expect(try Data(contentsOf: URL(filePath: other)) == Data("mine".utf8))
  }
}
