import Events
import Foundation
import TestSupport
import Testing

@testable import Replay

@Suite("Periods")
struct PeriodTests {
  @Test("a period has the text of its start, also before 1970")
  func texts() {
    let day: Int64 = 86_400_000_000
    for (period, time, text) in [
      (Period.day, 0, "1970-01-01"), (.day, -1, "1969-12-31"), (.day, day, "1970-01-02"),
      (.hour, 3_599_999_999, "1970-01-01T00:00"), (.hour, -1, "1969-12-31T23:00"),
      (.week, 0, "1969-12-29"), (.week, 4 * day - 1, "1969-12-29"), (.week, 4 * day, "1970-01-05"),
      (.week, Timestamp.earliest.microseconds, "0001-01-01"),
      (.day, Timestamp.latest.microseconds, "9999-12-31"),
    ] {
      #expect(period.text(period.index(of: time)) == text, "\(period) \(time)")
    }
  }

  @Test("the earliest and the latest times have a period", arguments: Period.allCases)
  func extremes(period: Period) {
    for time in [Int64.min, .max] {
      #expect(!period.text(period.index(of: time)).isEmpty)
    }
  }

  @Test("agrees with Foundation's calendar", arguments: 0..<20)
  func foundation(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    let format = DateFormatter()
    (format.calendar, format.timeZone) = (calendar, calendar.timeZone)
    format.locale = Locale(identifier: "en_US_POSIX")
    for _ in 0..<20 {
      let seconds = Int64.random(in: -3_000_000_000...9_000_000_000, using: &random)
      let date = Date(timeIntervalSince1970: Double(seconds))
      let parts: [(Period, Calendar.Component, String)] = [
        (.hour, .hour, "yyyy-MM-dd'T'HH:mm"), (.day, .day, "yyyy-MM-dd"),
        (.week, .weekOfYear, "yyyy-MM-dd"),
      ]
      for (period, component, pattern) in parts {
        format.dateFormat = pattern
        let start = try #require(calendar.dateInterval(of: component, for: date)?.start)
        let text = period.text(period.index(of: seconds * 1_000_000))
        #expect(text == format.string(from: start), "seed \(seed), \(period) \(seconds)")
      }
    }
  }
}
