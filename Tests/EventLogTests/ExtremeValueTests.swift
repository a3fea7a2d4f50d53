import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("Extreme values")
struct ExtremeValueTests {
  /// A number of every sort of bit pattern.
  private static let numbers: [Double] = {
    var numbers: [Double] = [
      0, -0.0, .infinity, -.infinity, .nan, .signalingNaN, -.nan, .leastNonzeroMagnitude,
      -.leastNonzeroMagnitude, .leastNormalMagnitude, .leastNormalMagnitude.nextDown,
      .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .ulpOfOne, 0x1p53, 0x1p53 - 1,
      0x1p53 + 2, -0x1p53, -0x1p53 + 1, 0x1p63, -0x1p63, 0x1p63.nextDown, 0x1p64, 0.1 + 0.2,
    ]
    for payload in [1, 2, 0xDEAD, 1 << 50, (1 << 51) - 1] as [UInt64] {
      for sign in [0, 1 << 63] as [UInt64] {
        numbers.append(Double(bitPattern: sign | 0x7FF0 << 48 | payload))
        numbers.append(Double(bitPattern: sign | 0x7FF8 << 48 | payload))
        numbers.append(Double(bitPattern: sign | payload))
      }
    }
    var power = 1.0
    for _ in 0...22 {
      numbers += [power, -power, 1 / power, power.nextUp, power.nextDown, 3 / power, power + 0.5]
      power *= 10
    }
    return numbers
  }()

  private func roundTrips(_ numbers: [Double]) throws -> Bool {
    var bytes: [UInt8] = []
    NumberStream.write(numbers, to: &bytes)
    let back = try NumberStream.read(bytes[...], count: numbers.count)
    return back.map(\.bitPattern) == numbers.map(\.bitPattern)
  }

  @Test("numbers of every bit pattern round-trip: alone, together, among decimals, repeated")
  func everyNumber() throws {
    #expect(try roundTrips(Self.numbers))
    for number in Self.numbers {
      #expect(try roundTrips([number]), "\(number)")
      #expect(try roundTrips([number, 1]), "\(number)")
      #expect(try roundTrips([number] + (0..<99).map { Double($0 * 7) / 100 }), "\(number)")
      #expect(try roundTrips((0..<99).map { $0 % 3 == 0 ? number : 0.3 }), "\(number)")
    }
  }

  @Test("extreme 64-bit integers round-trip, whatever follows them")
  func wholeNumbers() throws {
    let edges: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max, 1 << 53, -(1 << 53), 1 << 32]
    for first in edges {
      for second in edges {
        for count in [2, 3, 1_024, 1_025] {
          for pattern in [2, 3, 7, count] {
            let values = (0..<count).map { $0 % pattern == 0 ? first : second }
            var bytes: [UInt8] = []
            IntegerStream.write(values, to: &bytes)
            #expect(try IntegerStream.read(bytes[...], count: count, as: Int64.self) == values)
          }
        }
      }
    }
  }

  @Test("streams of 1 and of 65,537 distinct values round-trip", arguments: [1, 65_536, 65_537])
  func distinct(count: Int) throws {
    let whole = (0..<count).map { Int64($0) &* 0x5851_F42D_4C95_7F2D }
    var bytes: [UInt8] = []
    IntegerStream.write(whole, to: &bytes)
    #expect(try IntegerStream.read(bytes[...], count: count, as: Int64.self) == whole)
    #expect(try roundTrips(whole.map { Double(bitPattern: UInt64(bitPattern: $0)) }))
    var texts = TextList()
    for number in whole { texts.append(String(number, radix: 7).utf8) }
    bytes = []
    TextStream.write(texts, to: &bytes)
    #expect(try TextStream.read(bytes[...], count: count) == texts)
  }

  @Test("events at extreme times, with the fewest and the most fields, round-trip")
  func events() throws {
    var attributes = Attributes()
    for (index, number) in Self.numbers.enumerated() where number.isFinite {
      attributes["n\(index)"] = .number(number)
    }
    for (index, number) in [Int64.min, .max, 1 << 53 + 1].enumerated() {
      attributes["i\(index)"] = .integer(number)
    }
    attributes[""] = .text("")
    let times = [-62_135_596_800_000_000, -1, 0, 253_402_300_799_999_999] as [Int64]
    let events = times.flatMap { time in
      [nil, attributes, [:]].map { metadata in
        Event(
          time: Timestamp(microseconds: time), unit: "u",
          payload: .conversion(
            Conversion(goal: "g", revenue: metadata == nil ? nil : -0.0, metadata: metadata)))
      }
    }
    let disk = MemoryDisk()
    for batch in [events, Array(events.prefix(1)), []] {
      let writer = try LogWriter("log", options: LogOptions(seed: 1), disk: disk)
      try writer.append(batch)
      try writer.commit()
    }
    let log = try LogReader("log", disk: disk)
    #expect(try log.allEvents() == events + events.prefix(1))
    #expect(try log.verify().problems.isEmpty)
  }
}
