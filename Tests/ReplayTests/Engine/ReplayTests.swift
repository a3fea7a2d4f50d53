import Events
import TestSupport
import Testing

@testable import EventLog
@testable import Replay

@Suite("Replay on several threads")
struct ReplayTests {
  /// Keeps the positions of all events, in the order in which they came.
  private struct PositionProjector: Projector {
    var filter = FrameFilter()
    var columns: EventColumns { [] }
    func makeState() -> [UInt64] { [] }
    func apply(_ batch: EventBatch, to state: inout [UInt64]) {
      state += (0..<UInt64(batch.count)).map { batch.basePosition + $0 }
    }
    func merge(_ later: [UInt64], into state: inout [UInt64]) { state += later }
  }

  private func events(_ count: Int) -> [Event] {
    (0..<count).map { goal(Int64($0), "u\($0 % 3)", 1) }
  }

  @Test("states are merged in the order of the log", arguments: [1, 2, 3, 7, 64, 200])
  func order(jobs: Int) throws {
    let log = try WorldLog(events(300), perFrame: 2)
    let positions = try LogReplay(log.reader, jobs: jobs).run(PositionProjector())
    #expect(positions == Array(0..<300))
  }

  @Test(
    "parts have about as many events each, and there are no more than asked for", arguments: 1..<40)
  func shares(count: Int) throws {
    let log = try WorldLog(events(120), perFrame: 3)
    let parts = FrameShares(log.reader, FrameFilter(), count).parts
    #expect(parts.count == min(count, 40))
    #expect(parts.flatMap { $0 } == Array(0..<40))
    let sizes = parts.map(\.count)
    #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 2)
  }

  @Test("an empty log has an empty result on any number of threads")
  func empty() throws {
    let log = try WorldLog([])
    for jobs in [1, 4] {
      #expect(try LogReplay(log.reader, jobs: jobs).run(PositionProjector()).isEmpty)
      let tallies = try LogReplay(log.reader, jobs: jobs).run(
        UnitSelection(), units: RewardProjector())
      #expect(tallies.segments.isEmpty)
    }
  }

  @Test("frames that a projector does not need are skipped")
  func filter() throws {
    let log = try WorldLog(
      [
        decision(1, "u", "a"), goal(2, "u", 1), conversion(3, "u"),
        dataPoint(4, "u", kind: "k", key: nil, value: nil),
      ],
      perFrame: 1)
    let projector = PositionProjector(filter: FrameFilter(kinds: [.decision, .conversion]))
    #expect(try LogReplay(log.reader, jobs: 2).run(projector) == [0, 2])
  }

  @Test("a replay always reports the first damage", arguments: [1, 2, 7, 64])
  func damage(jobs: Int) throws {
    let log = try WorldLog(events(400), perFrame: 10)
    let path = try #require(log.reader.segments.first).path
    var bytes = try readFile(path)
    let frames = log.reader.frames
    // The last byte before the trailer belongs to a column that is read.
    for index in [7, 21, 33] {
      let entry = try #require(frames[index].entry(.value) ?? frames[index].entries.last)
      bytes[Int(frames[index].offset) + Int(entry.offset)] ^= 0xFF
    }
    try writeFile(bytes, path)
    let damaged = try LogReader(log.reader.path)
    let expected = try #require(
      #expect(throws: LogError.self) {
        try damaged.forEachBatch([.time, .unit, .experiment, .goal, .value, .status]) { _ in }
      })
    let error = #expect(throws: LogError.self) {
      try LogReplay(damaged, jobs: jobs).run(UnitSelection(), units: RewardProjector())
    }
    #expect(error?.offset == expected.offset)
  }

  @Test("events beyond the memory limit come back from the temporary file unchanged")
  func spilling() throws {
    var buckets = UnitBuckets(count: 8)
    var expected: [[Int64]] = Array(repeating: [], count: 8)
    var random = SeededGenerator(seed: 5)
    for step in 0..<2_000 {
      let unit = UInt32(random.index(40))
      expected[Int(unit) % 8].append(Int64(step))
      buckets.arrived.append(
        UnitEvent(time: Int64(step), number: 1, unit: unit, experiment: 0, subject: 0, kind: .goal))
      if step % 300 == 299 { try buckets.spill(to: "/nowhere") }
      if step % 170 == 0 { buckets.settle(atOnce: true) }
    }
    buckets.settle(atOnce: true)
    #expect(buckets.spilledByteCount == 1_800 * 32)
    var bytes: [UInt8] = []
    for bucket in 0..<8 {
      var events: [UnitEvent] = []
      try buckets.read(bucket, into: &events, &bytes)
      #expect(events.map(\.time) == expected[bucket])
    }
  }

  @Test("runs of any length come back from memory in the order of their arrival", arguments: 1...4)
  func runs(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var buckets = UnitBuckets(count: 4)
    var expected: [[Int64]] = Array(repeating: [], count: 4)
    // Several runs share a slab, some fill one, and some need more than one.
    for _ in 0..<6 {
      for _ in 0..<1 + random.index(EventSlab.standardCapacity * 3 / 2) {
        let unit = UInt32(random.index(1_000))
        let time = Int64(expected.reduce(0) { $0 + $1.count })
        expected[Int(unit) % 4].append(time)
        buckets.arrived.append(
          UnitEvent(time: time, number: 1, unit: unit, experiment: 0, subject: 0, kind: .goal))
      }
      buckets.settle(atOnce: true)
    }
    #expect(buckets.eventCount == expected.reduce(0) { $0 + $1.count })
    for bucket in 0..<4 {
      var (times, events, bytes) = ([Int64](), [UnitEvent](), [UInt8]())
      unsafe buckets.forEachRun(bucket) { unsafe times += $0.map(\.time) }
      try buckets.read(bucket, into: &events, &bytes)
      #expect(times == expected[bucket], "seed \(seed)")
      #expect(events.map(\.time) == expected[bucket], "seed \(seed)")
    }
  }

  @Test("late events of a unit are distinguished by their position in the log")
  func late() {
    var history = UnitHistory()
    let times: [Int64] = [5, 3, 5, 9, 8]
    history.load(
      times.map {
        UnitEvent(time: $0, number: 0, unit: 1, experiment: 1, subject: 0, kind: .goal)
      }, arms: [])
    #expect(history.events.map(\.time) == [3, 5, 5, 8, 9])
    #expect(history.events.map(\.isLate) == [true, false, false, true, false])
  }
}
