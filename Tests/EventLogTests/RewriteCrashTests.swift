import Events
import Foundation
import TestSupport
import Testing

@testable import EventLog

private let isLong = LongTests.areWanted

/// Rewriting a log on a disk that loses power, fails and fills up: at any moment every segment is either
/// the old one or the new one, and the same call again does the rest.
@Suite("Rewriting on a disk with power cuts and failures")
struct RewriteCrashTests {
  private static let path = "/log"

  private struct World {
    var disk: SimulatedDisk
    var events: [Event]
  }

  /// A log of several segments of small frames, all of it durable, some of it of the unit that is erased.
  private static func makeWorld(seed: UInt64) throws -> World {
    let disk = SimulatedDisk(seed: seed)
    var generator = EventGenerator(seed: seed)
    let options = LogOptions(segmentByteCount: 5_000, seed: seed)
    var events: [Event] = []
    do {
      let writer = try LogWriter(path, options: options, disk: disk)
      for _ in 0..<8 {
        var batch = generator.events(1 + generator.random.index(6))
        for index in batch.indices where generator.random.chance(0.2) { batch[index].unit = "gone" }
        try writer.append(batch)
        try writer.commit()
        events += batch
      }
    }
    return World(disk: disk, events: events)
  }

  private enum Rewriting: CaseIterable {
    case compact, erase

    func run(on disk: SimulatedDisk) throws {
      let rewriter = try LogRewriter(RewriteCrashTests.path, disk: disk)
      switch self {
      case .compact: _ = try rewriter.compact(profile: .small)
      case .erase: _ = try rewriter.erase(Erasure(units: ["gone"]))
      }
    }

    func mayBeGone(_ event: Event) -> Bool { self == .erase && event.unit == "gone" }
  }

  /// Every event that stays is there, at its place; one that goes is there or not. Nothing is damaged.
  private func check(
    _ disk: SimulatedDisk, _ events: [Event], _ rewriting: Rewriting, isDone: Bool, _ words: String
  ) throws {
    let log = try LogReader(Self.path, disk: disk)
    #expect(log.eventCount == UInt64(events.count), "\(words)")
    let found = try log.eventsByPosition()
    for (position, event) in events.enumerated() {
      let read = found[UInt64(position)]
      let isGone = rewriting.mayBeGone(event)
      #expect(read == event || isGone && read == nil, "\(words), event \(position)")
      if isDone, isGone { #expect(read == nil, "\(words), event \(position)") }
    }
    #expect(try log.verify(deep: true).problems.isEmpty, "\(words)")
    if isDone {
      let unfinished = (try disk.list(Self.path) ?? []).filter {
        $0.hasSuffix(SegmentRewriter.suffix)
      }
      #expect(unfinished.isEmpty, "\(words)")
    }
  }

  /// How many operations it takes after the crash of a seed: one more where the crash left something to clear away.
  private static func operations(_ rewriting: Rewriting, _ world: World, seed: UInt64 = 0) -> Int {
    var random = SeededGenerator(seed: seed)
    let disk = world.disk.crash(using: &random)
    disk.cutPower(at: nil)
    try? rewriting.run(on: disk)
    return disk.operations
  }

  @Test("power cuts within every operation", arguments: Rewriting.allCases)
  private func everyOperation(rewriting: Rewriting) throws {
    let world = try Self.makeWorld(seed: 1)
    let count = Self.operations(rewriting, world)
    try #require(count > 10)
    for operation in 1...count {
      for outcome in 0..<UInt64(isLong ? 50 : 3) {
        let seed = outcome << 32 | UInt64(operation)
        var random = SeededGenerator(seed: seed)
        let disk = world.disk.crash(using: &random)
        disk.cutPower(at: operation)
        let words = "operation \(operation), outcome \(outcome)"
        do {
          try rewriting.run(on: disk)
          // With the last two the writer that held the lock ends: everything is done already.
          let needed = Self.operations(rewriting, world, seed: seed)
          #expect(operation >= needed - 1, "\(words)")
        } catch let error as LogError {
          #expect(error.code != .damaged, "\(words): \(error)")
        }
        let after = disk.crash(using: &random)
        try check(after, world.events, rewriting, isDone: false, words)
        try rewriting.run(on: after)
        try check(after, world.events, rewriting, isDone: true, words)
      }
    }
  }

  @Test(
    "random power cuts, failures and full disks in sequence",
    arguments: 0..<UInt64(isLong ? 3_000 : 60))
  func randomSchedule(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let world = try Self.makeWorld(seed: seed)
    let rewriting = random.pick(Rewriting.allCases, or: .compact)
    var disk = world.disk
    for round in 0..<1 + random.index(4) {
      disk = disk.crash(using: &random)
      switch random.index(4) {
      case 0: disk.cutPower(at: 1 + random.index(60))
      case 1: disk.setCapacity(disk.used + random.index(5_000))
      default:
        let call = random.pick(SimulatedDisk.Fault.Call.allCases, or: .write)
        disk.inject([SimulatedDisk.Fault(call: call, number: 1 + random.index(30))])
      }
      let words = "seed \(seed), round \(round)"
      do {
        try rewriting.run(on: disk)
      } catch let error as LogError {
        #expect(error.code != .damaged, "\(words): \(error)")
      }
      disk = disk.crash(using: &random)
      try check(disk, world.events, rewriting, isDone: false, words)
    }
    try rewriting.run(on: disk)
    try check(disk, world.events, rewriting, isDone: true, "seed \(seed)")
  }

  @Test(
    "an interrupted repair is completed by the next one",
    arguments: 0..<UInt64(isLong ? 500 : 12))
  func repairCutShort(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let world = try Self.makeWorld(seed: seed)
    let names = (try world.disk.list(Self.path) ?? []).filter { $0.hasPrefix("seg-") }
    let damaged = Self.path + "/" + random.pick(names, or: "")
    let file = try world.disk.open(damaged, writable: true)
    let place = UInt64(random.index(Int(try file.size())))
    let byte = try file.read(at: place, count: 1)
    try file.write([byte[0] ^ UInt8(1 + random.index(255))], at: place)
    try file.sync()
    let whole = try readable(world.disk)
    for operation in 1...30 {
      let disk = world.disk.crash(using: &random)
      disk.cutPower(at: operation)
      _ = try? LogRepair(Self.path, disk: disk).run()
      let after = disk.crash(using: &random)
      #expect(try readable(after) == whole, "seed \(seed), operation \(operation)")
      _ = try LogRepair(Self.path, disk: after).run()
      let log = try LogReader(Self.path, disk: after)
      #expect(log.eventCount == UInt64(world.events.count))
      #expect(try readable(after) == whole, "seed \(seed), operation \(operation)")
      #expect(try log.verify(deep: true).problems.isEmpty)
    }
  }

  private func readable(_ disk: SimulatedDisk) throws -> [UInt64: Event] {
    try LogReader(Self.path, damaged: .skip, disk: disk).eventsByPosition()
  }
}
