import Foundation
import TestSupport
import Testing

@testable import Events

@Suite("Timestamps")
struct TimestampTests {
  private func read(_ text: String) -> Timestamp? {
    let bytes = Array(text.utf8)
    return Timestamp(iso8601: bytes.span)
  }

  @Test(
    "parse every form of ISO 8601 that defines a point in time",
    arguments: [
      "2026-01-02T03:04:05.678901Z", "2026-01-02t03:04:05.678901z", "2026-01-02 03:04:05.678901Z",
      "2026-01-02T03:04:05,678901Z", "2026-01-02T03:04:05.678901999Z",
      "2026-01-02T03:04:05.678901+00:00", "2026-01-02T04:34:05.678901+01:30",
      "2026-01-02T04:34:05.678901+0130", "2026-01-01T20:04:05.678901-07",
      "2026-01-02T03:04:05.678901-00:00",
    ])
  func forms(text: String) {
    #expect(read(text)?.microseconds == 1_767_323_045_678_901)
  }

  @Test(
    "truncate below a microsecond and accept one to nine digits",
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.1Z", 100_000),
      ("1970-01-01T00:00:00.000001Z", 1), ("1970-01-01T00:00:00.0000019Z", 1),
      ("1970-01-01T00:00:00.123456789Z", 123_456), ("1969-12-31T23:59:59.999999Z", -1),
      ("2024-02-29T00:00:00Z", 1_709_164_800_000_000),
      ("0001-01-01T00:00:00Z", Timestamp.earliest.microseconds),
      ("9999-12-31T23:59:59.999999Z", Timestamp.latest.microseconds),
    ] as [(String, Int64)])
  func fractions(text: String, microseconds: Int64) {
    #expect(read(text)?.microseconds == microseconds)
  }

  @Test(
    "refuse everything else",
    arguments: [
      "", "2026", "2026-01-02", "2026-01-02T03:04:05", "2026-01-02T03:04Z", "2026-1-2T03:04:05Z",
      "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z",
      "1900-02-29T00:00:00Z",
      "2026-04-31T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z",
      "2026-01-01T00:60:00Z",
      "2026-01-01T00:00:60Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.0123456789Z",
      "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+01:60", "2026-01-01T00:00:00+1",
      "2026-01-01T00:00:00+01:", "2026-01-01T00:00:00+01:0", "2026-01-01T00:00:00Zx",
      " 2026-01-01T00:00:00Z", "2026-01-01T00:00:00 Z", "0000-01-01T00:00:00Z",
      "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "+2026-01-01T00:00:00Z",
      "２026-01-01T00:00:00Z", "2026/01/01T00:00:00Z", "20260101T000000Z",
    ])
  func refused(text: String) {
    #expect(read(text) == nil)
  }

  @Test(
    "determine the unit of an integer by its magnitude",
    arguments: [
      (0, 0), (1, 1_000_000), (-1, -1_000_000), (99_999_999_999, 99_999_999_999_000_000),
      (100_000_000_000, 100_000_000_000_000), (-100_000_000_000, -100_000_000_000_000),
      (99_999_999_999_999, 99_999_999_999_999_000), (100_000_000_000_000, 100_000_000_000_000),
      (99_999_999_999_999_999, 99_999_999_999_999_999),
      (100_000_000_000_000_000, 100_000_000_000_000),
      (1_767_323_045_678_901_999, 1_767_323_045_678_901),
      (-1_767_323_045_678_901_001, -1_767_323_045_678_902), (.max, 9_223_372_036_854_775),
      (.min, -9_223_372_036_854_776), (-62_135_596_800, Timestamp.earliest.microseconds),
    ] as [(Int64, Int64)])
  func wholeNumbers(number: Int64, microseconds: Int64) {
    #expect(Timestamp(sinceEpoch: number)?.microseconds == microseconds)
  }

  @Test(
    "determine the unit of a fractional number likewise and round to the microsecond",
    arguments: [
      (0, 0), (1.5, 1_500_000), (-1.5, -1_500_000), (1_767_323_045.678901, 1_767_323_045_678_901),
      (0.0000004, 0), (0.0000006, 1), (-0.0000006, -1),
      (1_767_323_045_678.9, 1_767_323_045_678_900),
      (1_767_323_045_678_901.75, 1_767_323_045_678_901),
      (-1_767_323_045_678_901.25, -1_767_323_045_678_902),
      (1.7673230456789012e18, 1_767_323_045_678_901),
    ] as [(Double, Int64)])
  func fractionalNumbers(number: Double, microseconds: Int64) {
    #expect(Timestamp(sinceEpoch: number)?.microseconds == microseconds)
  }

  /// A parser that takes one byte after the other.
  private func twin(_ bytes: [UInt8]) -> Int64? {
    var rest = bytes[...]
    func number(_ digits: Int) -> Int? {
      let text = rest.prefix(digits)
      guard text.count == digits, text.allSatisfy({ (48...57).contains($0) }) else { return nil }
      rest = rest.dropFirst(digits)
      return text.reduce(0) { $0 * 10 + Int($1) - 48 }
    }
    func skip(_ characters: String) -> Bool {
      guard let next = rest.first, characters.utf8.contains(next) else { return false }
      rest = rest.dropFirst()
      return true
    }
    guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2),
      skip("Tt "), let hour = number(2), skip(":"), let minute = number(2), skip(":"),
      let second = number(2), year > 0, day > 0, day <= Calendar.daysIn(month: month, year: year),
      hour < 24, minute < 60, second < 60, skip("Zz"), rest.isEmpty
    else { return nil }
    let days = Int64(Calendar.days(year: year, month: month, day: day))
    return (days * 86_400 + Int64(hour * 3_600 + minute * 60 + second)) * 1_000_000
  }

  @Test("agree with one byte after the other, also for texts that are nearly times", arguments: 0..<8)
  func likeTwin(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<4_000 {
      let seconds = Int64.random(in: -62_135_596_800..<253_402_300_800, using: &random)
      var bytes: [UInt8] = []
      Timestamp(microseconds: seconds * 1_000_000).write(to: &bytes)
      for _ in 0..<random.index(3) {
        let byte = random.chance(0.5) ? UInt8.random(in: 0...255, using: &random) : 0x30
        bytes[random.index(bytes.count)] = byte
      }
      if random.chance(0.05) { bytes.removeLast(random.index(12)) }
      // Fractions and offsets follow the twenty bytes that are read at once.
      if bytes.count > 20 || bytes.dropFirst(19).contains(where: { ".,+-".utf8.contains($0) }) { continue }
      #expect(Timestamp(iso8601: bytes.span)?.microseconds == twin(bytes), "seed \(seed), \(bytes)")
    }
  }

  @Test("refuse numbers outside the years 1 to 9999")
  func numbersOutside() {
    #expect(Timestamp(sinceEpoch: Int64(-62_135_596_801)) == nil)
    #expect(Timestamp(sinceEpoch: Int64(-99_999_999_999)) == nil)
    for number in [.nan, .infinity, -.infinity, 9.2e18, -1e19, .greatestFiniteMagnitude, -7e10] {
      #expect(Timestamp(sinceEpoch: number as Double) == nil)
    }
  }

  @Test("round-trip", arguments: 0..<4)
  func roundTrip(seed: UInt64) {
    var events = RandomEvents(seed: seed)
    for time in [.earliest, .latest] + (0..<5_000).map({ _ in events.time() }) {
      #expect(read(time.description) == time, "seed \(seed): \(time)")
    }
  }

  @Test("agree with Foundation since the Gregorian reform", arguments: 0..<4)
  func foundation(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let style = Date.ISO8601FormatStyle()
    for _ in 0..<1_000 {
      let seconds = Int64.random(in: -12_000_000_000...253_402_300_799, using: &generator)
      let time = Timestamp(microseconds: seconds * 1_000_000)
      let text = Date(timeIntervalSince1970: Double(seconds)).formatted(style)
      #expect(time.description == text, "seed \(seed)")
      #expect(read(text) == time, "seed \(seed)")
    }
  }

  @Test("count the days of every month from 1 to 9999 like a calendar")
  func calendar() {
    var days = -719_162
    for year in 1...9_999 {
      let isLeap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0)
      for (index, length) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        .enumerated()
      {
        let isRight =
          Events.Calendar.days(year: year, month: index + 1, day: 1) == days
          && Events.Calendar.date(days: days) == (year, index + 1, 1)
          && Events.Calendar.date(days: days + length - 1) == (year, index + 1, length)
          && Events.Calendar.daysIn(month: index + 1, year: year) == length
        if !isRight { Issue.record("\(year)-\(index + 1)") }
        days += length
      }
    }
    #expect(Events.Calendar.daysIn(month: 13, year: 2026) == 0)
  }

  @Test("beyond the parsed years can still be described")
  func extremes() {
    #expect(Timestamp(microseconds: .min).description == "-290308-12-21T19:59:05.224192Z")
    #expect(Timestamp(microseconds: .max).description == "294247-01-10T04:00:54.775807Z")
    #expect(!Timestamp(microseconds: .min).isWritable && !Timestamp(microseconds: .max).isWritable)
    #expect(Timestamp.earliest.isWritable && Timestamp.latest.isWritable)
  }

  @Test("are ordered by time")
  func order() {
    #expect(Timestamp(microseconds: -1) < Timestamp(microseconds: 0))
    #expect(!(Timestamp.latest < Timestamp.latest))
  }
}
