import Events
import Synchronization
import TestSupport
import Testing

@testable import EventLog

@Suite("Frames read one by one and by several threads")
struct FrameReadingTests {
  /// What every column of a row says, so that rows can be compared.
  private static func lines(_ batch: EventBatch) -> [String] {
    (0..<batch.count).map { row in
      "\(batch.basePosition + UInt64(row)) \(batch.kinds[row]) \(batch.times[row]) "
        + "\(batch.units[row]) \(batch.experiments[row]) \(batch.variants[row]) "
        + "\(batch.goals[row]) \(String(describing: batch.values[row]))"
    }
  }

  private static let columns: EventColumns = [.time, .unit, .experiment, .variant, .goal, .value]

  private static func log(seed: UInt64, frames: Int = 12) throws -> SmallLog {
    var generator = EventGenerator(seed: seed)
    return try SmallLog(
      (0..<frames).map { _ in generator.events(generator.random.index(90)) },
      segmentByteCount: 12_000, seed: seed)
  }

  @Test(
    "parts of the frames together give the same as all frames", arguments: 0..<6 as Range<UInt64>)
  func parts(seed: UInt64) throws {
    let reader = try Self.log(seed: seed).reader()
    var random = SeededGenerator(seed: seed)
    let filter = FrameFilter(from: UInt64(random.index(Int(reader.eventCount))))
    var all: [String] = []
    try reader.forEachBatch(Self.columns, where: filter) { all += Self.lines($0) }
    let admitted = reader.admittedFrames(where: filter)
    #expect(all.count == admitted.reduce(0) { $0 + reader.rowCount(ofFrame: $1) })
    #expect(all.count == Int(reader.eventCount(where: filter)), "seed \(seed)")
    let cut = random.index(admitted.count + 1)
    var parts: [String] = []
    for part in [admitted[..<cut], admitted[cut...]] {
      try reader.forEachBatch(Self.columns, frames: part) { parts += Self.lines($0) }
    }
    #expect(parts == all, "seed \(seed)")
  }

  @Test(
    "frames that end at a position or before it are ruled out, and rows before it come with the rest"
  )
  func from() throws {
    let log = try SmallLog(
      [4, 3, 5].map { count in
        var generator = EventGenerator(seed: UInt64(count))
        return generator.events(count)
      })
    let reader = try log.reader()
    for (from, first) in [0: 0, 3: 0, 4: 4, 6: 4, 7: 7, 11: 7] as [UInt64: UInt64] {
      var positions: [UInt64] = []
      try reader.forEachBatch([], where: FrameFilter(from: from)) { batch in
        positions += (0..<batch.count).map { batch.basePosition + UInt64($0) }
      }
      #expect(positions == Array(first..<12))
    }
    #expect(reader.admittedFrames(where: FrameFilter(from: 12)).isEmpty)
    #expect(reader.admittedFrames(where: FrameFilter(from: .max)).isEmpty)
  }

  @Test("invalid indices are skipped")
  func noFrame() throws {
    let reader = try Self.log(seed: 1).reader()
    var rows = 0
    try reader.forEachBatch([], frames: [-1, .max, 0, reader.frames.count]) { rows += $0.count }
    #expect(rows == reader.rowCount(ofFrame: 0) && rows > 0)
    #expect(reader.rowCount(ofFrame: -1) == 0 && reader.rowCount(ofFrame: .max) == 0)
  }

  @Test(
    "many threads read the frames of a damaged log, and find the same rows and losses as one",
    arguments: 0..<4 as Range<UInt64>)
  func threads(seed: UInt64) throws {
    var log = try Self.log(seed: seed, frames: 24)
    var random = SeededGenerator(seed: seed)
    let whole = try log.reader()
    for frame in whole.frames where random.chance(0.4) {
      let read = frame.entries.filter { [.time, .unit, .variant, .value].contains($0.column) }
      guard let entry = read.randomElement(using: &random), entry.storedLength > 0 else { continue }
      log.files[log.segments[frame.segment]]?[Int(frame.offset) + Int(entry.offset)] ^= 0x40
    }
    // A disk in memory is for one thread at a time.
    let folder = try TemporaryFolder()
    for (name, bytes) in log.files { _ = try folder.write(bytes, name) }
    let alone = try LogReader(folder.path, damaged: .skip)
    var expected: [String] = []
    try alone.forEachBatch(Self.columns) { expected += Self.lines($0) }
    let together = try LogReader(folder.path, damaged: .skip)
    let batches = try BatchReader(together, Self.columns)
    let frames = together.admittedFrames()
    let found = Found()
    onThreads(4) { thread in
      for index in frames.indices where index % 4 == thread {
        #expect(throws: Never.self) {
          try batches.forEach(frames: [frames[index]]) { found[index] = Self.lines($0) }
        }
      }
    }
    let lines = frames.indices.flatMap { found[$0] }
    #expect(!alone.losses.isEmpty)
    #expect(lines == expected, "seed \(seed)")
    #expect(together.losses == alone.losses, "seed \(seed)")
  }

  /// The rows of each frame, by its place.
  private final class Found: Sendable {
    private let lines = Mutex<[Int: [String]]>([:])

    subscript(place: Int) -> [String] {
      get { lines.withLock { $0[place] ?? [] } }
      set { lines.withLock { $0[place] = newValue } }
    }
  }

  @Test(
    "the check at a position stays while events are appended, and changes when the log is rewritten"
  )
  func chain() throws {
    var generator = EventGenerator(seed: 3)
    let batches = (0..<6).map { _ in generator.events(40) }
    let make = { (batches: [[Event]]) in try SmallLog(batches, segmentByteCount: 9_000).reader() }
    let (short, long) = (try make(Array(batches[..<4])), try make(batches))
    #expect(long.segments.count > 2)
    #expect(short.chainCheck(at: 0) == nil && short.chainCheck(at: 39) == nil)
    #expect(short.chainCheck(at: 200) == nil)
    for end in [40, 80, 120, 160] as [UInt64] {
      #expect(short.chainCheck(at: end) != nil)
      #expect(short.chainCheck(at: end) == long.chainCheck(at: end))
    }
    // The first event is another, and all segments but the first are what they were.
    var other = batches
    other[0][0] = Event(
      time: other[0][0].time, unit: other[0][0].unit, id: "another", payload: other[0][0].payload)
    let changed = try make(other)
    for end in [40, 80, 120, 160, 200, 240] as [UInt64] {
      #expect(changed.chainCheck(at: end) != long.chainCheck(at: end))
    }
  }
}
