import Replay
import Specifications
import TestSupport
import Testing

@testable import Projections

@Suite("Chunks of histories")
struct HistoryChunkTests {
  private static let arms = (1...5 as ClosedRange<UInt32>).map {
    Arm(experiment: $0, point: 0, slot: 0, variant: $0)
  }

  private func event(_ random: inout SeededGenerator, unit: UInt32) -> UnitEvent {
    let kind = UnitEvent.Kind(rawValue: UInt8(random.index(14))) ?? .decision
    let ofArm = kind.isDecision || kind == .confirmation || kind == .goalPlace
    let subject = UInt32(ofArm ? random.index(5) : random.index(1_000_000))
    let numbers = [
      0, -0.0, 1, 3.99, -2.5, 1.0 / 3, 1e300, .nan, -Double.nan, 12345.67, 0.679, 0.195, 0.0001,
      0.123456,
      1.0 / 49, 2.0 / 3, 1e-300, 1e-9, 2e-9, 0.1 + 0.2, 0.9999999999999999, .infinity,
    ]
    let isGoal = kind == .goal || kind == .refusedGoal
    return UnitEvent(
      time: random.chance(0.05) ? [.min, .max][random.index(2)] : Int64(random.index(1 << 50)),
      number: numbers[random.index(numbers.count)], unit: unit,
      experiment: ofArm
        ? Self.arms[Int(subject)].experiment : isGoal ? UInt32(random.index(9)) : 0,
      subject: subject, kind: kind, hasNumber: random.chance(0.5),
      isNegative: kind == .conversion && random.chance(0.2))
  }

  private func text(_ event: UnitEvent) -> String {
    "\(event.time) \(event.number.bitPattern) \(event.unit) \(event.experiment) \(event.subject) "
      + "\(event.kind) \(event.hasNumber) \(event.isNegative)"
  }

  @Test("events read back as they were, of every unit and of one alone", arguments: 0..<40)
  func roundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let bucketCount = 1 + random.index(40)
    let bucket = random.index(bucketCount)
    var writer = HistoryWriter(bucketCount: bucketCount)
    var expected: [UnitEvent] = []
    var code = 0
    for _ in 0..<random.index(200) {
      code += 1 + random.index(1_000)
      let unit = UInt32(code * bucketCount + bucket)
      let events = (0..<1 + random.index(random.chance(0.02) ? 900 : 6)).map { _ in
        event(&random, unit: unit)
      }
      writer.add(events.span)
      expected += events
    }
    var read: [UnitEvent] = []
    for chunk in writer.takeChunks() {
      let entries = try HistoryChunk.entries(
        of: chunk.bytes, bucket: bucket, bucketCount: bucketCount)
      #expect(
        entries.last?.unit == chunk.last && (chunk.bytes.count <= 4_080 || entries.count == 1))
      for entry in entries {
        try HistoryChunk.read(entry, of: chunk.bytes, arms: Self.arms, into: &read)
      }
    }
    #expect(read.map(text) == expected.map(text), "seed \(seed)")
  }

  @Test(
    "any changed byte is found, and bytes with a right checksum make no trap", arguments: 0..<40)
  func hostile(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var writer = HistoryWriter(bucketCount: 3)
    for code in 0..<10 as Range<UInt32> {
      writer.add([event(&random, unit: code * 3 + 1), event(&random, unit: code * 3 + 1)].span)
    }
    let chunk = try #require(writer.takeChunks().first)
    for place in chunk.bytes.indices {
      var bytes = chunk.bytes
      bytes[place] ^= 1 << UInt8(random.index(8))
      #expect(throws: StateError.self) {
        try HistoryChunk.entries(of: bytes, bucket: 1, bucketCount: 3)
      }
      let forged = HistoryChunk.sealed(Array(bytes[4...]))
      var events: [UnitEvent] = []
      do throws(StateError) {
        for entry in try HistoryChunk.entries(of: forged, bucket: 1, bucketCount: 3) {
          try HistoryChunk.read(entry, of: forged, arms: Self.arms, into: &events)
        }
      } catch {}
      #expect(events.allSatisfy { !$0.kind.isDecision || $0.subject < 5 })
    }
  }
}
