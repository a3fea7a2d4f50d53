import Events
import Testing

@testable import EventLog

/// Files of a log in the wrong place: whoever reads, verifies, repairs or appends is told the same, and following the
/// advice ends in a whole log.
@Suite("Files in the wrong place")
struct MisplacedFileTests {
  private static let path = "/log"

  /// Twelve events in four segments.
  private static func makeLog(seed: UInt64, segments: Bool = true) throws -> MemoryDisk {
    let disk = MemoryDisk()
    let options = LogOptions(segmentByteCount: segments ? 64 : 64 << 20, seed: seed)
    let writer = try LogWriter(path, options: options, disk: disk)
    for batch in 0..<4 {
      try writer.append((0..<3).map { event(batch * 3 + $0, seed) })
      try writer.commit()
    }
    return disk
  }

  private static func event(_ number: Int, _ seed: UInt64) -> Event {
    Event(
      time: Timestamp(microseconds: Int64(number)), unit: UnitID("u\(number % 5)"),
      payload: .goal(
        Goal(experiment: "e", goal: "g", value: Double(seed) * 100 + Double(number))))
  }

  private static func segment(_ base: UInt64) -> String {
    path + "/" + SegmentHeader.fileName(basePosition: base)
  }

  private static func read(_ disk: MemoryDisk) throws -> [Event] {
    try LogReader(path, disk: disk).allEvents()
  }

