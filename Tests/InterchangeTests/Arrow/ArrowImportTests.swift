import Arrow
import Events
import TestSupport
import Testing

@testable import Interchange

@Suite("Import of Arrow tables")
struct ArrowImportTests {
  private static let micros = ArrowField("ts", .timestamp(.microsecond, zone: "UTC"))
  private static let start: Int64 = 1_767_607_200_000_000

  private func imported(
    _ bytes: [UInt8], format: String = "auto", mapping: [String] = []
  ) throws -> Imported {
    try Imported(
      bytes, format: format, mapping: mapping.isEmpty ? nil : EventMapping(mapping))
  }

  private var table: ArrowTable {
    ArrowTable(2).adding(Self.micros, ArrowArray([Self.start, Self.start + 1]))
      .adding("user", "u1", "u2").adding("group", "A", nil).adding("prob", 0.5, 0.25)
  }

  @Test("a table of one's own is mapped as CSV is, with types")
  func mapped() throws {
    let mapping = [
      "time=ts", "unit=user", "variant=group", "propensity=prob", "experiment:=x", "2.goal:=seen",
      "2.value=prob",
    ]
    for format in ["auto", "csv", "arrow"] {
      let found = try imported(table.bytes, format: format, mapping: mapping)
      #expect(
        found.events == [
          #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"u1","experiment":"x","variant":"A","propensity":0.5}"#,
          #"{"type":"goal","time":"2026-01-05T10:00:00Z","unit":"u1","experiment":"x","goal":"seen","value":0.5}"#,
          #"{"type":"goal","time":"2026-01-05T10:00:00.000001Z","unit":"u2","experiment":"x","goal":"seen","value":0.25}"#,
        ])
    }
  }

  @Test("a table that no format knows says how to map it")
  func unknown() throws {
    let error = #expect(throws: ImportError.self) { try imported(table.bytes) }
    let text = error?.description ?? ""
    #expect(
      text.contains("this is an Arrow table with the columns \"ts\", \"user\", \"group\", \"prob\"")
    )
    #expect(text.contains("--map") && text.contains("--suggest"))
  }

  @Test("a mapping is proposed from the columns, and from the fields of structs")
  func suggested() throws {
    let folder = try TemporaryFolder()
    let field = ArrowField("props", .structure([ArrowField("plan", .utf8)]))
    let plans = ArrowTable.array(["pro", "free"])
    let bytes = table.adding(field, ArrowArray(fields: [plans], count: 2)).bytes
    let sample = try Importer().sample(folder.write(bytes))
    let suggestion = try #require(MappingSuggestion(sample))
    #expect(
      suggestion.lines.map(\.entry) == [
        "time=ts", "unit=user", "variant=group", "propensity=prob", "context.props.plan=props.plan",
      ])
  }

  @Test("the formats of other systems read their tables as Arrow, too")
  func others() throws {
    let bytes = ArrowTable(1).adding("timestamp", "2026-01-05 10:00:00").adding("user_id", "u")
      .adding("experiment_id", "e").adding("variation_id", "1").bytes
    let found = try imported(bytes)
    let text = "timestamp,user_id,experiment_id,variation_id\n2026-01-05 10:00:00,u,e,1\n"
    #expect(found.events == (try Imported(text)).events)
    #expect(found.events.count == 1)
  }

  @Test("events may be written by others: numbers of any type, structs, times as texts")
  func events() throws {
    let context = ArrowField(
      "context", .structure([ArrowField("age", .integer(bits: 8, isSigned: true))]))
    let bytes = ArrowTable(1).adding("type", "decision").adding("time", "2026-01-05T10:00:00Z")
      .adding(ArrowField("unit", .int64), ArrowArray([Int64(7)])).adding("experiment", "x")
      .adding("variant", "A").adding(
        context, ArrowArray(fields: [ArrowArray([Int8(33)])], count: 1)
      )
      .adding(
        ArrowField("propensity", .floatingPoint(bits: 32)), ArrowArray([Float(0.5)])
      ).bytes
    #expect(
      try imported(bytes).events == [
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"7","experiment":"x","variant":"A","propensity":0.5,"context":{"age":33}}"#
      ])
  }

  @Test("invalid rows say which row and why")
  func rejected() throws {
    let bytes = ArrowTable(4).adding("type", "decision", "sale", nil, "goal")
      .adding(
        ArrowField("time", .timestamp(.second, zone: nil)),
        ArrowArray([Int64](repeating: 1, count: 4))
      )
      .adding("unit", "", "u", "u", "u").adding("experiment", "x", "x", "x", "x")
      .adding("variant", "A", "A", "A", "A").bytes
    let found = try imported(bytes)
    #expect(
      found.rejected == [
        "1: missing unit: \"unit\" is empty; only life-cycle events may concern everyone",
        "2: bad event: the type \"sale\" must be one of decision, goal, conversion, dataPoint, sessionExpired, assignmentRemoved, decisionConfirmed, configurationApplied",
        "3: bad event: the type is null",
        "4: bad event: a goal has no \"variant\"; the column must be null in its row",
      ])
  }

  @Test("a column that is no field, or has a type that the field cannot have, is named")
  func columns() throws {
    let none = ArrowTable.array([])
    let base = ["type", "time", "unit"].reduce(ArrowTable(0)) {
      $0.adding(ArrowField($1, .utf8), none)
    }
    let color = base.adding(ArrowField("color", .utf8), none)
    let other = #expect(throws: ImportError.self) { try imported(color.bytes) }
    #expect(other?.description.contains("name it context.color or metadata.color") == true)
    let text = base.adding(ArrowField("propensity", .utf8), none)
    let type = #expect(throws: ImportError.self) { try imported(text.bytes) }
    #expect(
      type?.description.hasSuffix(
        "the column \"propensity\" is string, which must be a number; cast it") == true)
  }

  @Test("a stream that is cut off keeps the rows before, and bytes behind the end are refused")
  func damaged() throws {
    var generator = EventGenerator(seed: 1)
    let bytes = try ArrowLog(generator.regularEvents(90), frameRowCount: 30).exported()
    let cut = #expect(throws: ImportError.self) { try imported(Array(bytes.dropLast(60))) }
    #expect(cut?.description.contains("is cut off after") == true)
    let twice = #expect(throws: ImportError.self) { try imported(bytes + bytes) }
    #expect(twice?.description.contains("give it as an input of its own") == true)
    // A file has an end behind its last batch; a writer that was killed leaves none.
    let file = Array("ARROW1\0\0".utf8) + bytes.dropLast(8)
    let killed = #expect(throws: ImportError.self) { try imported(file) }
    #expect(killed?.description.contains("the Arrow file is cut off") == true)
  }
}

extension Imported {
  /// Imports bytes as the other initializer does a text.
  init(_ bytes: [UInt8], format: String = "auto", mapping: EventMapping? = nil) throws {
    let folder = try TemporaryFolder()
    try self.init(file: folder.write(bytes), format: format, mapping: mapping)
  }
}
