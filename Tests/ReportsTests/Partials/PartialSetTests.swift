import Replay
import TestSupport
import Testing

@testable import Reports

@Suite("Partials that are merged")
struct PartialSetTests {
  private static func partial(_ shard: Int, of count: Int = 2) -> Partial {
    var partial = Partial(
      version: "1.0", numerics: "abc", question: "report: rewards\nby: day", dataEnd: nil,
      shardCount: count, shards: [shard], firstPass: 0, given: 0)
    partial.eventCount = 10 * shard
    partial.latest = Int64(shard)
    partial.passes = [StatePass(context: [1], states: [[2, 3], []])]
    return partial
  }

  private func set(_ partials: [Partial], expected: Partial? = nil) throws -> PartialSet {
    let files = partials.map(\.bytes)
    return try PartialSet(
      files.indices.map { "part-\($0)" }, expected: expected ?? Self.common
    ) { files[Int($0.dropFirst(5)) ?? 0] }
  }

  /// What all partials have in common.
  private static var common: Partial {
    var partial = partial(1)
    (partial.shards, partial.shardCount, partial.eventCount) = ([], 0, 0)
    (partial.latest, partial.passes) = (nil, [])
    return partial
  }

  private func expectRefusal(_ parts: String..., of body: () throws -> Void) {
    do {
      try body()
      Issue.record("it is not refused")
    } catch let error as PartialSet.Refusal {
      for part in parts { #expect(error.description.contains(part), "\(error)") }
    } catch {
      Issue.record(error)
    }
  }

  @Test("have their counts added, and their latest time is that of all")
  func sums() throws {
    let set = try set([Self.partial(2), Self.partial(1)])
    try set.requireAllShards()
    #expect(set.common.shards == [1, 2])
    #expect(set.common.eventCount == 30)
    #expect(set.common.latest == 2)
    #expect(set.parts.count == 2)
    #expect(try set.parts[0]().states == [[2, 3], []])
  }

  @Test("miss what all of them miss, but for those without events")
  func missing() throws {
    let partials = [["by", "caf\u{E9}", "x"], ["cafe\u{301}", "x"], []].enumerated().map {
      var partial = Self.partial($0.offset + 1, of: 3)
      partial.missing = $0.element
      if $0.element.isEmpty { partial.eventCount = 0 }
      return partial
    }
    #expect(try set(partials).common.missing == ["x"])
    #expect(try set([partials[2]]).common.missing.isEmpty)
  }

  @Test("of more shards than there can be are damaged")
  func shardCount() throws {
    let partial = Self.partial(1, of: 1 << 40)
    #expect(throws: (any Error).self) { try Partial(bytes: partial.bytes) }
    #expect(try Partial(bytes: Self.partial(1, of: 4_096).bytes).shardCount == 4_096)
  }

  @Test("may be given twice")
  func duplicates() throws {
    let set = try set([Self.partial(1), Self.partial(2), Self.partial(1)])
    #expect(set.common.eventCount == 30)
    #expect(set.parts.count == 2)
  }

  @Test("are refused when shards are missing")
  func missingShards() throws {
    let one = try set([Self.partial(3, of: 4)])
    expectRefusal("1/4, 2/4, 4/4", "are missing") { try one.requireAllShards() }
  }

  @Test("are refused when two of a shard differ")
  func differing() {
    var other = Self.partial(1)
    other.eventCount += 1
    expectRefusal("part-2", "part-0", "shard 1/2", "differ") {
      _ = try set([Self.partial(1), Self.partial(2), other])
    }
  }

  @Test("are refused when they do not belong together")
  func foreign() {
    func changed(_ change: (inout Partial) -> Void) -> [Partial] {
      var other = Self.partial(2)
      change(&other)
      return [Self.partial(1), other]
    }
    expectRefusal("part-1", "version 2.0, not 1.0") {
      _ = try set(changed { $0.version = "2.0" })
    }
    expectRefusal("part-1", "elementary functions", "abd") {
      _ = try set(changed { $0.numerics = "abd" })
    }
    expectRefusal("part-1", "another question", "\"by: week\", not \"by: day\"") {
      _ = try set(changed { $0.question = "report: rewards\nby: week" })
    }
    expectRefusal("part-1", "another question", "not \"by: context.cafe\u{301}\"") {
      var composed = Self.common
      composed.question = "report: rewards\nby: context.cafe\u{301}"
      let partials = ["caf\u{E9}", "cafe\u{301}"].map { name in
        var partial = Self.partial(1)
        partial.question = "report: rewards\nby: context.\(name)"
        return partial
      }
      _ = try set(partials.reversed(), expected: composed)
    }
    expectRefusal("part-1", "--data-end") { _ = try set(changed { $0.dataEnd = 5 }) }
    expectRefusal("part-1", "one of 3 shards", "one of 2") {
      _ = try set(changed { $0.shardCount = 3 })
    }
    expectRefusal("part-1", "--given") { _ = try set(changed { $0.given = 7 }) }
    expectRefusal("part-1", "--given") { _ = try set(changed { $0.firstPass = 1 }) }
    expectRefusal("no partial") { _ = try set([]) }
  }

  @Test("come back from their bytes, and no changed byte goes unnoticed")
  func bytes() throws {
    var partial = Self.partial(2)
    partial.losses = ["segment 3"]
    partial.missing = ["context.contry"]
    partial.lostEventCount = 4
    partial.dataEnd = -5
    let bytes = partial.bytes
    #expect(try Partial(bytes: bytes) == partial)
    var random = SeededGenerator(seed: 1)
    for _ in 0..<2_000 {
      var changed = bytes
      changed[random.index(bytes.count)] ^= UInt8(1 << random.index(8))
      #expect(throws: (any Error).self) { try Partial(bytes: changed) }
      #expect(throws: (any Error).self) {
        try Partial(bytes: Array(bytes.prefix(random.index(bytes.count))))
      }
    }
  }