  /// What a case is about.
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// Whether all events are in one segment.
    var isOne = false
    /// What happened.
    var change: @Sendable (MemoryDisk) throws -> Void
    /// What whoever comes upon it is told.
    var says: String
    /// The positions that are lost in the end, and with them the events that use their names.
    var lost: Range<UInt64> = 0..<0
    /// What the advice says to do before, or instead of a repair.
    var advice: (@Sendable (MemoryDisk) throws -> Void)?
    /// Whether the repair takes earlier versions.
    var accepts = false
    /// Whether a strict reader does not see it, since what is missing is a proof alone.
    var isProof = false
  }

  private static func move(_ disk: MemoryDisk, _ a: UInt64, to b: UInt64) {
    disk.files[segment(b)] = disk.files.removeValue(forKey: segment(a))
  }

  private static let cases: [Case] = [
    Case(
      testDescription: "another log's segment in place of the only one", isOne: true,
      change: { $0.files[segment(0)] = try makeLog(seed: 2, segments: false).files[segment(0)] },
      says: "move those files away",
      advice: { $0.files[segment(0)] = try makeLog(seed: 1, segments: false).files[segment(0)] }),
    Case(
      testDescription: "the same, and it is the right one", isOne: true,
      change: {
        $0.files[segment(0)] = try makeLog(seed: 1, segments: false).files[segment(0)]
        for name in LogHead.names {
          $0.files[path + "/" + name] =
            try makeLog(seed: 2, segments: false).files[path + "/" + name]
        }
      },
      says: "move those files away",
      advice: { for name in LogHead.names { $0.files[path + "/" + name] = nil } }),
    Case(
      testDescription: "another log's segment in place of one of several",
      change: { $0.files[segment(3)] = try makeLog(seed: 2).files[segment(3)] },
      says: "the segment belongs to log", lost: 3..<6),
    Case(
      testDescription: "another log's segment beside the own ones",
      change: { $0.files[segment(7)] = try makeLog(seed: 2).files[segment(3)] },
      says: "the segment belongs to log"),
    Case(
      testDescription: "a segment renamed", change: { move($0, 6, to: 7) },
      says: "`bandolier log repair` restores its name"),
    Case(
      testDescription: "the first segment renamed behind the last", change: { move($0, 0, to: 99) },
      says: "`bandolier log repair` restores its name"),
    Case(
      testDescription: "two segments swapped",
      change: { disk in
        move(disk, 3, to: 50)
        move(disk, 6, to: 3)
        move(disk, 50, to: 6)
      }, says: "`bandolier log repair` restores its name"),
    Case(
      testDescription: "all segments moved around",
      change: { disk in
        move(disk, 0, to: 50)
        for base in [3, 6, 9] as [UInt64] { move(disk, base, to: base - 3) }
        move(disk, 50, to: 9)
      }, says: "`bandolier log repair` restores its name"),
    Case(
      testDescription: "a copy under another name",
      change: { $0.files[segment(8)] = $0.files[segment(3)] },
      says: "`bandolier log repair` moves this file to the quarantine"),
    Case(
      testDescription: "a whole copy under another name, and a cut one under the right name",
      change: { disk in
        disk.files[segment(8)] = disk.files[segment(3)]
        disk.files[segment(3)]?.removeLast(40)
      }, says: "`bandolier log repair`"),
    Case(
      testDescription: "an earlier copy of the last segment, with fewer events",
      change: { disk in
        let frame = try LogReader(path, disk: disk).frames.last { $0.rows > 0 }
        disk.files[segment(9)]?.removeSubrange(Int(frame?.offset ?? 0)...)
      }, says: "`bandolier log repair` drops the events", lost: 9..<12),
    Case(
      testDescription: "a segment from before it was compacted",
      change: { disk in
        let before = disk.files[segment(3)]
        _ = try LogRewriter(path, disk: disk).compact(profile: .small)
        disk.files[segment(3)] = before
      }, says: "`bandolier log repair` accepts it as it is"),
    Case(
      testDescription: "the last segment from before it was compacted",
      change: { disk in
        let before = disk.files[segment(9)]
        _ = try LogRewriter(path, disk: disk).compact()
        disk.files[segment(9)] = before
      }, says: "`bandolier log repair` accepts it as it is"),
    Case(
      testDescription: "a segment from before a unit was erased",
      change: { disk in
        let before = disk.files[segment(3)]
        _ = try LogRewriter(path, disk: disk).erase(Erasure(units: ["u4"]))
        disk.files[segment(3)] = before
      }, says: "`bandolier log repair --accept-earlier` accepts this one", accepts: true),
    Case(
      testDescription: "the same under another name, with the right one there",
      change: { disk in
        let before = disk.files[segment(3)]
        _ = try LogRewriter(path, disk: disk).erase(Erasure(units: ["nobody"], before: nil))
        _ = try LogRewriter(path, disk: disk).compact()
        disk.files[segment(4)] = before
      }, says: "`bandolier log repair` moves this file to the quarantine"),
    Case(
      testDescription: "the first segment missing", change: { $0.files[segment(0)] = nil },
      says: "`bandolier log repair` drops the events", lost: 0..<3),
    Case(
      testDescription: "a segment in the middle missing", change: { $0.files[segment(6)] = nil },
      says: "`bandolier log repair` drops the events", lost: 6..<9),
    Case(
      testDescription: "the last segment missing", change: { $0.files[segment(9)] = nil },
      says: "`bandolier log repair` drops the events", lost: 9..<12),
    Case(
      testDescription: "the last segment missing of a log that was compacted, without HEAD",
      change: { disk in
        _ = try LogRewriter(path, disk: disk).compact()
        disk.files[segment(9)] = nil
        disk.removeHead(of: path)
      }, says: "`bandolier log repair` drops the missing events", lost: 9..<12),
    Case(
      testDescription: "a damaged list of segments",
      change: { disk in
        _ = try LogRewriter(path, disk: disk).compact()
        disk.files[path + "/" + SegmentList.name]?[20] ^= 1
      }, says: "`bandolier log repair` writes it anew", isProof: true),
    Case(
      testDescription: "another log's list of segments",
      change: { disk in
        let other = try makeLog(seed: 2)
        _ = try LogRewriter(path, disk: other).compact()
        disk.files[path + "/" + SegmentList.name] = other.files[path + "/" + SegmentList.name]
      }, says: "`bandolier log repair` writes it anew", isProof: true),
  ]

  private func message(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return (error as? LogError)?.message ?? "\(error)"
    }
  }

  @Test("everybody is told the same, and the advice ends in a whole log", arguments: cases)
  func ends(_ item: Case) throws {
    let disk = try Self.makeLog(seed: 1, segments: !item.isOne)
    let events = try Self.read(disk)
    try item.change(disk)
    let erased = item.testDescription.contains("erased")
    let before = disk.files

    // Reading, appending.
    let read = message { _ = try Self.read(disk) }
    let append = message { _ = try LogWriter(Self.path, options: LogOptions(), disk: disk) }
    if item.isProof {
      #expect(read == nil && append == nil)
      disk.files = before
    } else {
      #expect(read?.contains(item.says) == true, "cat: \(read ?? "nothing")")
      #expect(append == read)
      #expect(
        disk.files.filter { !$0.key.hasSuffix("LOCK") }
          == before.filter { !$0.key.hasSuffix("LOCK") })
    }
    // Verifying.
    let verify =
      message {
        let log = try LogReader(Self.path, damaged: .skip, disk: disk)
        let problems = log.losses.map(\.reason) + (try log.verify().problems.map(\.reason))
        #expect(!problems.isEmpty)
        throw LogError(.damaged, problems.joined(separator: "\n"), path: "")
      } ?? ""
    if item.lost.isEmpty, !item.testDescription.contains("cut one") {
      #expect(verify.contains(item.says), "verify: \(verify)")
    }

    // Repairing as it stands.
    if let advice = item.advice {
      #expect(message { _ = try LogRepair(Self.path, disk: disk).run() } == read)
      try advice(disk)
      #expect(try Self.read(disk) == events)
      #expect(try !LogRepair(Self.path, disk: disk).isNeeded)
      return
    }
    if item.accepts {
      #expect(message { _ = try LogRepair(Self.path, disk: disk).run() } == read)
      #expect(
        try LogReader(Self.path, damaged: .skip, disk: disk).allEvents().allSatisfy {
          $0.unit != "u4"
        }, "what was erased does not come back, also where damage is passed over")
    }
    let repair = try LogRepair(Self.path, acceptingEarlier: item.accepts, disk: disk)
    #expect(repair.isNeeded)
    let readable = try LogReader(Self.path, damaged: .skip, disk: disk).allEvents()
    let summary = try repair.run()
    let after = try Self.read(disk)
    #expect(item.accepts || after == readable)
    if item.lost.isEmpty {
      #expect(summary.rewritten.isEmpty, "\(summary.rewritten)")
      // The file that comes back has one of the two events that were erased.
      #expect(after.count == events.count - (item.accepts ? 1 : 0))
    } else {
      #expect(summary.losses.contains { $0.positions.overlaps(item.lost) } || after.count == 9)
    }
    let log = try LogReader(Self.path, damaged: .skip, disk: disk)
    #expect(try log.losses.isEmpty && log.verify(deep: true).problems.isEmpty, "\(log.losses)")
    #expect(try !LogRepair(Self.path, disk: disk).isNeeded)
    _ = try LogWriter(Self.path, options: LogOptions(), disk: disk)
    // Nothing is overwritten: every file is still there, in its place or in the quarantine.
    let contents = Set(disk.files.values)
    for (name, bytes) in before where name.hasSuffix(".bdl") {
      #expect(contents.contains(bytes), "\(name) is gone")
    }
    if item.accepts {
      #expect(erased && after.contains { $0.unit == "u4" }, "it is the earlier version")
      _ = try LogRewriter(Self.path, disk: disk).erase(Erasure(units: ["u4"]))
      #expect(try Self.read(disk) == events.filter { $0.unit != "u4" })
    }
  }

  @Test("without any proof a log of one foreign segment is simply another log")
  func withoutProof() throws {
    let disk = try Self.makeLog(seed: 1)
    _ = try LogRewriter(Self.path, disk: disk).compact()
    let events = try Self.read(disk)
    disk.removeHead(of: Self.path)
    disk.files[Self.path + "/" + SegmentList.name] = nil
    #expect(try Self.read(disk) == events, "HEAD and SEGMENTS may be deleted")
    #expect(try !LogRepair(Self.path, disk: disk).isNeeded)
  }

  @Test("a list with any bit changed, or cut short, is not taken for one")
  func everyBit() throws {
    var list = SegmentList(log: LogID(bytes: Array(0..<16)))
    for base in [0, 7, 1 << 40] as [UInt64] {
      let header = SegmentHeader(
        basePosition: base, log: list.log, salt: UInt32(truncatingIfNeeded: base))
      list.allow(
        header, besides: SegmentHeader(basePosition: base, log: list.log, salt: 99),
        erasing: base == 7)
    }
    let bytes = list.bytes
    #expect(SegmentList(bytes) == list)
    for bit in 0..<bytes.count * 8 {
      var changed = bytes
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(SegmentList(changed) == nil, "bit \(bit)")
    }
    for size in 0..<bytes.count { #expect(SegmentList(Array(bytes.prefix(size))) == nil) }
  }
}
