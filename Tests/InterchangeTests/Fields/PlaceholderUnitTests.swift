import Events
import Specifications
import TestSupport
import Testing

@testable import Interchange

@Suite("Units that stand for a missing one")
struct PlaceholderUnitTests {
  private static let placeholders = [
    "NULL", "null", #"\N"#, "None", "undefined", "[NULL]", "(not set)", "NaN", "<null>", "nil",
    "N/A", "00000000-0000-0000-0000-000000000000", " ",
  ]

  private func session(_ text: String, keeps: Bool) throws -> (ImportSummary, Int) {
    let folder = try TemporaryFolder()
    let session = ImportSession(
      filter: DuplicateFilter(directory: folder.path), keepsPlaceholders: keeps)
    var source = try Importer(.init(parsing: "auto")).open(folder.write(text, "rows"))
    let log = Counted()
    try session.run(&source, into: log)
    return (session.summary, log.count)
  }

  private final class Counted: RecordAppender {
    var count = 0
    func append(_ record: EventRecord) { count += 1 }
    func commit() {}
  }

  @Test("are rejected and counted without stopping the import, or kept", arguments: placeholders)
  func rejected(_ placeholder: String) throws {
    let table =
      "timestamp,user_id,experiment_id,variation_id\n2026-01-01,\(placeholder),e,1\n2026-01-01,u,e,1\n"
    let escaped = placeholder.replacing(#"\"#, with: #"\\"#)
    let lines = ["u", escaped].map {
      #"{"type":"decision","time":"2026-01-01T00:00:00Z","unit":"\#($0)","experiment":"e","variant":"A"}"#
    }.joined(separator: "\n")
    for text in [table, lines] {
      let (summary, count) = try session(text, keeps: false)
      #expect(count == 1)
      #expect(summary.rejections.map(\.category) == [.placeholder])
      #expect(summary.rejected == 1)
      let (kept, all) = try session(text, keeps: true)
      #expect(all == 2 && kept.rejected == 0)
    }
  }

  @Test("are counted by their spelling, most first, up to a number of spellings")
  func spellings() throws {
    let rows = ["NULL", "x", #"\N"#, "NULL", "", " ", " (not set)", #"\N"#, "NULL"]
    let (summary, _) = try session(
      "timestamp,user_id,experiment_id,variation_id\n"
        + rows.map { "2026-01-01,\($0),e,1\n" }.joined(), keeps: false)
    #expect(summary.placeholders.map(\.unit) == ["NULL", #"\N"#, "", "(not set)", "blank"])
    #expect(summary.placeholders.map(\.count) == [3, 2, 1, 1, 1])
  }

  @Test(
    "events of our own without a unit are rejected as the rows of tables are",
    arguments: [#""unit":"","#, #""unit":null,"#, ""])
  func own(_ unit: String) throws {
    let line = { (unit: String) in
      #"{"type":"goal","time":"2026-01-01T00:00:00Z",\#(unit)"experiment":"e","goal":"g"}"#
    }
    for keeps in [false, true] {
      let text = [unit, #""unit":"u","#, unit].map(line).joined(separator: "\n")
      let (summary, count) = try session(text, keeps: keeps)
      #expect(count == 1 && summary.rejected == 2)
      #expect(summary.placeholders.map(\.unit) == [""])
    }
  }

  @Test(
    "names that begin like one are units", arguments: ["nullable", "none-1", "Nan", "0", "undef"])
  func others(_ unit: String) throws {
    let isUnit = unit != "Nan"
    #expect(PlaceholderUnit.matches(Array(unit.utf8).span) != isUnit)
  }

  @Test("a repeated choice is found, and an empty unit of a mapped table is counted")
  func choices() throws {
    let (summary, _) = try session(
      #"{"type":"decision","time":"2026-01-01T00:00:00Z","unit":"a","experiment":"e","variant":"B","choices":["A","A","B"]}"#,
      keeps: false)
    #expect(summary.quality[.repeatedChoices]?.count == 1)
    let table = try Imported(
      "ts,u,v\n2026-01-01,,A\n2026-01-01,x,A\n",
      mapping: EventMapping(["time=ts", "unit=u", "variant=v"]))
    #expect(table.rejected.map { $0.contains("missing unit") } == [true])
  }

  @Test(
    "truth values are rewards of 1 and 0",
    arguments: [("true", 1), ("FALSE", 0), ("True", 1), ("1", 1), ("0.5", 0.5)]
      as [(String, Double)])
  func truth(_ text: String, _ value: Double) throws {
    let table = try Imported(
      "ts,u,v,r\n2026-01-01,x,A,\(text)\n",
      mapping: EventMapping(["time=ts", "unit=u", "variant=v", "reward=r"]))
    #expect(
      table.events.last?.contains(#""value":\#(value == 0.5 ? "0.5" : "\(Int(value))")}"#) == true)
  }

  @Test(
    "times as warehouses write them",
    arguments: [
      "2026-01-05 10:00:00.000 +0000", "2026-01-05 10:00:00 UTC", "2026-01-05 10:00:00.000000 UTC",
      "2026-01-05 10:00:00+00", "2026-01-05 15:30:00 +0530", "2026-01-05 15:30:00 +05:30",
      "2026-01-05T10:00:00.000+0000", "2026-01-05 10:00:00.000 Z", "2026-01-05 02:00:00.000 -0800",
      "2026-01-05 10:00:00 +0000 UTC", "2026-01-05 10:00",
    ])
  func times(_ text: String) throws {
    let table = try Imported(
      "ts,u,v\n\(text),x,A\n", mapping: EventMapping(["time=ts", "unit=u", "variant=v"]))
    #expect(table.events.first?.contains(#""time":"2026-01-05T10:00:00Z""#) == true)
    let wrong = try Imported(
      "ts,u,v\n05/01/2026,x,A\n", mapping: EventMapping(["time=ts", "unit=u", "variant=v"]))
    #expect(wrong.rejected.count == 1 && wrong.rejected[0].contains("2026-01-05T10:00:00Z"))
  }
}
