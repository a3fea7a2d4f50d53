import Events
import Foundation
import TestSupport
import Testing

@testable import EventLog

private let isLong = LongTests.areWanted

/// A merge or split that is cut short: the same again ends with the same bytes as if nothing had happened.
@Suite("Filling new logs")
struct LogFillingTests {
  private static let target = "/target"

  /// Logs that are whole, on a disk that loses power.
  private static func makeSources(seed: UInt64) throws -> SimulatedDisk {
    let disk = SimulatedDisk(seed: seed)
    var generator = EventGenerator(seed: seed)
    for name in ["/a", "/b"] {
      let options = LogOptions(segmentByteCount: 5_000, seed: generator.random.next())
      let writer = try LogWriter(name, options: options, disk: disk)
      for _ in 0..<3 {
        try writer.append(generator.events(8))
        try writer.commit()
      }
    }
    return disk
  }

  private enum Filling: CaseIterable {
    case merge, split

    var targets: [String] {
      self == .merge ? [LogFillingTests.target] : (0..<3).map { "\(LogFillingTests.target)-\($0)" }
    }

    func run(on disk: SimulatedDisk, _ folder: TemporaryFolder) throws {
      switch self {
      case .merge:
        let merge = try LogMerge([LogReader("/a", disk: disk), LogReader("/b", disk: disk)])
        let writers = try LogFilling.open([(targets[0], merge.seed)], disk: disk)
        let writer = try #require(writers[0])
        _ = try merge.write(to: writer, temporaryFolder: folder.path)
      case .split:
        let log = try LogReader("/a", disk: disk)
        let options = LogOptions(segmentByteCount: 3_000)
        _ = try LogSplit(shardCount: 3).write(log, to: targets, options: options, disk: disk)
      }
    }
  }

  /// The files of the targets, without the locks.
  private func files(_ disk: SimulatedDisk, _ filling: Filling) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for target in filling.targets {
      for name in try disk.list(target) ?? [] where name != LogDirectory.lockName {
        files[target + "/" + name] = disk.contents(target + "/" + name)
      }
    }
    return files
  }

  @Test("power cuts within every operation", arguments: Filling.allCases)
  private func everyOperation(filling: Filling) throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: 7)
    let whole = try Self.makeSources(seed: 1).crash(using: &random)
    whole.cutPower(at: nil)
    try filling.run(on: whole, folder)
    let count = whole.operations
    let expected = try files(whole, filling)
    try #require(count > 10 && !expected.isEmpty)
    for operation in 1...count {
      for outcome in 0..<UInt64(isLong ? 20 : 2) {
        let words = "\(filling), operation \(operation), outcome \(outcome)"
        var random = SeededGenerator(seed: outcome << 32 | UInt64(operation))
        let disk = try Self.makeSources(seed: 1).crash(using: &random)
        disk.cutPower(at: operation)
        _ = try? filling.run(on: disk, folder)
        let after = disk.crash(using: &random)
        let isFinished = try filling.targets.allSatisfy { target in
          try after.list(target)?.contains { $0.hasPrefix("seg-") } == true
            && !LogFilling.isUnfinished(target, after)
        }
        if isFinished {
          // Nothing says that it is not: then it is complete, and is not begun anew.
          #expect(throws: LogError.self, "\(words)") { try filling.run(on: after, folder) }
        } else {
          for target in filling.targets where try LogFilling.isUnfinished(target, after) {
            let error = #expect(throws: LogError.self) {
              try LogWriter(target, options: LogOptions(), disk: after)
            }
            #expect(error?.message.contains("run the same command again") == true, "\(words)")
          }
          try filling.run(on: after, folder)
        }
        for target in filling.targets {
          let (log, other) = (
            try LogReader(target, disk: after), try LogReader(target, disk: whole)
          )
          #expect(try log.allEvents() == other.allEvents(), "\(words)")
          #expect(try log.verify(deep: true).problems.isEmpty, "\(words)")
        }
        // What follows the last event of a log that was finished before may be lost: nothing depends on it.
        guard !isFinished, filling == .merge else { continue }
        let isSame =
          try files(after, filling).filter { $0.key.hasSuffix(".bdl") }
          == expected.filter { $0.key.hasSuffix(".bdl") }
        #expect(isSame, "\(words)")
      }
    }
  }

  @Test("a log that has events is refused, finished or of somebody else")
  func refused() throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: 3)
    let disk = try Self.makeSources(seed: 2).crash(using: &random)
    try Filling.merge.run(on: disk, folder)
    let error = #expect(throws: LogError.self) { try Filling.merge.run(on: disk, folder) }
    #expect(error?.code == .cannotCreate)
    #expect(error?.message.contains("holds a log of") == true)
    #expect(throws: LogError.self) { try LogFilling.open([("/a", 1)], disk: disk) }
  }
}
