import TestSupport
import Testing

@testable import EventLog

@Suite("The simulated disk")
struct SimulatedDiskTests {
  private let old = [UInt8](repeating: 1, count: 10_000)
  private let new = [UInt8](repeating: 2, count: 10_000)

  /// What a file holds after each of many power cuts; nil where it has no name any more.
  private func outcomes(_ work: (SimulatedDisk) throws -> Void) rethrows -> [[UInt8]?] {
    let disk = SimulatedDisk(seed: 1)
    try work(disk)
    return (0..<500).map { seed in
      var random = SeededGenerator(seed: UInt64(seed))
      return disk.crash(using: &random).contents("/f")
    }
  }

  @Test("keeps synced bytes and names")
  func synced() throws {
    let found = try outcomes { disk in
      let file = try disk.create("/f")
      try file.write(old, at: 0)
      try file.sync()
      try disk.syncFolder("/")
    }
    #expect(found.allSatisfy { $0 == old })
  }

  @Test("may lose an unsynced name, removal or rename")
  func names() throws {
    let created = try outcomes { _ = try $0.create("/f") }
    #expect(Set(created) == [nil, []])
    let removed = try outcomes { disk in
      try disk.create("/f").sync()
      try disk.syncFolder("/")
      try disk.remove("/f")
    }
    #expect(Set(removed) == [nil, []])
    let renamed = try outcomes { disk in
      for (name, bytes) in [("/f", old), ("/g", new)] {
        let file = try disk.create(name)
        try file.write(bytes, at: 0)
        try file.sync()
      }
      try disk.syncFolder("/")
      try disk.rename("/g", to: "/f")
    }
    #expect(Set(renamed) == [old, new])
  }

  @Test("keeps, loses, tears or zeroes an unsynced write, by whole sectors")
  func torn() throws {
    let found = try outcomes { disk in
      let file = try disk.create("/f")
      try disk.syncFolder("/")
      try file.write(new, at: 0)
    }.compactMap { $0 }
    #expect(found.contains(new) && found.contains([]))
    #expect(found.contains([UInt8](repeating: 0, count: 10_000)), "extended, but never written")
    #expect(found.contains { $0.count > 10_000 }, "extended to the end of a page")
    #expect(found.contains { $0.count < 10_000 && !$0.isEmpty }, "cut short")
    #expect(found.contains { $0.first == 0 && $0.last == 2 }, "the end without the beginning")
    for bytes in found {
      for start in stride(from: 0, to: bytes.count, by: 512) {
        #expect(Set(bytes[start..<min(bytes.count, start + 512)]).count == 1)
      }
    }
  }

  @Test("may lose the first of two writes and keep the second, and may not have truncated a file")
  func reordered() throws {
    let found = try outcomes { disk in
      let file = try disk.create("/f")
      try file.write(old, at: 0)
      try file.sync()
      try disk.syncFolder("/")
      try file.truncate(to: 5_000)
      try file.write([3], at: 100)
      try file.write([4], at: 9_000)
    }.compactMap { $0 }
    #expect(found.contains { $0[100] == 1 && $0.count == 10_000 && $0[9_000] == 4 })
    #expect(found.contains { $0[100] == 3 && $0.count == 5_000 })
    #expect(found.contains { $0[100] == 3 && $0.count == 10_000 && $0[9_000] == 1 })
  }

  @Test("after a failed sync shows data that it may have lost, and a later sync does not write it")
  func failedSync() throws {
    var found: Set<[UInt8]> = []
    for seed in 0..<50 as Range<UInt64> {
      let disk = SimulatedDisk(seed: seed)
      let file = try disk.create("/f")
      try disk.syncFolder("/")
      try file.write([7], at: 0)
      disk.inject([SimulatedDisk.Fault(call: .sync, number: 1)])
      #expect(throws: LogError.self) { try file.sync() }
      try file.sync()
      #expect(disk.contents("/f") == [7])
      var random = SeededGenerator(seed: seed)
      found.insert(disk.crash(using: &random).contents("/f") ?? [])
    }
    #expect(found == [[], [7]])
  }

  @Test("fails each kind of call once, at the requested call")
  func faults() throws {
    let disk = SimulatedDisk(seed: 1)
    let file = try disk.create("/f")
    let calls: [(SimulatedDisk.Fault.Call, () throws -> Void)] = [
      (.read, { _ = try file.read(at: 0, count: 1) }), (.write, { try file.write([1], at: 0) }),
      (.sync, { try file.sync() }), (.truncate, { try file.truncate(to: 0) }),
      (.syncFolder, { try disk.syncFolder("/") }),
    ]
    for (call, run) in calls {
      disk.inject([SimulatedDisk.Fault(call: call, number: 2)])
      try run()
      #expect(throws: LogError.self, "\(call)") { try run() }
      try run()
    }
  }

  @Test("writes only what fits, and more once there is space")
  func full() throws {
    let disk = SimulatedDisk(seed: 1)
    let file = try disk.create("/f")
    disk.setCapacity(600)
    #expect(throws: LogError.self) { try file.write(old, at: 0) }
    #expect(disk.contents("/f")?.count == 600)
    disk.setCapacity(.max)
    try file.write(old, at: 0)
    #expect(disk.contents("/f") == old)
  }

  @Test("grants a lock to one holder at a time; release and a power cut free it")
  func locks() throws {
    let disk = SimulatedDisk(seed: 1)
    let held = try disk.lock("/LOCK", holder: "a")
    #expect(#expect(throws: LogError.self) { try disk.lock("/LOCK", holder: "b") }?.code == .locked)
    var random = SeededGenerator(seed: 1)
    #expect(throws: Never.self) { try disk.crash(using: &random).lock("/LOCK", holder: "b") }
    withExtendedLifetime(held) {}
  }

  @Test("is deterministic for a seed")
  func replays() throws {
    let runs = try (0..<2).map { _ in
      try outcomes { disk in
        let file = try disk.create("/f")
        for start in stride(from: 0, to: 18_000, by: 900) as StrideTo<Int> {
          try file.write([UInt8](repeating: 5, count: 700), at: UInt64(start))
        }
      }
    }
    #expect(runs[0] == runs[1])
  }
}