  @Test("of states that are damaged end in errors, whatever the bytes are")
  func damagedStates() throws {
    let parts = try LogParts(LogParts.events(seed: 3, 500), into: 1)
    let reports: [any Report] = [
      RewardReport(), ConversionReport(), QuantileReport(), HealthReport(),
      PowerReport(),
      SeriesReport(), VisitReport(), try FunnelReport { $0.steps = ["g0"] },
      RetentionReport(),
    ]
    for report in reports { try expectNoTrap(report, parts) }
  }

  /// Changes bytes of a context and of states, behind the checksum, and merges them.
  private func expectNoTrap(_ report: some Report, _ parts: LogParts) throws {
    let partial = try Partial(bytes: parts.partial(report, 0, dataEnd: 0))
    var random = SeededGenerator(seed: 2)
    var failures = 0
    for _ in 0..<200 {
      var pass = partial.passes[0]
      if random.chance(0.5) {
        pass.context = random.changed(pass.context)
      } else {
        let index = random.index(pass.states.count)
        pass.states[index] = random.changed(pass.states[index])
      }
      do {
        let exchange = try StateExchange(
          merging: [{ [pass] in pass }], given: [], isRecording: false, dataEnd: 0)
        let source = ReportSource(
          report, MergedUnits(exchange), partial, UnitSelection(), path: "parts")
        _ = try report.result(of: source)
      } catch {
        failures += 1
      }
    }
    #expect(failures > 0)
  }
}

extension SeededGenerator {
  /// Returns bytes with one of them changed, removed or added.
  fileprivate mutating func changed(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    guard !bytes.isEmpty else { return [UInt8(index(256))] }
    switch index(3) {
    case 0: bytes[index(bytes.count)] = UInt8(index(256))
    case 1: bytes.remove(at: index(bytes.count))
    default: bytes.insert(UInt8(index(256)), at: index(bytes.count))
    }
    return bytes
  }
}
