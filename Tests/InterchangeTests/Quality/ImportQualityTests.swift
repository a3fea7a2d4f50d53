import Events
import TestSupport
import Testing

@testable import Interchange

@Suite("Quality of an import")
struct ImportQualityTests {
  private func decision(
    _ time: String, _ unit: String = "u", _ rest: String = "", variant: String = "a"
  ) -> String {
    #"{"type":"decision","time":"\#(time)","unit":"\#(unit)","experiment":"e","variant":"\#(variant)"\#(rest)}"#
  }

  private func goal(_ time: String, _ unit: String = "u", _ rest: String = "") -> String {
    #"{"type":"goal","time":"\#(time)","unit":"\#(unit)","experiment":"e","goal":"g"\#(rest)}"#
  }

  private func imported(_ lines: String...) throws -> ImportedFiles {
    try ImportedFiles(("log.jsonl", lines.joined(separator: "\n")))
  }

  @Test("an import in order says nothing")
  func clean() throws {
    let imported = try imported(
      decision("2026-01-05T10:00:00Z", "u", #","choices":["a","b"],"propensity":1"#),
      decision(
        "2026-01-05T10:00:00Z", "v",
        #","choices":["a","b"],"propensity":1e-9,"probabilities":[0.3,0.7]"#),
      goal("2026-01-05T10:00:01Z"))
    #expect(imported.quality == [])
    #expect(imported.summary.eventsAppended == 3)
  }

  @Test("times before 2000 and after 2100 are impossible; they are stored as they are")
  func impossibleTimes() throws {
    let imported = try imported(
      decision("2000-01-01T00:00:00Z"), decision("1999-12-31T23:59:59.999999Z"),
      decision("2100-01-01T00:00:00Z"), decision("2100-01-01T00:00:00.000001Z"),
      decision("1970-01-01T00:00:00Z"))
    #expect(
      imported.summary.quality[.impossibleTime]?.description.hasPrefix(
        "time before 2000-01-01 or after 2100-01-01, first on line 2 of ") == true)
    #expect(imported.summary.quality[.impossibleTime]?.count == 3)
    #expect(imported.events.count == 5)
    #expect(imported.events.last?.time == Timestamp(microseconds: 0))
  }

  @Test("late arrivals lag by more than 1 hour behind the latest possible time of the same file")
  func lateArrivals() throws {
    let lines = [
      decision("2026-01-05T10:00:00Z"), decision("2026-01-05T09:00:00Z"),
      decision("2026-01-05T08:59:59Z"), decision("2262-01-01T00:00:00Z"),
      decision("2026-01-05T10:00:01Z"), decision("2026-01-03T06:00:01Z"),
    ]
    let imported = try ImportedFiles(
      ("a.jsonl", lines.joined(separator: "\n")), ("b.jsonl", decision("2025-01-01T00:00:00Z")))
    #expect(
      imported.quality == [
        "1: time before 2000-01-01 or after 2100-01-01, first on line 4 of a.jsonl",
        "2: more than 1 hour earlier than a record before it in the same file, by up to 2 d 4 h, "
          + "first on line 3 of a.jsonl",
      ])
  }

  @Test("a conversion days after its decision in the same record makes no other record late")
  func eventsOfOneRecord() throws {
    let imported = try ImportedFiles(
      (
        "visits.csv",
        """
        user,group,assigned,bought
        u-1,A,2026-01-05,2026-01-09
        u-2,B,2026-01-06,
        """
      ),
      mapping: EventMapping([
        "time=assigned", "unit=user", "variant=group", "2.time=bought", "2.goal:=purchase",
        "2.type:=conversion",
      ]))
    #expect(imported.events.count == 3)
    #expect(imported.quality == [])
  }

