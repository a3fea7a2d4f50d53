import Foundation
import TestSupport
import Testing

/// Exports for other systems, and the way back.
@Suite("export --format")
struct ExportTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }

  private let events = [
    #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"001","experiment":"checkout","slot":"1","variant":"0","propensity":0.5,"context":{"plan":"a, \"b\""}}"#,
    #"{"type":"goal","time":"2026-01-05T10:00:00Z","unit":"001","experiment":"checkout","goal":"click","value":1}"#,
    #"{"type":"conversion","time":"2026-01-05T10:01:00Z","unit":"001","goal":"order","revenue":12.5}"#,
    #"{"type":"dataPoint","time":"2026-01-05T10:02:00Z","unit":"001","kind":"trait","key":"vip","value":true}"#,
    #"{"type":"sessionExpired","time":"2026-01-05T10:03:00Z","unit":"001"}"#,
  ]

  init() throws {
    folder = try TemporaryFolder()
    expectDone(try Command.run("append \(log)", input: events.text))
  }

  private func export(_ format: String, to name: String, _ rest: String = "") throws
    -> CommandResult
  {
    try Command.run("export \(log) --format \(format) -o \(folder.path(name)) \(rest)")
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: folder.path(name), encoding: .utf8)
  }

  @Test("csv: a table for each kind of event, from whose columns the events come back")
  func csv() throws {
    let result = try export("csv", to: "tables")
    expectDone(result)
    #expect(
      result.messages
        == "bandolier: not exported: life-cycle events: 1, which csv cannot express\n")
    #expect(
      try text("tables/goals.csv") == """
        time,unit,id,experiment,point,slot,goal,value,status,reason
        2026-01-05T10:00:00Z,001,,checkout,,,click,1,,

        """)
    let again = folder.path("again")
    for name in ["decisions", "goals", "conversions", "data_points"] {
      let header = try text("tables/\(name).csv").prefix { $0 != "\n" }
      let map = header.split(separator: ",").flatMap { ["--map", "\($0)=\($0)"] }
      expectDone(
        try Command.run(["import", folder.path("tables/\(name).csv"), "--log", again] + map))
    }
    #expect(try Command.events(again) == Array(events.dropLast()))
  }

  @Test("growthbook: exposures and facts, which its formats import")
  func growthBook() throws {
    let result = try export("growthbook", to: "tables")
    expectDone(result)
    #expect(
      result.messages == """
        bandolier: not exported: data points: 1, which growthbook cannot express
        bandolier: not exported: life-cycle events: 1, which growthbook cannot express

        """)
    let again = folder.path("again")
    let imported = try Command.run("import \(folder.path("tables")) --log \(again)")
    expectDone(imported)
    #expect(imported.messages.contains("tables/exposures.csv: growthbook ("))
    #expect(imported.messages.contains("tables/facts.csv: growthbook-facts ("))
    #expect(
      try Command.events(again).sorted() == [
        #"{"type":"conversion","time":"2026-01-05T10:00:00Z","unit":"001","goal":"click","revenue":1,"metadata":{"experiment":"checkout"}}"#,
        #"{"type":"conversion","time":"2026-01-05T10:01:00Z","unit":"001","goal":"order","revenue":12.5}"#,
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"001","experiment":"checkout","variant":"0","context":{"plan":"a, \"b\""}}"#,
      ])
  }

  @Test("obd: a row for each impression, in a file or on standard output")
  func openBandit() throws {
    let rows = Samples.openBandit([(1, 7, 0), (2, 0, 1), (3, 7, 1)])
    let men = folder.path("men")
    expectDone(try Command.run("import \(folder.write(rows, "men.csv")) --log \(men)"))
    let result = try Command.run("export \(men) --format obd")
    expectDone(result)
    #expect(result.text == rows && result.messages == "")
    let mixed = try export("obd", to: "mixed.csv")
    expectDone(mixed)
    #expect(mixed.messages.contains("not exported: conversions: 1, which obd cannot express"))
    #expect(
      try text("mixed.csv") == """
        ,timestamp,item_id,position,click,propensity_score,plan
        0,2026-01-05 10:00:00.000000+00:00,0,1,1,0.5,"a, ""b\"""

        """)
  }

  @Test("obd: a log of which no decision fits is refused, and makes no file")
  func refused() throws {
    let other = folder.path("other")
    expectDone(try Command.run("append \(other)", input: Samples.decisions(0..<3).text))
    expectFailure(
      try Command.run("export \(other) --format obd -o \(folder.path("other.csv"))"), 65,
      says:
        "no decision fits a row of obd: the log has decisions without a whole number as slot (3)")
    #expect(!folder.files.contains("other.csv"))
  }

  @Test("tables need a folder, and replace files only with --force")
  func folders() throws {
    expectFailure(
      try Command.run("export \(log) --format csv"), 64, says: "give the folder for their files")
    expectDone(try export("csv", to: "tables"))
    expectFailure(try export("csv", to: "tables"), 73, says: "decisions.csv")
    expectDone(try export("csv", to: "tables", "--force"))
    expectFailure(try export("csv", to: "no/such"), 73, says: "the folder cannot be created")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("tables")).count == 4)
  }
}
