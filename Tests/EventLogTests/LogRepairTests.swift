import Events
import Foundation
import TestSupport
import Testing

@testable import EventLog

@Suite("Repairing a log")
struct LogRepairTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("log") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func makeLog(_ generator: inout EventGenerator) throws -> [Event] {
    let options = LogOptions(
      segmentByteCount: UInt64(3_000 + generator.random.index(12_000)), seed: 1)
    let writer = try LogWriter(path, options: options)
    var events: [Event] = []
    for _ in 0..<12 {
      let batch = generator.events(1 + generator.random.index(20))
      try writer.append(batch)
      try writer.commit()
      events += batch
    }
    return events
  }

  private func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path) where name != "LOCK" {
      files[name] = FileManager.default.contents(atPath: path + "/" + name)
    }
    return files
  }

  private func segments() throws -> [String] {
    try files().keys.filter { $0.hasPrefix("seg-") }.sorted()
  }

  private func change(_ name: String, _ body: (inout [UInt8]) -> Void) throws {
    let url = URL(fileURLWithPath: path + "/" + name)
    var bytes = Array(try Data(contentsOf: url))
    body(&bytes)
    try Data(bytes).write(to: url)
  }

  /// Damages the log somehow.
  private func damage(_ random: inout SeededGenerator) throws {
    let name = random.pick(try segments(), or: "")
    switch random.index(6) {
    case 0: try FileManager.default.removeItem(atPath: path + "/" + name)
    case 1:
      let length = random.index(4_000)
      try change(name) { $0.removeLast(min($0.count, length)) }
    case 2:
      let start = random.index(4_000)
      let count = 1 + random.index(2_000)
      try change(name) { bytes in
        for index in start..<max(start, min(bytes.count, start + count)) { bytes[index] = 0 }
      }
    case 3: try change(name) { $0[random.index(64)] ^= 1 }
    default:
      for _ in 0..<1 + random.index(3) {
        try change(name) { $0[random.index($0.count)] ^= UInt8(1 + random.index(255)) }
      }
    }
  }

  @Test(
    "keeps everything readable after the damage, at its position, and the log accepts appends",
    arguments: 0..<UInt64(60))
  func repairs(seed: UInt64) throws {
    var generator = EventGenerator(seed: seed)
    let all = try makeLog(&generator)
    for _ in 0..<1 + generator.random.index(2) { try damage(&generator.random) }
    let skipping = try LogReader(path, damaged: .skip)
    let readable = try skipping.eventsByPosition()
    for (position, event) in readable { #expect(event == all[Int(position)], "seed \(seed)") }
    let before = try files()

    let repair = try LogRepair(path)
    #expect(try files() == before, "looking changes nothing")
    let preview = repair.preview
    let summary = try repair.run()

    let log = try LogReader(path)
    #expect(try log.eventsByPosition() == readable, "seed \(seed)")
    #expect(log.eventCount == UInt64(all.count))
    #expect(try log.verify(deep: true).problems.isEmpty)
    #expect(summary.lostEvents == UInt64(all.count - readable.count), "seed \(seed)")
    #expect(preview.losses == summary.losses && preview.rewritten == summary.rewritten)
    // Every file that was changed or removed is kept as it was.
    let kept = try (summary.quarantined).map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    let after = try files()
    for (name, bytes) in before where name.hasPrefix("seg-") && after[name] != bytes {
      #expect(kept.contains(bytes), "seed \(seed): \(name)")
    }
    #expect(try log.notes().count == (summary.losses.isEmpty ? 0 : 1))
    #expect(try !LogRepair(path).isNeeded, "seed \(seed)")

    let more = generator.events(30)
    do {
      let writer = try LogWriter(path)
      try writer.append(more)
      try writer.commit()
    }
    let afterwards = try LogReader(path).allEvents()
    #expect(Array(afterwards.suffix(30)) == more, "seed \(seed)")
    #expect(afterwards.count == readable.count + 30)
  }

  @Test("of an intact log does nothing")
  func whole() throws {
    var generator = EventGenerator(seed: 1)
    _ = try makeLog(&generator)
    let before = try files()
    let repair = try LogRepair(path)
    #expect(!repair.isNeeded)
    #expect(try repair.run().rewritten.isEmpty)
    #expect(try files() == before)
  }

  @Test("is refused while another writer holds the lock")
  func locked() throws {
    var generator = EventGenerator(seed: 2)
    _ = try makeLog(&generator)
    try change(try segments()[0]) { $0[300] ^= 1 }
    let repair = try LogRepair(path)
    let lock = try SystemDisk().lock(path + "/LOCK", holder: "somebody")
    #expect { try repair.run() } throws: { ($0 as? LogError)?.code == .locked }
    withExtendedLifetime(lock) {}
  }
}
