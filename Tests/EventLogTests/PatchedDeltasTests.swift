import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("Patched deltas")
struct PatchedDeltasTests {
  /// Values that rise by gaps of about the same size, some of which repeat, and some of which are far off.
  private func times(_ random: inout SeededGenerator, _ count: Int) -> [Int64] {
    let usual = UInt64(random.index(60))
    let far = UInt64(random.index(64))
    let step = random.chance(0.3) ? Int64(bitPattern: random.next()) : 0
    let repeats = random.chance(0.5) ? Double(random.index(100)) / 100 : 0
    let late = random.chance(0.7) ? Double(random.index(20)) / 100 : 0
    var value = random.chance(0.5) ? 0 : Int64(bitPattern: random.next())
    return (0..<count).map { _ in
      if !random.chance(repeats) {
        value &+= step &+ Int64(bitPattern: random.next() >> (63 - usual))
      }
      guard random.chance(late) else { return value }
      let distance = Int64(bitPattern: random.next() >> far)
      if random.chance(0.2) { value &+= distance }
      return value &- distance
    }
  }

  /// The stream whatever other encodings would take, because the limit is far above all of them.
  private func stream(_ values: [Int64]) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let deltas = PatchedDeltas(values.span, cheaperThan: 1 << 40)
    try #require(deltas).write(to: &bytes)
    return bytes
  }

  private func expectSame(_ values: [Int64], _ note: Comment) throws {
    let bytes = try stream(values)
    #expect(bytes == NaivePatchedDeltas.stream(values, cheaperThan: 1 << 40), note)
    #expect(try NaivePatchedDeltas.values(bytes, count: values.count) == values, note)
    #expect(
      try IntegerStream.read(bytes[...], count: values.count, as: Int64.self) == values, note)
    var again: [UInt32] = Array(repeating: 0xDEAD_BEEF, count: values.count / 2 + 700)
    try IntegerStream.read(bytes[...], count: values.count, into: &again)
    #expect(again == values.map { UInt32(truncatingIfNeeded: $0) }, note)
  }

  @Test(
    "are written as by the naive implementation and round-trip, in every type", arguments: 0..<50)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      try expectSame(times(&random, 2 + random.index(40)), "seed \(seed)")
    }
    try expectSame(times(&random, 2 + random.index(1_500)), "seed \(seed)")
  }

  @Test("round-trip for every count of values up to 1,100, and for many up to 3,000")
  func counts() throws {
    var random = SeededGenerator(seed: 1)
    for count in Array(2...1_100) + Array(2_040...2_056) + stride(from: 1_107, to: 3_001, by: 11) {
      let values = times(&random, count)
      let bytes = try stream(values)
      #expect(
        try IntegerStream.read(bytes[...], count: count, as: Int64.self) == values, "\(count)")
    }
  }

  @Test("round-trip for extreme numbers, constant values, and distinct values")
  func extremes() throws {
    let ends: [Int64] = [.min, .max, 0, -1, 1, .min + 1, .max - 1]
    var random = SeededGenerator(seed: 2)
    for count in [2, 3, 7, 1_024, 1_025, 1_026, 2_050] {
      try expectSame((0..<count).map { ends[$0 % 7] }, "in turn, \(count)")
      try expectSame((0..<count).map { _ in ends[random.index(7)] }, "at random, \(count)")
      try expectSame((0..<count).map { $0 == count / 2 ? .min : Int64($0) }, "one, \(count)")
      try expectSame(Array(repeating: .min, count: count), "same, \(count)")
      try expectSame((0..<count).map { _ in Int64(bitPattern: random.next()) }, "any, \(count)")
    }
  }

  @Test("a late event costs a few bytes, not a wider block")
  func late() throws {
    let gaps = (0..<1_024).map { Int64($0 * 7_919 % 1_021) }
    let even = gaps.indices.map { gaps[..<$0].reduce(0, +) }
    var late = even
    late[500] -= 1 << 36
    let (without, with) = (try stream(even).count, try stream(late).count)
    #expect(with > without)
    #expect(with - without <= 12)
  }

  @Test("a repeated value costs one bit")
  func repeats() throws {
    let gaps = (0..<1_024).map { Int64($0 * 7_919 % 1_021) + 1 }
    let once = gaps.indices.map { gaps[..<$0].reduce(0, +) }
    let fourTimes = (0..<4_096).map { once[$0 / 4] }
    #expect(try stream(fourTimes).count - stream(once).count == 4_096 / 8)
  }

  @Test("a small log with irregular times and a few late events uses them for its times")
  func smallLog() throws {
    var random = SeededGenerator(seed: 3)
    var generator = EventGenerator(seed: 3)
    var time: Int64 = 1_767_225_600_000_000
    let events = (0..<200).map { index in
      time += Int64(random.index(1 << 20))
      let late: Int64 = index % 50 == 25 ? 1 << 32 : 0
      var event = generator.next()
      event.time = Timestamp(microseconds: time - late)
      return event
    }
    let log = try SmallLog([events])
    let usage = try log.reader().columnUsage().filter { $0.column == "time" }
    #expect(usage.map(\.encoding) == ["patched-delta"])
    #expect(try log.reader().eventsByPosition().count == 200)
  }

  // MARK: Damage

  /// A stream of 20 values: its header of 16 bytes, a head of 12 (width at 24, that of the rests at 25, exceptions at
  /// 26), 19 differences of 4 bits in 10 bytes, and from 38 on the places of two exceptions.
  private func small() throws -> [UInt8] {
    var values = (0..<20).map { Int64($0 * 20 + $0 * 7 % 11) }
    values[9] -= 1 << 40
    let bytes = try stream(values)
    try #require(bytes[24] == 4 && bytes[26] == 2 && bytes[1] == 0)
    return bytes
  }

  private func reason(_ bytes: [UInt8], count: Int = 20) -> String? {
    do throws(ColumnError) {
      _ = try IntegerStream.read(bytes[...], count: count, as: Int64.self)
      return nil
    } catch {
      return error.reason
    }
  }

  @Test("invalid indices, counts, widths, flags and extra bytes are reported")
  func damage() throws {
    let good = try small()
    #expect(reason(good) == nil)
    func changed(_ position: Int, _ byte: UInt8) -> [UInt8] {
      var bytes = good
      bytes[position] = byte
      return bytes
    }
    #expect(reason(changed(38, 0xFF)) == "an exception at place 255 of 19")
    #expect(reason(changed(26, 20)) == "20 exceptions among 19 differences")
    #expect(reason(changed(27, 0xFF)) == "65282 exceptions among 19 differences")
    #expect(reason(changed(24, 65)) != nil)
    #expect(reason(changed(24, 0xFF)) != nil)
    #expect(reason(changed(25, 0xFF)) != nil)
    #expect(reason(changed(1, 2)) == "differences of 20 values with the mark 2")
    #expect(reason(good + [0]) == "1 bytes too many")
    let none = [4, 0, 0, 0] + [UInt8](repeating: 0, count: 12)
    #expect(reason(none, count: 0) == "differences of 0 values with the mark 0")
    let many = [4, 0, 0, 0, 0, 0, 0, 0x40] + [UInt8](repeating: 0, count: 8)
    #expect(reason(many, count: 1 << 30)?.contains("bytes are announced") == true)
    var repeated = try stream((0..<40).map { Int64($0 / 2 * 1_000) })
    try #require(repeated[1] == 1)
    repeated[16] |= 1
    #expect(reason(repeated, count: 40) == "the first value differs from the one before")
  }

  @Test("random bytes after a header give values or an error", arguments: 0..<200)
  func noise(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let values = times(&random, 2 + random.index(2_200))
    let good = try stream(values)
    for _ in 0..<50 {
      var bytes = good
      for _ in 0...random.index(4) {
        bytes[16 + random.index(bytes.count - 16)] = UInt8(truncatingIfNeeded: random.next())
      }
      if random.chance(0.2) { bytes.removeLast(random.index(bytes.count - 16)) }
      let read = try? IntegerStream.read(bytes[...], count: values.count, as: UInt32.self)
      #expect(read.map(\.count) ?? values.count == values.count, "seed \(seed)")
    }
  }
}
