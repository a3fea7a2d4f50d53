import Foundation
import TestSupport
import Testing

@Suite("import --on-error skip")
struct ImportRejectsTests {
  private let folder: TemporaryFolder
  private let input: String
  private let good = Samples.decisions(0..<6)
  private let bad = [#"{"type":"decision","time":"#, #"{"type":"goal","unit":"a, b"}"#]
  private var log: String { folder.path("log") }
  private var rejects: String { folder.path("rejects.csv") }

  init() throws {
    folder = try TemporaryFolder()
    input = try folder.write((good[..<2] + [bad[0]] + good[2..<5] + [bad[1], good[5]]).text)
  }

  private func add(_ options: String...) throws -> CommandResult {
    try Command.run(["import", input, "--log", log] + options)
  }

  @Test("invalid lines are skipped, counted by reason, and the others stored")
  func skips() throws {
    let result = try add("--on-error", "skip")
    expectDone(result)
    #expect(
      result.messages.contains(
        "\nbandolier: read 8 records, appended 6 events, duplicates 0, rejected 2\n"))
    #expect(result.messages.contains("bandolier: rejected 2: malformed JSON\n"))
    #expect(try Command.events(log) == good)
  }

  @Test("the rejects are a CSV file of line, byte, reason and the line as it was")
  func rejectsFile() throws {
    expectDone(try add("--on-error", "skip", "--rejects", rejects))
    let rows = try String(contentsOfFile: rejects, encoding: .utf8)
      .split(separator: "\n").map(String.init)
    #expect(rows.count == 3)
    #expect(rows[0] == "line,offset,reason,text")
    #expect(rows[1].hasPrefix("3,") && rows[2].hasPrefix("7,"))
    for (row, line) in zip(rows.dropFirst(), bad) {
      #expect(row.hasSuffix(",\"" + line.replacing("\"", with: "\"\"") + "\""))
    }
  }

  @Test("an import without a valid record is an error that makes no log, and its rejects are kept")
  func allInvalid() throws {
    let path = try folder.write(bad.text, "bad.jsonl")
    expectFailure(
      try Command.run("import \(path) --log \(log) --on-error skip --rejects \(rejects)"), 65,
      says: "no record was valid: 2 of 2 were rejected as malformed JSON", "--on-error stop")
    #expect(!FileManager.default.fileExists(atPath: log))
    let rows = try String(contentsOfFile: rejects, encoding: .utf8).split(separator: "\n")
    #expect(rows.count == 3)
  }

  @Test("corrected rejects are imported like the file that they come from")
  func corrected() throws {
    expectDone(try add("--on-error", "skip", "--rejects", rejects))
    let text = try String(contentsOfFile: rejects, encoding: .utf8)
    let lines = Samples.decisions(6..<8)
    let quoted = { (line: String) in line.replacing("\"", with: "\"\"") }
    let corrected = zip(bad, lines).reduce(text) { $0.replacing(quoted($1.0), with: quoted($1.1)) }
    _ = try folder.write(corrected, "rejects.csv")
    let result = try Command.run("import \(rejects) --log \(log)")
    expectDone(result)
    #expect(result.messages.contains("read 2 records, appended 2 events"))
    #expect(try Command.events(log) == good + lines)
  }

  @Test("a file of rejects that is there is not replaced without --force, and nothing is imported")
  func existing() throws {
    _ = try folder.write("mine", "rejects.csv")
    expectFailure(
      try add("--on-error", "skip", "--rejects", rejects), 73, says: "\(rejects) exists", "--force")
    #expect(try String(contentsOfFile: rejects, encoding: .utf8) == "mine")
    #expect(!FileManager.default.fileExists(atPath: log))
    expectDone(try add("--on-error", "skip", "--rejects", rejects, "--force"))
    #expect(try String(contentsOfFile: rejects, encoding: .utf8).hasPrefix("line,offset"))
  }

  @Test("a file of rejects in a missing folder cannot be created, and nothing is imported")
  func missingFolder() throws {
    let path = folder.path("no/rejects.csv")
    expectFailure(
      try add("--on-error", "skip", "--rejects", path), 73, says: path, "make it first")
    #expect(!FileManager.default.fileExists(atPath: log))
  }

  @Test("records without a unit are rejected, written and named without --on-error skip")
  func missingUnits() throws {
    let lines = ["u", "", "NULL", #"\\N"#, "NULL", "None", "nil", "NaN"].map {
      good[0].replacing(#""unit":"u0""#, with: #""unit":"\#($0)""#)
    }
    let path = try folder.write(lines.text, "units.jsonl")
    let result = try Command.run("import \(path) --log \(log) --rejects \(rejects)")
    expectDone(result)
    #expect(result.messages.contains("read 8 records, appended 1 events, duplicates 0, rejected 7"))
    #expect(
      result.messages.contains(
        #"rejected 7: missing unit (NULL 2, empty 1, NaN 1, None 1, \N 1, others 1)"#
          + "; --keep-placeholder-units keeps those that are not empty\n"))
    let rows = try String(contentsOfFile: rejects, encoding: .utf8).split(separator: "\n")
    #expect(rows.count == 8)
    let kept = try Command.run("import \(path) --log \(log) --keep-placeholder-units")
    expectDone(kept)
    #expect(kept.messages.contains("rejected 1: missing unit (empty 1)\n"))
  }

  @Test("a table with rejected rows is not imported twice with two mappings")
  func otherMapping() throws {
    let path = try folder.write("ts,u,v,r\n2026-01-01,NULL,A,1\n2026-01-01,u,A,1\n", "t.csv")
    let mapping = "--map time=ts --map unit=u --map variant="
    expectDone(try Command.run("import \(path) --log \(log) \(mapping)v"))
    expectFailure(
      try Command.run("import \(path) --log \(log) \(mapping)r"), 65,
      says: "other settings", "--again")
    let again = try Command.run("import \(path) --log \(log) \(mapping)v")
    expectDone(again)
    #expect(again.messages.contains("duplicates 1, rejected 1"))
    // Nor after the log was rewritten.
    expectDone(try Command.run("log compact \(log)"))
    expectFailure(
      try Command.run("import \(path) --log \(log) \(mapping)r"), 65, says: "other settings")
  }

  @Test("rows with too many columns are rejected one by one")
  func columnCount() throws {
    let rows = Samples.openBandit([(1, 4, 0), (3, 2, 1), (2, 2, 0)])
      .split(separator: "\n").map(String.init)
    let path = try folder.write([rows[0], rows[1], rows[2] + ",9", rows[3]].text, "men.csv")
    let result = try Command.run(
      "import \(path) --log \(log) --on-error skip --rejects \(rejects)")
    expectDone(result)
    #expect(result.messages.contains("rejected 1: wrong column count"))
    #expect(try Command.events(log).count == 2)
  }
}
