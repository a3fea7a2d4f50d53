import Foundation
import TestSupport
import Testing

@Suite("import")
struct ImportTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func add(_ inputs: String..., input: [UInt8] = []) throws -> CommandResult {
    try Command.run(["import"] + inputs + ["--log", log], input: input)
  }

  @Test("a plain file is stored as it is, and what was done is said on standard error")
  func plain() throws {
    let lines = Samples.decisions(0..<3)
    let path = try folder.write(lines.text, "a.jsonl")
    let result = try add(path)
    expectDone(result)
    #expect(result.text == "")
    #expect(
      result.messages == """
        bandolier: \(path): jsonl (the key "type")
        bandolier: read 3 records, appended 3 events, duplicates 0, rejected 0

        """)
    #expect(try Command.events(log) == lines)
  }

  @Test("a dry run prints the first events, counts all, and makes no log")
  func dryRun() throws {
    let lines = Samples.decisions(0..<12)
    let result = try add(try folder.write(lines.text, "a.jsonl"), "--dry-run")
    expectDone(result)
    #expect(result.lines == Array(lines[..<10]))
    #expect(
      result.messages.contains("read 12 records, would append 12 events, duplicates 0, rejected 0"))
    #expect(result.messages.hasSuffix("nothing was imported (--dry-run)\n"))
    #expect(!FileManager.default.fileExists(atPath: log))
  }

  @Test("a dry run tells the events that the log has already from those that it would append")
  func dryRunOfMore() throws {
    let lines = Samples.decisions(0..<12)
    expectDone(try add(try folder.write(lines[..<9].text, "a.jsonl")))
    let all = try folder.write(lines.text, "all.jsonl")
    let result = try add(all, "--dry-run")
    expectDone(result)
    #expect(result.lines == Array(lines[9...]))
    #expect(result.messages.contains("would append 3 events, duplicates 9, rejected 0"))
    #expect(try Command.events(log) == Array(lines[..<9]))
  }

  @Test("numbered units of several files of one experiment differ, and a file again adds nothing")
  func numberedUnits() throws {
    let lines = "1:-1:0.5 | x\n\n2:-1:0.5 | y\n\n"
    let files = [try folder.write(lines, "mon.vw"), try folder.write(lines, "tue.vw")]
    let both = try add(files[0], files[1], "--experiment", "week")
    expectDone(both)
    let units = try Command.events(log).compactMap { $0.firstMatch(of: /"unit":"([^"]*)"/)?.1 }
    #expect(Set(units) == ["week-mon-1", "week-mon-2", "week-tue-1", "week-tue-2"])
    let again = try add(files[1], "--experiment", "week")
    #expect(again.messages.contains("appended 0 events"))
  }

  @Test("records that are no events are counted by kind")
  func ignored() throws {
    let path = try folder.write(
      """
      {"type":"track","messageId":"m","userId":"u","event":"e","timestamp":1767607200}
      {"type":"page","messageId":"n","userId":"u","timestamp":1767607200}

      """, "calls.json")
    let result = try add(path)
    expectDone(result)
    #expect(
      result.messages.hasSuffix(
        """
        bandolier: read 2 records, appended 1 events, duplicates 0, rejected 0
        bandolier: ignored 1: calls other than track and identify

        """))
  }

  @Test("gzip is told by its content, from a file of any name and from standard input")
  func gzip() throws {
    let lines = Samples.decisions(0..<500)
    let compressed = Gzip.member(Array(lines[..<300].text.utf8))
    expectDone(try add(try folder.write(compressed, "a.log")))
    expectDone(try add("-", input: Gzip.member(Array(lines[300...].text.utf8))))
    #expect(try Command.events(log) == lines)
  }

  @Test("standard input is an input like any other, also without a line feed at its end")
  func standardInput() throws {
    let lines = Samples.decisions(0..<20)
    expectDone(try add("-", input: Array(lines.joined(separator: "\n").utf8)))
    #expect(try Command.events(log) == lines)
  }

  @Test("the same file again adds nothing and says how much was there")
  func again() throws {
    let lines = Samples.decisions(0..<50)
    let path = try folder.write(lines.text, "a.jsonl")
    expectDone(try add(path))
    let result = try add(path)
    expectDone(result)
    #expect(result.messages.contains("appended 0 events, duplicates 50"))
    #expect(try Command.events(log) == lines)
  }

  @Test("an overlapping file adds what is new")
  func overlapping() throws {
    let lines = Samples.decisions(0..<80)
    expectDone(try add(try folder.write(lines[..<50].text, "a.jsonl")))
    let result = try add(try folder.write(lines[30...].text, "b.jsonl"))
    #expect(result.messages.contains("read 50 records, appended 30 events, duplicates 20"))
    #expect(try Command.events(log) == lines)
  }

  @Test("two equal lines of one file are two events, and stay two")
  func equalLines() throws {
    let line = Samples.decisions(0..<1)[0]
    let path = try folder.write([line, line].text, "a.jsonl")
    expectDone(try add(path))
    expectDone(try add(path))
    #expect(try Command.events(log) == [line, line])
  }

  @Test("an event with an id is stored once, however often it comes")
  func sameID() throws {
    let line = Samples.decisions(0..<1)[0]
    let known = #"{"type":"decision","id":"e1""# + line.dropFirst(#"{"type":"decision""#.count)
    let result = try add(try folder.write([known, known].text, "a.jsonl"))
    #expect(result.messages.contains("appended 1 events, duplicates 1"))
    #expect(try Command.events(log) == [known])
  }

  @Test("several inputs are stored in the order in which they are named")
  func several() throws {
    let lines = Samples.decisions(0..<30)
    let first = try folder.write(lines[20...].text, "a.jsonl")
    let second = try folder.write(lines[..<10].text, "b.jsonl")
    let result = try add(first, second, "-", input: Array(lines[10..<20].text.utf8))
    expectDone(result)
    #expect(result.messages.contains("read 30 records, appended 30 events"))
    #expect(try Command.events(log) == Array(lines[20...] + lines[..<10] + lines[10..<20]))
  }

  @Test("an Open Bandit file gives its experiment its own name, or the one that is asked for")
  func openBandit() throws {
    let path = try folder.write(Samples.openBandit([(1, 4, 0), (3, 2, 1)]), "shoes.csv")
    expectDone(try add(path))
    let events = try Command.events(log)
    #expect(events.count == 3)
    #expect(events.allSatisfy { $0.contains(#""experiment":"shoes""#) })
    let other = folder.path("other")
    expectDone(try Command.run("import \(path) --log \(other) --experiment hats"))
    #expect(try Command.events(other).allSatisfy { $0.contains(#""experiment":"hats""#) })
  }

  @Test("progress is shown when it is asked for, and never on a pipe otherwise")
  func progress() throws {
    let path = try folder.write(Samples.decisions(0..<3).text, "a.jsonl")
    #expect(!(try add(path).messages.contains("importing")))
    let other = folder.path("other")
    let shown = try Command.run("import \(path) --log \(other) --progress always")
    expectDone(shown)
    #expect(shown.messages.contains("importing \(path)"))
  }
}
