import Events
import Foundation
import TestSupport
import Testing

@testable import EventLog

private let isLong = LongTests.areWanted

/// Whatever is damaged: a repair loses nothing that could be read, and what is called whole is read completely.
@Suite("Random damage")
struct RandomDamageTests {
  private static let path = "/log"

  private struct World {
    var files: [String: [UInt8]]
    /// Where the frames stand, by file.
    var frames: [String: [Range<Int>]]
    /// What was appended: each event as a line.
    var events: [[UInt8]]
  }

  private static let worlds = (0..<16).map { number in Result { try makeWorld(UInt64(number)) } }

  /// Logs of various profiles, sizes of frames and segments, closed and not, of all sorts of events and of goals alone.
  private static func makeWorld(_ number: UInt64) throws -> World {
    let disk = MemoryDisk()
    var generator = EventGenerator(seed: number)
    var options = LogOptions(
      profile: CompressionProfile.allCases[Int(number) % 3],
      segmentByteCount: [64 << 20, 3_000, 7_000, 20_000][Int(number / 3) % 4], seed: number)
    options.frameRowCount = number % 5 == 4 ? 7 : 65_536
    var events: [Event] = []
    var writer: LogWriter? = try LogWriter(path, options: options, disk: disk)
    for batch in 0..<20 {
      let more =
        number % 4 == 0
        ? goals(number % 8 == 0 ? 30 : 6, from: batch)
        : generator.events(1 + generator.random.index(5))
      try writer?.append(more)
      try writer?.commit()
      events += more
    }
    var files: [String: [UInt8]] = [:]
    if number % 3 == 1 { files = disk.files }
    writer = nil
    if files.isEmpty { files = disk.files }
    files[LogDirectory.lockPath(path)] = nil
    let log = try LogReader(path, disk: MemoryDisk(files))
    var frames: [String: [Range<Int>]] = [:]
    for frame in log.frames {
      frames[log.segments[frame.segment].path, default: []].append(
        Int(frame.offset)..<Int(frame.endOffset))
    }
    return World(files: files, frames: frames, events: try events.map(line))
  }

  private static func line(_ event: Event) throws -> [UInt8] {
    var record = EventRecord()
    try record.load(event)
    var line: [UInt8] = []
    JSONLinesEncoder.append(record, to: &line)
    return line
  }

  /// Goals of units that are new in each batch, and of some that are not.
  private static func goals(_ count: Int, from batch: Int) -> [Event] {
    (0..<count).map { row in
      Event(
        time: Timestamp(microseconds: Int64(batch * 1_000 + row)),
        unit: UnitID("u\(row % 2 == 0 ? row : batch * 100 + row)"),
        payload: .goal(
          Goal(
            experiment: ExperimentID("e\(batch / 3)"), goal: GoalID("g\(batch % 7)"),
            value: Double(row),
            metadata: row % 5 == 0 ? ["m\(batch % 4)": .text("t\(batch)")] : nil)))
    }
  }

  /// What reading a log comes to.
  private struct Reading {
    var events: [UInt64: [UInt8]] = [:]
    var isInOrder = true
    var error: LogError?
    var hasTail = false
  }

  private func read(_ disk: MemoryDisk, _ policy: DamagePolicy) throws -> Reading {
    var reading = Reading()
    do {
      let log = try LogReader(Self.path, damaged: policy, disk: disk)
      reading.hasTail = log.tail != nil
      var last: UInt64?
      try log.forEachEvent { record, position in
        if let last, last >= position { reading.isInOrder = false }
        last = position
        JSONLinesEncoder.append(record, to: &reading.events[position, default: []])
      }
    } catch let error as LogError {
      reading.error = error
    }
    return reading
  }

  /// What `log verify` finds.
  private func problems(_ disk: MemoryDisk) throws -> [String] {
    let log = try LogReader(Self.path, damaged: .skip, disk: disk)
    let found = try log.verify().problems.map(\.description)
    return log.losses.map(\.description) + found + (log.tail.map { ["tail at \($0.offset)"] } ?? [])
  }

  /// What `log repair` does: the writer sets aside what was never acknowledged.
  private func repair(_ disk: MemoryDisk) throws {
    _ = try LogRepair(Self.path, disk: disk).run()
    _ = try LogWriter(Self.path, options: LogOptions(seed: 9), disk: disk)
  }

  private func check(seed: UInt64) throws {
    let world = try Self.worlds[Int(seed) % Self.worlds.count].get()
    var damage = RandomDamage(seed: seed)
    var files = world.files
    damage.apply(to: &files, frames: world.frames)
    let words = "seed \(seed): \(damage.words.joined(separator: "; "))"
    let disk = MemoryDisk(files)

    let before = try read(disk, .skip)
    try #require(before.error == nil, "\(words)")
    for (position, event) in before.events {
      #expect(event == world.events[Int(position)], "\(words): a wrong event \(position)")
    }
    let strict = try read(disk, .strict)
    let problems = try problems(disk)
    if strict.error != nil || strict.hasTail {
      #expect(!problems.isEmpty, "\(words): verify finds what stops a reader")
    } else {
      #expect(strict.events == before.events, "\(words)")
    }

    try repair(disk)
    let after = try read(disk, .skip)
    #expect(after.error == nil && after.isInOrder, "\(words)")
    for (position, event) in before.events where after.events[position] != event {
      Issue.record("\(words): event \(position) was lost by the repair")
    }
    let again = try read(disk, .strict)
    #expect(again.error == nil && !again.hasTail, "\(words): \(again.error?.description ?? "")")
    #expect(again.events == after.events, "\(words)")
    #expect(try self.problems(disk) == [], "\(words)")
    let repaired = disk.files
    let second = try LogRepair(Self.path, disk: disk)
    #expect(!second.isNeeded, "\(words): \(second.preview.losses)")
    try repair(disk)
    #expect(disk.files == repaired, "\(words): a second repair changes nothing")
  }

  @Test("loses nothing by a repair", arguments: 0..<UInt64(isLong ? 10 : 3))
  func random(part: UInt64) throws {
    let count: UInt64 = isLong ? 300 : 70
    for seed in part * count..<(part + 1) * count {
      do {
        try check(seed: seed)
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
    }
  }
}
