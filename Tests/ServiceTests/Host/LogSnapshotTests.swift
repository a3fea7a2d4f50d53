import EventLog
import Events
import TestSupport
import Testing
import Threads

@testable import Service

struct LogSnapshotTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func harness(
    interval: UInt64 = 1_000_000, notes: Monitor<[String]> = Monitor([])
  ) throws -> ServiceHarness {
    try ServiceHarness(log: folder.path("log")) {
      $0.snapshotInterval = interval
      $0.note = { note in notes.withLock { $0.append(note) } }
    }
  }

  private func fill(_ harness: ServiceHarness, from start: Int = 0) async {
    for number in start..<start + 50 {
      _ = await harness.get("/acme/shop/decision/a,b?session=s\(number)")
      _ = await harness.get("/acme/shop/goal?session=s\(number)&reward=2")
    }
  }

  private func stop(_ harness: ServiceHarness) async {
    await harness.service.drain()
    harness.service.close()
  }

  @Test("a start continues from the snapshot that a stopped service made")
  func drain() async throws {
    let first = try harness()
    await fill(first)
    await stop(first)
    let second = try harness()
    #expect(second.service.host.systems.snapshotPosition == 100)
    await fill(second, from: 50)
    #expect(SystemStates(second.service.host.systems) == (try SystemStates(replaying: second.log)))
    await stop(second)
    let third = try harness()
    #expect(third.service.host.systems.snapshotPosition == 200)
    #expect(SystemStates(third.service.host.systems) == (try SystemStates(replaying: third.log)))
  }

  @Test("a running service makes snapshots in the background")
  func background() async throws {
    let harness = try harness(interval: 30)
    await fill(harness)
    for _ in 0..<1_000 where !folder.hasSnapshot { try await Task.sleep(for: .milliseconds(10)) }
    #expect(folder.hasSnapshot)
    await stop(harness)
  }

  @Test("a start that replays much makes a snapshot of what it replayed")
  func start() async throws {
    let first = try harness()
    await fill(first)
    first.service.close()
    #expect(!folder.hasSnapshot)
    let second = try harness(interval: 60)
    for _ in 0..<1_000 where !folder.hasSnapshot { try await Task.sleep(for: .milliseconds(10)) }
    #expect(folder.hasSnapshot)
    second.service.close()
    let third = try harness()
    #expect(third.service.host.systems.snapshotPosition == 100)
    #expect(SystemStates(third.service.host.systems) == (try SystemStates(replaying: third.log)))
  }

  @Test("a snapshot whose reading would take longer than a replay is not kept")
  func large() throws {
    let writer = try LogWriter(folder.path("log"))
    // Imported events name no system, and every system keeps their units.
    for start in stride(from: 0, to: 30_000, by: 1_000) {
      _ = try writer.append(
        (start..<start + 1_000).map { number in
          Event(
            time: Timestamp(microseconds: 1_700_000_000_000_000), unit: UnitID("unit-\(number)"),
            payload: .conversion(Conversion(goal: "order", revenue: Double(number))))
        })
    }
    try writer.commit()
    writer.close()
    let notes = Monitor<[String]>([])
    let harness = try harness(notes: notes)
    let log = try LogReader(folder.path("log"))
    var options = harness.service.host.options
    options.note = { note in notes.withLock { $0.append(note) } }
    #expect(try LogSnapshot.make(at: 30_000, of: log, options) == nil)
    #expect(!folder.hasSnapshot)
    #expect(notes.withLock { $0 }.contains { $0.contains("no snapshot is kept at position 30000") })
    harness.service.close()
  }

  @Test("a log that was compacted keeps its snapshot")
  func compacted() async throws {
    let first = try harness()
    await fill(first)
    await stop(first)
    _ = try LogRewriter(folder.path("log")).compact()
    let second = try harness()
    #expect(second.service.host.systems.snapshotPosition == 100)
    #expect(SystemStates(second.service.host.systems) == (try SystemStates(replaying: second.log)))
    second.service.close()
  }

  @Test("a log from which events were erased has no snapshot any more")
  func erased() async throws {
    let first = try harness()
    await fill(first)
    await stop(first)
    _ = try LogRewriter(folder.path("log")).erase(Erasure(units: ["s3"]))
    #expect(!folder.hasSnapshot)
    let second = try harness()
    #expect(second.service.host.systems.snapshotPosition == 0)
    #expect(SystemStates(second.service.host.systems) == (try SystemStates(replaying: second.log)))
    second.service.close()
  }

  @Test("a snapshot that is damaged, or of other events, is ignored with a note and removed")
  func mismatches() async throws {
    let first = try harness()
    await fill(first)
    await stop(first)
    let snapshot = try folder.read("log/SNAPSHOT")
    var damaged = snapshot
    damaged[damaged.count / 2] ^= 1
    var cut = snapshot
    cut.removeLast(2)
    let head = snapshot.prefix { $0 != UInt8(ascii: "\n") }
    let otherHead = String(decoding: head, as: UTF8.self)
      .replacing("\"position\":100", with: "\"position\":98")
    let other = Array(otherHead.utf8) + snapshot.dropFirst(head.count)
    for bytes in [damaged, cut, [], Array("{}\n\n\n\n".utf8), other] {
      _ = try folder.write(bytes, "log/SNAPSHOT")
      let notes = Monitor<[String]>([])
      let next = try harness(notes: notes)
      #expect(next.service.host.systems.snapshotPosition == 0)
      #expect(notes.withLock { $0 }.first?.contains("snapshot of the log is ignored") == true)
      #expect(!folder.hasSnapshot)
      #expect(SystemStates(next.service.host.systems) == (try SystemStates(replaying: next.log)))
      next.service.close()
    }
  }
}

extension TemporaryFolder {
  fileprivate var hasSnapshot: Bool {
    (try? SystemDisk().list(path("log")))??.contains("SNAPSHOT") == true
  }

  fileprivate func read(_ name: String) throws -> [UInt8] {
    let file = try SystemDisk().open(path(name), writable: false)
    return try file.read(at: 0, count: Int(try file.size()))
  }
}
