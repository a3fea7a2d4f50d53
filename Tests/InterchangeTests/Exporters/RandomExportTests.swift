import Events
import TestSupport
import Testing

@testable import Interchange

/// Exports of random logs: no decision is lost without being counted, and what was imported again comes back whole.
@Suite("Exports of random logs")
struct RandomExportTests {
  /// The events of one experiment, and those of none, as JSON Lines.
  private func lines(_ seed: UInt64) throws -> [String] {
    var generator = EventGenerator(seed: seed)
    var record = EventRecord()
    return try generator.events(400).compactMap { event in
      try record.load(event)
      guard (record.string(.experiment) ?? "exp0") == "exp0" else { return nil }
      var line: [UInt8] = []
      JSONLines.append(record, to: &line)
      return String(decoding: line.dropLast(), as: UTF8.self)
    }
  }

  private func count(_ lines: [String], _ kind: String) -> Int {
    lines.count { $0.hasPrefix(#"{"type":"\#(kind)""#) }
  }

  @Test("jsonl: every event, without loss", arguments: UInt64(0)..<4)
  func jsonLines(_ seed: UInt64) throws {
    let lines = try lines(seed)
    let exported = try Exported(lines, JSONLines.self)
    #expect(exported.omitted.isEmpty)
    #expect(exported.text == lines.map { $0 + "\n" }.joined())
    #expect(try Imported(exported.text).events == lines, "seed \(seed)")
  }

  @Test(
    "dsjson: decisions are written or counted, and a second export gives the same events",
    arguments: UInt64(0)..<4)
  func decisionService(_ seed: UInt64) throws {
    try requireRoundTrip(
      DecisionServiceJSON.self, name: "exp0.json", format: "dsjson:actions=tag", seed)
  }

  @Test(
    "vw: decisions are written or counted, and a second export gives the same events",
    arguments: UInt64(0)..<4)
  func vowpalWabbit(_ seed: UInt64) throws {
    try requireRoundTrip(VowpalWabbitText.self, name: "exp0.vw", format: "vw", seed)
  }

  /// Exports a log in a format, imports the export as a file of a name, and exports and imports that again.
  private func requireRoundTrip(
    _ type: any ExportFormat.Type, name: String, format: String, _ seed: UInt64
  ) throws {
    let lines = try lines(seed)
    let first = try Exported(lines, type)
    let again = try Imported(first.text, name: name, format: format)
    #expect(again.rejected.isEmpty, "seed \(seed): \(again.rejected.prefix(2))")
    try requireAll(lines, again, first, seed)
    let second = try Exported(again.events, type)
    #expect(second.omitted.isEmpty)
    requireEqual(
      again.events, try Imported(second.text, name: name, format: format).events, seed)
  }

  /// Every decision of the log was imported again or counted.
  private func requireAll(
    _ lines: [String], _ again: Imported, _ exported: Exported, _ seed: UInt64
  ) throws {
    let omitted = exported.omitted.filter { $0.key.contains("decisions") }.values.reduce(0, +)
    #expect(
      count(again.events, "decision") + omitted == count(lines, "decision"), "seed \(seed)")
    #expect(exported.omitted["conversions"] ?? 0 == count(lines, "conversion"))
    #expect(exported.omitted["data points"] ?? 0 == count(lines, "dataPoint"))
  }

  private func requireEqual(_ first: [String], _ second: [String], _ seed: UInt64) {
    #expect(first.count == second.count, "seed \(seed)")
    for (one, other) in zip(first, second) where one != other {
      Issue.record("seed \(seed):\n\(one)\n\(other)")
      return
    }
  }
}
