import Events
import Foundation
import TestSupport
import Testing

@testable import EventLog

private let isLong = LongTests.areWanted

@Suite("On a disk that loses power and fails")
struct CrashScheduleTests {
  @Test(
    "what is read back is a beginning of what was appended, with all that was acknowledged",
    arguments: (isLong
      ? Array(0..<UInt64(10_000))
      : Array(0..<UInt64(60)) + [2_354, 2_723, 2_805, 2_938, 4_124, 4_921, 6_535, 7_611]))
  func randomSchedule(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var model = CrashModel(
      seed: seed, segmentByteCount: UInt64(1_500 + random.index(20_000)),
      frameRowCount: random.chance(0.2) ? 65_536 : 1 + random.index(5))
    for _ in 0..<1 + random.index(4) {
      let mayFail = arrange(model.disk, using: &random)
      let failure = try model.work(steps(using: &random))
      #expect(failure == nil || mayFail, "seed \(seed): \(failure.map(String.init) ?? "")")
      if random.chance(0.7) {
        model.crash(using: &random)
      } else {
        model.restart()
      }
      try model.crashWhileRecovering(using: &random)
      try model.recover()
    }
  }

  /// Appends, commits, rolls of which each compacts the segment that ends, compacting everything, a tail of
  /// frames that nobody syncs, and a second writer.
  private static let workload: [CrashModel.Step] = [
    .append(2), .commit, .append(5), .commit, .append(1), .append(7), .commit, .reopen, .append(3),
    .commit, .compact, .append(4), .commit, .append(9),
  ]

  private static func workloadModel(seed: UInt64) -> CrashModel {
    CrashModel(seed: seed, segmentByteCount: 5_000, frameRowCount: 2)
  }

  /// How many there are where the power stays; 0, which a test refuses, where the workload fails.
  private static let workloadOperations: Int = {
    var model = workloadModel(seed: 0)
    model.disk.cutPower(at: nil)
    do {
      return try model.work(workload) == nil ? model.disk.operations : 0
    } catch {
      return 0
    }
  }()

  @Test("a workload has operations of every part of the log")
  func operations() { #expect(Self.workloadOperations > 60) }

  @Test(
    "a workload survives a power cut within every single operation",
    arguments: 1...max(1, workloadOperations))
  func everyOperation(operation: Int) throws {
    for outcome in 0..<UInt64(isLong ? 100 : 2) {
      var random = SeededGenerator(seed: outcome << 32 | UInt64(operation))
      var model = Self.workloadModel(seed: 0)
      model.disk.cutPower(at: operation)
      let failure = try model.work(Self.workload)
      #expect(failure != nil || operation == Self.workloadOperations, "outcome \(outcome)")
      model.crash(using: &random)
      try model.recover()
      let again = try model.work([.append(3), .commit])
      #expect(again == nil, "outcome \(outcome): appending goes on")
      try model.recover()
    }
  }

  @Test(
    "the power may go within every operation of a recovery", arguments: LongTests.chunks(4, of: 10))
  func recoveryCutShort(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var model = Self.workloadModel(seed: 0)
    model.disk.cutPower(at: Self.workloadOperations - random.index(8))
    _ = try model.work(Self.workload)
    model.crash(using: &random)
    for operation in 1...16 {
      var copy = model
      copy.crash(using: &random)
      copy.disk.cutPower(at: operation)
      _ = try copy.work([])
      copy.crash(using: &random)
      try copy.recover()
    }
  }

  @Test(
    "a frame that a failed sync kept from the disk is written again before others follow it",
    arguments: LongTests.chunks(4, of: 10))
  func failedSyncOfFrameWithoutEvents(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for outcome in 0..<UInt64(10) {
      var model = CrashModel(seed: seed << 8 | outcome, segmentByteCount: 1 << 20, frameRowCount: 4)
      #expect(try model.work([.append(3), .commit]) == nil)
      model.disk.inject([SimulatedDisk.Fault(call: .sync, number: 1)])
      #expect(try model.work([]) != nil, "the writer cannot open the log")
      model.restart()
      #expect(try model.work([.append(2), .commit]) == nil)
      model.crash(using: &random)
      try model.recover()
    }
  }

  @Test(
    "frames that were written while others were synced are cut from the first torn one on",
    arguments: isLong
      ? Array(0..<UInt64(10_000)) : Array(0..<UInt64(40)) + [631, 638, 700, 880, 932])
  func severalOutstanding(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var model = CrashModel(
      seed: seed, segmentByteCount: random.chance(0.3) ? 6_000 : 1 << 20, frameRowCount: 1)
    for _ in 0..<2 {
      let mayFail = random.chance(0.5) ? arrange(model.disk, using: &random) : false
      let failure = try model.work(
        (0..<1 + random.index(3)).flatMap { _ in
          [.append(1 + random.index(3)), .commitWhileAppending(2 + random.index(7))]
        })
      #expect(failure == nil || mayFail, "seed \(seed): \(failure.map(String.init) ?? "")")
      if random.chance(0.9) { model.crash(using: &random) } else { model.restart() }
      try model.crashWhileRecovering(using: &random)
      try model.recover()
    }
  }

  /// Lets the disk fail in some way, or not.
  private func arrange(_ disk: SimulatedDisk, using random: inout SeededGenerator) -> Bool {
    switch random.index(10) {
    case 0..<5: disk.cutPower(at: 1 + random.index(25))
    case 5..<8:
      let call = random.pick(SimulatedDisk.Fault.Call.allCases, or: .write)
      disk.inject([SimulatedDisk.Fault(call: call, number: 1 + random.index(8))])
    case 8: disk.setCapacity(disk.used + random.index(6_000))
    default: return false
    }
    return true
  }

  private func steps(using random: inout SeededGenerator) -> [CrashModel.Step] {
    (0..<2 + random.index(8)).map { _ in
      switch random.index(8) {
      case 0..<4: .append(1 + random.index(6))
      case 4..<6: .commit
      case 6: .commitWhileAppending(1 + random.index(6))
      default: random.chance(0.4) ? .compact : .reopen
      }
    }
  }
}