  @Test("propensities outside (0, 1] and probabilities that are none")
  func propensities() throws {
    let imported = try imported(
      decision("2026-01-05T10:00:00Z", "u", #","propensity":0"#),
      decision("2026-01-05T10:00:00Z", "u", #","propensity":-0.5"#),
      decision("2026-01-05T10:00:00Z", "u", #","propensity":1.0000001"#),
      decision("2026-01-05T10:00:00Z", "u", #","choices":["a","b"],"probabilities":[0.5,0.4]"#),
      decision("2026-01-05T10:00:00Z", "u", #","choices":["a","b"],"probabilities":[1.5,-0.5]"#),
      decision(
        "2026-01-05T10:00:00Z", "u", #","choices":["a","b"],"probabilities":[0.5,0.5000009]"#))
    #expect(
      imported.quality == [
        "3: propensity outside (0, 1], first on line 1 of log.jsonl",
        "2: probabilities outside [0, 1], or their sum is not 1, first on line 4 of log.jsonl",
      ])
  }

  @Test("a variant that is not among the choices; without choices, any is known")
  func unknownVariants() throws {
    let imported = try imported(
      decision("2026-01-05T10:00:00Z"),
      decision("2026-01-05T10:00:00Z", "u", #","choices":["ab","b",""]"#),
      decision("2026-01-05T10:00:00Z", "u", #","choices":["b","a"]"#),
      decision("2026-01-05T10:00:00Z", "u", #","choices":[]"#),
      decision("2026-01-05T10:00:00Z", "u", #","choices":["1"]"#, variant: "01"))
    #expect(
      imported.quality == [
        "3: variant that is not among the choices, first on line 2 of log.jsonl"
      ])
  }

  @Test("goals without an earlier decision of their unit and experiment, refused ones apart")
  func goals() throws {
    let imported = try imported(
      goal("2026-01-05T10:00:00Z"), decision("2026-01-05T10:00:00Z"),
      goal("2026-01-05T10:00:00Z", "u", #","value":2"#), goal("2026-01-05T10:00:00Z", "v"),
      goal("2026-01-05T10:00:00Z", "w", #","status":"refused""#),
      #"{"type":"conversion","time":"2026-01-05T10:00:00Z","unit":"w","goal":"g"}"#,
      #"{"type":"goal","time":"2026-01-05T10:00:00Z","unit":"u","experiment":"f","goal":"g"}"#,
      // Not the unit "eu" of the experiment "".
      #"{"type":"goal","time":"2026-01-05T10:00:00Z","unit":"eu","experiment":"","goal":"g"}"#)
    #expect(
      imported.quality == [
        "4: goal without an earlier decision of its unit and experiment, "
          + "first on line 1 of log.jsonl"
      ])
  }

  @Test("decisions of the log and of files before count, also those that are not stored again")
  func decisionsElsewhere() throws {
    let decisions = ("a.jsonl", decision("2026-01-05T10:00:00Z"))
    let goals = ("b.jsonl", goal("2026-01-05T10:00:01Z"))
    #expect(try ImportedFiles(decisions, goals).quality == [])
    #expect(try ImportedFiles(goals, decisions).quality.count == 1)
    let known = try ImportedFiles(decisions).events
    #expect(try ImportedFiles(goals, after: known).quality == [])
    #expect(try ImportedFiles(decisions, goals, after: known).quality == [])
  }

  @Test("what is not stored again is not judged again")
  func duplicates() throws {
    let file = ("a.jsonl", decision("1970-01-01T00:00:00Z", "u", #","propensity":2"#))
    let first = try ImportedFiles(file, file)
    #expect(first.summary.quality[.impossibleTime]?.count == 1)
    let second = try ImportedFiles(file, after: first.events)
    #expect(second.summary.alreadyThere == 1)
    #expect(second.quality == [])
  }

  @Test("durations are written in their two largest units")
  func durations() {
    for (seconds, text) in [
      (61, "1 min 1 s"), (120, "2 min"), (3_600, "1 h"), (3_661, "1 h 1 min"), (86_400, "1 d"),
      (90_000, "1 d 1 h"), (86_460, "1 d"),
    ] {
      #expect(
        ImportQuality.Finding.text(microseconds: Int64(seconds) * 1_000_000) == text, "\(seconds)")
    }
  }
}
