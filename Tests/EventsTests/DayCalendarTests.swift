import Foundation
import TestSupport
import Testing

@testable import Events

/// Days of 23 and 25 hours, of half hours more or less, and days that a zone skipped.
@Suite("Calendars of time zones")
struct DayCalendarTests {
  private static let hour: Int64 = 3_600_000_000

  /// Returns the data of a zone: its offsets in seconds, the times from which each but the first holds, and the rule
  /// for the years after.
  private static func data(_ offsets: [Int] = [0], from times: [Int] = [], rule: String) -> [UInt8] {
    func bytes(_ number: Int, _ size: Int) -> [UInt8] {
      (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    func header(times: Int, kinds: Int) -> [UInt8] {
      var header = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
      for count in [0, 0, 0, times, kinds, 1] { header += bytes(count, 4) }
      return header
    }
    // First the block of version 1, which is not read.
    var data = header(times: 0, kinds: 1) + [UInt8](repeating: 0, count: 7)
    data += header(times: times.count, kinds: offsets.count)
    for time in times { data += bytes(time, 8) }
    for kind in times.indices { data.append(UInt8(kind + 1)) }
    for offset in offsets { data += bytes(offset, 4) + [0, 0] }
    return data + [0] + Array("\n\(rule)\n".utf8)
  }

  private static func zone(_ rule: String, _ offsets: [Int] = [0], from times: [Int] = []) -> DayCalendar? {
    DayCalendar(zone: "Test", data: data(offsets, from: times, rule: rule))
  }

  private static let madrid = "CET-1CEST,M3.5.0,M10.5.0/3"
  private static let newYork = "EST5EDT,M3.2.0,M11.1.0"
  private static let lordHowe = "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"

  private static func time(_ text: String) -> Timestamp {
    DayCalendar.utc.start(ofDate: text) ?? Timestamp(iso8601: Array(text.utf8).span) ?? .earliest
  }

  private static func day(_ date: String) -> Int64 { DayCalendar.utc.day(of: time(date).microseconds) }

  @Test(
    "a day is as long as clocks show its date",
    arguments: [
      (madrid, "2026-03-29", 23.0, "2026-03-28T23:00:00Z"), (madrid, "2026-10-25", 25, "2026-10-24T22:00:00Z"),
      (madrid, "2026-03-30", 24, "2026-03-29T22:00:00Z"), (madrid, "2026-01-01", 24, "2025-12-31T23:00:00Z"),
      (newYork, "2026-03-08", 23, "2026-03-08T05:00:00Z"), (newYork, "2026-11-01", 25, "2026-11-01T04:00:00Z"),
      (lordHowe, "2026-04-05", 24.5, "2026-04-04T13:00:00Z"),
      (lordHowe, "2026-10-04", 23.5, "2026-10-03T13:30:00Z"),
    ])
  func length(rule: String, date: String, hours: Double, start: String) throws {
    let calendar = try #require(Self.zone(rule))
    let day = Self.day(date)
    #expect(calendar.start(ofDate: date) == Self.time(start))
    #expect(calendar.start(ofDay: day) == Self.time(start).microseconds)
    let length = calendar.start(ofDay: day + 1) - calendar.start(ofDay: day)
    #expect(Double(length) == hours * Double(Self.hour))
    for time in stride(from: calendar.start(ofDay: day), to: calendar.start(ofDay: day + 1), by: 900_000_000) {
      #expect(calendar.day(of: time) == day)
    }
    #expect(calendar.day(of: calendar.start(ofDay: day) - 1) == day - 1)
    #expect(calendar.day(of: calendar.start(ofDay: day + 1)) == day + 1)
  }

  @Test("a day that a zone skipped has no time, and starts with the next one")
  func skipped() throws {
    // Samoa went from 10 hours behind UTC to 14 hours ahead at the end of 2011-12-29.
    let change = Self.time("2011-12-30T10:00:00Z")
    let calendar = try #require(
      Self.zone("<+13>-13", [-36_000, 50_400], from: [Int(change.microseconds / 1_000_000)]))
    #expect(calendar.start(ofDate: "2011-12-29") == Self.time("2011-12-29T10:00:00Z"))
    for date in ["2011-12-30", "2011-12-31"] { #expect(calendar.start(ofDate: date) == change) }
    #expect(calendar.day(of: change.microseconds - 1) == Self.day("2011-12-29"))
    #expect(calendar.day(of: change.microseconds) == Self.day("2011-12-31"))
    let skipped = Self.day("2011-12-30") * DayCalendar.usualDay
    #expect(!calendar.hasClock(from: skipped, to: skipped + DayCalendar.usualDay))
    #expect(calendar.hasClock(from: skipped - 1, to: skipped + DayCalendar.usualDay))
  }

  @Test("an hour that clocks skip starts when they have skipped it, and one that they repeat when it is first shown")
  func hours() throws {
    let calendar = try #require(Self.zone(Self.madrid))
    let spring = Self.time("2026-03-29T02:00:00Z").microseconds
    #expect(calendar.time(ofClock: spring) == Self.time("2026-03-29T01:00:00Z").microseconds)
    #expect(!calendar.hasClock(from: spring, to: spring + Self.hour))
    let autumn = Self.time("2026-10-25T02:00:00Z").microseconds
    #expect(calendar.time(ofClock: autumn) == Self.time("2026-10-25T00:00:00Z").microseconds)
    #expect(calendar.clock(at: Self.time("2026-10-25T01:30:00Z").microseconds) == autumn + Self.hour / 2)
    #expect(calendar.time(ofClock: autumn + Self.hour) == Self.time("2026-10-25T02:00:00Z").microseconds)
  }

  @Test("times are written with the offset of their clocks")
  func texts() throws {
    let calendar = try #require(Self.zone(Self.madrid))
    #expect(calendar.text(Self.time("2026-01-01T23:00:00Z")) == "2026-01-02T00:00:00+01:00")
    #expect(calendar.text(Self.time("2026-07-01T22:00:00Z")) == "2026-07-02T00:00:00+02:00")
    #expect(DayCalendar.utc.text(Self.time("2026-01-02")) == "2026-01-02T00:00:00Z")
    let west = try #require(Self.zone("<-0930>9:30"))
    #expect(west.text(Self.time("2026-01-02")) == "2026-01-01T14:30:00-09:30")
    #expect(calendar.start(ofDate: "2026-02-30") == nil)
    #expect(calendar.start(ofDate: "2026-02-03T00:00:00Z") == nil)
  }

  @Test("UTC has days of 24 hours for every time there is")
  func utc() {
    #expect(DayCalendar.utc.day(of: -1) == -1)
    #expect(DayCalendar.utc.start(ofDay: -1) == -DayCalendar.usualDay)
    #expect(DayCalendar.utc.identity == "UTC")
    for time in [Int64.min, .max, 0] { #expect(DayCalendar.utc.clock(at: time) == time) }
  }

  @Test("rules hold in all years, and times beyond them do not trap")
  func far() throws {
    let calendar = try #require(Self.zone(Self.madrid))
    for year in [1999, 2537, 2538, 2539, 4096, 9000] {
      let summer = try #require(calendar.start(ofDate: "\(year)-07-01"))
      #expect(calendar.text(summer) == "\(year)-07-01T00:00:00+02:00")
      let winter = try #require(calendar.start(ofDate: "\(year)-12-01"))
      #expect(calendar.text(winter) == "\(year)-12-01T00:00:00+01:00")
    }
    for time in [Int64.min, .min + 1, .max - 1, .max] { _ = calendar.start(ofDay: calendar.day(of: time)) }
  }

  @Test(
    "rules may name days of the year, times before and after a day, and hemispheres",
    arguments: [
      ("<-03>3<-02>,M3.5.0/-2,M10.5.0/-1", "2026-03-28T22:00:00-03:00"),
      ("EST5EDT,J60,J300", "2026-03-01T02:00:00-05:00"), ("EST5EDT,59,299/26", "2026-03-01T02:00:00-05:00"),
      ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-04-05T03:00:00+11:00"), ("<+0545>-5:45", ""),
    ])
  func rules(rule: String, change: String) throws {
    let calendar = try #require(Self.zone(rule))
    guard let time = Timestamp(iso8601: Array(change.utf8).span)?.microseconds else { return }
    #expect(calendar.clock(at: time) - time != calendar.clock(at: time - 1) - (time - 1))
    #expect(abs(calendar.clock(at: time) - calendar.clock(at: time - 1)) > 1)
  }

  @Test("whatever is no data of a zone is refused")
  func refused() {
    let whole = Self.data(rule: Self.madrid)
    #expect(DayCalendar(zone: "Test", data: whole) != nil)
    for count in whole.indices { #expect(DayCalendar(zone: "Test", data: Array(whole[..<count])) == nil) }
    for rule in ["CET", "C-1", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1x"] {
      #expect(Self.zone(rule) == nil)
    }
  }

  @Test("zones whose days are the same have the same identity, and others another")
  func identity() throws {
    let madrid = try #require(Self.zone(Self.madrid))
    #expect(try madrid.identity == #require(Self.zone("<a>-1<b>-2,M3.5.0/2,M10.5.0/3:00")).identity)
    #expect(try madrid.identity != #require(Self.zone("CET-1CEST,M3.4.0,M10.5.0/3")).identity)
    #expect("\(madrid)" == "Test")
  }

  private static let folder = "/usr/share/zoneinfo/"

  @Test(
    "offsets and dates are those of Foundation, around the changes of 2011 and 2026",
    .enabled(if: FileManager.default.fileExists(atPath: folder + "Europe/Madrid")),
    arguments: [
      "Europe/Madrid", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kolkata",
      "America/Sao_Paulo", "Africa/Cairo",
    ])
  func foundation(name: String) throws {
    let data = try Data(contentsOf: URL(filePath: Self.folder + name))
    let calendar = try #require(DayCalendar(zone: name, data: Array(data)))
    let zone = try #require(TimeZone(identifier: name))
    for year in [2011, 2026] {
      let start = Self.time("\(year)-01-01").microseconds
      for time in stride(from: start, to: start + 366 * DayCalendar.usualDay, by: Int(Self.hour / 2)) {
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time) / 1e6))
        #expect((calendar.clock(at: time) - time) / 1_000_000 == Int64(offset))
        let day = calendar.day(of: time)
        #expect(calendar.start(ofDay: day) <= time && time < calendar.start(ofDay: day + 1))
      }
    }
  }
}
