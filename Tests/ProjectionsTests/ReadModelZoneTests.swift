import EventLog
import Events
import Foundation
import Replay
import Reports
import TestSupport
import Testing

@testable import Projections

@Suite(
  "Days of the tables of a database",
  .enabled(if: FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/Europe/Madrid")))
struct ReadModelZoneTests {
  private let log: GrowingLog
  private let madrid: DayCalendar

  /// Units are decided for half an hour before midnight in UTC and half an hour after it, which Madrid has an hour
  /// earlier.
  init() throws {
    (log, madrid) = (try GrowingLog(), try ZoneDatabase.calendar("Europe/Madrid"))
    let times = ["2026-01-01T22:30:00Z", "2026-01-01T23:30:00Z", "2026-01-02T00:30:00Z"]
    try log.append(times.enumerated().map(Self.event))
  }

  private static func event(_ number: Int, _ time: String) throws -> Event {
    let parsed = Timestamp(iso8601: Array(time.utf8).span)
    return Event(
      time: try #require(parsed), unit: UnitID("u\(number)"),
      payload: .decision(Decision(experiment: "e", variant: "a")))
  }

  private var zoned: ReadModel { ReadModel(log.model.path, calendar: madrid) }

  /// The days and decisions of the table, and the zone in its notes and in the table of the database.
  private func days() throws -> (days: [String], zones: [String]) {
    let db = try ModelFile(log.model.path, readonly: true).db
    let rows = try db.rows("SELECT day, decisions FROM series ORDER BY day", columns: 2)
    let zones = try db.rows(
      """
      SELECT value FROM _bandolier_notes WHERE report = 'series' AND name = 'time_zone'
        UNION ALL SELECT value FROM _bandolier_meta WHERE key = 'time_zone'
      """, columns: 1)
    return (rows.map { "\($0[0].string ?? "") \($0[1].integer ?? -1)" }, zones.compactMap { $0[0].string })
  }

  @Test("a new database has days of UTC, or of the zone that is named, and says so")
  func new() throws {
    #expect(try log.update().kind == .made)
    #expect(try days() == (["2026-01-01 2", "2026-01-02 1"], ["UTC"]))
    let other = try GrowingLog()
    try other.append([Self.event(0, "2026-01-01T23:30:00Z")])
    try other.update(ReadModel(other.model.path, calendar: madrid))
    #expect(try other.model.result(of: SeriesReport.self).result.calendar == madrid)
  }

  @Test("a database says when its last event was, to people and to reports")
  func asOf() throws {
    try log.update()
    let db = try ModelFile(log.model.path, readonly: true).db
    let value = try db.value("SELECT value FROM _bandolier_meta WHERE key = 'as_of'")
    #expect(value == .text("2026-01-02T00:30:00Z"))
    #expect(try log.model.reading { units in units.latest?.description } == "2026-01-02T00:30:00Z")
    #expect(try zoned.storedCalendar == .utc)
  }

  @Test("another zone recomputes the table from the database, and later replays keep to it")
  func changed() throws {
    try log.update()
    let changed = try log.update(zoned)
    #expect(changed.projectionsRebuilt == ["series"] && changed.eventsRead == 0)
    #expect(try days() == (["2026-01-01 1", "2026-01-02 2"], ["Europe/Madrid", "Europe/Madrid"]))
    #expect(try log.update(zoned).kind == .unchanged && log.update().kind == .unchanged)
    try log.append([Self.event(3, "2026-01-02T23:30:00Z")])
    let appended = try log.update()
    #expect(appended.kind == .appended && appended.projectionsRebuilt.isEmpty)
    #expect(try days().days == ["2026-01-01 1", "2026-01-02 2", "2026-01-03 1"])
    let fresh = ReadModel(log.folder.path("fresh.sqlite"), calendar: madrid)
    try log.update(fresh)
    #expect(try ModelContent(log.model).differences(from: ModelContent(fresh)) == [])
    #expect(try log.update(ReadModel(log.model.path, calendar: .utc)).projectionsRebuilt == ["series"])
    #expect(try ModelContent(log.model).differences(from: log.freshContent()) == [])
  }

  @Test("a database that is made anew keeps its zone")
  func anew() throws {
    try log.update(zoned)
    try log.rewrite { _ = try $0.erase(Erasure(units: ["u0"])) }
    guard case .madeAnew = try log.update().kind else {
      Issue.record("it was not made anew")
      return
    }
    #expect(try days() == (["2026-01-02 2"], ["Europe/Madrid", "Europe/Madrid"]))
  }
}
