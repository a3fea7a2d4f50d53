import Foundation
import TestSupport
import Testing

@Suite(
  "report --time-zone", .enabled(if: FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/Europe/Madrid")))
struct TimeZoneTests {
  private static let madrid = "--time-zone Europe/Madrid"

  private let folder: TemporaryFolder
  private let log: String

  /// Decisions on the half hours around the midnights of UTC and of Madrid, where 2026-03-29 has 23 hours.
  init() throws {
    folder = try TemporaryFolder()
    log = folder.path("log")
    let times = [
      "28T21:30", "28T22:30", "28T23:30", "29T00:30", "29T21:30", "29T22:30", "29T23:30", "30T00:30",
    ]
    let events = times.enumerated().flatMap { number, time in
      let text = #""time":"2026-03-\#(time):00Z","unit":"u\#(number)","experiment":"e""#
      return [
        #"{"type":"decision",\#(text),"variant":"\#(number % 2 == 0 ? "a" : "b")","propensity":0.5}"#,
        #"{"type":"goal",\#(text),"goal":"buy","value":\#(number + 1)}"#,
      ]
    }
    expectDone(try Command.run("append \(log)", input: events.text))
  }

  /// Returns the texts of two columns of a CSV table.
  private func columns(_ a: String, _ b: String, _ command: String) throws -> [String] {
    let result = try Command.run("\(command) --format csv --columns \(a),\(b)")
    expectDone(result)
    return Array(result.lines.dropFirst())
  }

  @Test("series has the days of the zone, and notes it")
  func series() throws {
    let utc = try columns("day", "decisions", "report series \(log)")
    #expect(
      utc == [
        "2026-03-28,2", "2026-03-29,2", "2026-03-30,0", "2026-03-28,1", "2026-03-29,2", "2026-03-30,1",
      ])
    let days = try columns("day", "decisions", "report series \(log) \(Self.madrid)")
    #expect(
      days == [
        "2026-03-28,1", "2026-03-29,2", "2026-03-30,1", "2026-03-28,1", "2026-03-29,1", "2026-03-30,2",
      ])
    let hours = try Command.run("report series \(log) \(Self.madrid) --every hour --format csv")
    #expect(hours.text.contains("2026-03-29T01:00") && hours.text.contains("2026-03-29T03:00"))
    #expect(!hours.text.contains("2026-03-29T02:00"))
    #expect(try Command.run("report series \(log) \(Self.madrid) --format json").text.contains("Europe/Madrid"))
  }

  @Test("UTC is what reports have without the option", arguments: ["series", "power", "health", "rewards --by day"])
  func utc(report: String) throws {
    let plain = try Command.run("report \(report) \(log) --format json")
    expectDone(plain)
    #expect(plain.text == (try Command.run("report \(report) \(log) --time-zone UTC --format json")).text)
    #expect(!plain.text.contains("time_zone"))
  }

  @Test("days of a breakdown, of dates in options, and of the busiest unit are those of the zone")
  func everywhere() throws {
    let values = try columns("dimension_value", "decisions", "report rewards \(log) --by day \(Self.madrid)")
    #expect(
      values == [
        "2026-03-28,1", "2026-03-29,2", "2026-03-30,1", "2026-03-28,1", "2026-03-29,1", "2026-03-30,2",
      ])
    func sums(_ options: String) throws -> [String] {
      try columns("variant", "reward_sum", "report rewards \(log) \(options)")
    }
    #expect(try sums("--since 2026-03-29 --until 2026-03-30 \(Self.madrid)") == ["a,8", "b,4"])
    #expect(try sums("--since 2026-03-29 --until 2026-03-30") == ["a,12", "b,10"])
    #expect(try sums("--end 2026-03-29 \(Self.madrid)") == ["a,1", "b,2"])
    let health = try Command.run("report health \(log) \(Self.madrid) --format json").text
    #expect(health.contains("events on a day (Europe/Madrid)"))
  }

  @Test("an unknown zone is a mistake of usage, with the nearest name")
  func unknown() throws {
    expectFailure(
      try Command.run("report series \(log) --time-zone Europe/Madird"), 64,
      says: #"did you mean "Europe/Madrid"?"#)
    for name in ["", "/etc/passwd", "../zoneinfo/UTC", "Europe", "tzdata.zi"] {
      let result = try Command.run(["report", "series", log, "--time-zone", name])
      expectFailure(result, 64, says: "unknown time zone")
    }
  }

  @Test("parts of a log are merged in one zone only")
  func partials() throws {
    let part = folder.path("part")
    expectDone(try Command.run("report series \(log) --partial \(part) \(Self.madrid)"))
    expectFailure(try Command.run("report series --merge \(part)"), 65, says: "another question")
    let merged = try Command.run("report series --merge \(part) \(Self.madrid) --format json")
    expectDone(merged)
    #expect(merged.text == (try Command.run("report series \(log) \(Self.madrid) --format json")).text)
  }

  @Test("a database answers in the days of any zone")
  func database() throws {
    let database = folder.path("log.sqlite")
    expectDone(try Command.run("replay \(log) --into \(database)"))
    for options in [Self.madrid, "--time-zone UTC", ""] {
      let own = try Command.run("report series \(database) \(options) --format csv")
      expectDone(own)
      #expect(own.text == (try Command.run("report series \(log) \(options) --format csv")).text)
    }
  }

  @Test("a database is reported in the zone of its tables, unless another is given")
  func zoneOfDatabase() throws {
    let database = folder.path("log.sqlite")
    expectDone(try Command.run("replay \(log) --into \(database) \(Self.madrid)"))
    let end = "--end 2026-03-29"
    for (options, same) in [("", Self.madrid), ("--time-zone UTC", ""), (end, "\(end) \(Self.madrid)")] {
      for report in ["series", "rewards"] {
        let own = try Command.run("report \(report) \(database) \(options) --format json")
        expectDone(own)
        #expect(own.text == (try Command.run("report \(report) \(log) \(same) --format json")).text)
      }
    }
  }

  @Test("an analysis file may have the zone, and an option takes precedence")
  func analysis() throws {
    let file = folder.path("analysis.yaml")
    try """
    time_zone: Europe/Madrid
    experiments:
      e:
        since: 2026-03-29
        until: 2026-03-30
    """.write(toFile: file, atomically: true, encoding: .utf8)
    func sums(_ options: String) throws -> [String] {
      try columns("variant", "reward_sum", "report rewards \(log) --analysis \(file) \(options)")
    }
    #expect(try sums("") == ["a,8", "b,4"])
    #expect(try sums("--time-zone UTC") == ["a,12", "b,10"])
    let suggested = try Command.run("report all \(log) --suggest \(Self.madrid)")
    #expect(suggested.text.contains("time_zone: \"Europe/Madrid\"\nexperiments:"))
    #expect(suggested.text.contains("since: 2026-03-28\n") && suggested.text.contains("until: 2026-03-31\n"))
    try "time_zone: Madrid\nexperiments: {e: }".write(toFile: file, atomically: true, encoding: .utf8)
    expectFailure(
      try Command.run("report rewards \(log) --analysis \(file)"), 65, says: "analysis.yaml:1:12: unknown time zone")
  }

  @Test("report all states the zone, and writes times as its clocks show them")
  func folderOfReports() throws {
    let output = folder.path("reports")
    expectDone(try Command.run("report all \(log) -o \(output) \(Self.madrid)"))
    let manifest = try String(contentsOfFile: output + "/manifest.json", encoding: .utf8)
    #expect(manifest.contains(#""time_zone": "Europe/Madrid""#) || manifest.contains(#""time_zone":"Europe/Madrid""#))
    let page = try String(contentsOfFile: output + "/report.html", encoding: .utf8)
    #expect(page.contains("2026-03-28T22:30:00+01:00") && page.contains("2026-03-30T02:30:00+02:00"))
  }
}
