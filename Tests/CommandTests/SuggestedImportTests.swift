import TestSupport
import Testing

/// A table of one's own from the proposal to the answer.
@Suite("import of a table as --suggest proposes it")
struct SuggestedImportTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }

  init() throws { folder = try TemporaryFolder() }

  private func followed(_ text: String) throws -> CommandResult {
    let path = try folder.write(text, "t.csv")
    let proposal = try Command.run(["import", "--suggest", path])
    expectDone(proposal)
    let mapping = try folder.write(proposal.text, "t.yaml")
    let result = try Command.run(["import", path, "--log", log, "--map", mapping])
    expectDone(result)
    return result
  }

  /// Returns the cells of a column by variant.
  private func cells(_ report: String, _ column: String) throws -> [String: String] {
    let result = try Command.run("report \(report) --format csv --columns variant,\(column)")
    expectDone(result)
    return Dictionary(
      uniqueKeysWithValues: result.lines.dropFirst().map { line in
        let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        return (cells[0], cells[1])
      })
  }

  @Test(
    "the rate of an outcome of 0 and 1 is the same in every report",
    arguments: ["converted", "purchased", "is_customer", "clicked", "signed_up", "reward"])
  func rates(column: String) throws {
    var text = "user,ts,group,\(column)\n"
    for unit in 0..<200 {
      let isB = unit >= 100
      text += "u\(unit),2026-03-01,\(isB ? "B" : "A"),\(unit % 100 < (isB ? 40 : 25) ? 1 : 0)\n"
    }
    #expect(try followed(text).messages.contains("appended 265 events"))
    #expect(try cells("rewards \(log)", "reward_mean") == ["A": "0.25", "B": "0.4"])
    for metric in ["reward", "converted", "converted:goal=\(column)"] {
      let compare = "compare \(log) --metric \(metric)"
      #expect(try cells(compare, "mean") == ["B": "0.4"], "\(metric)")
      #expect(try cells(compare, "baseline_mean") == ["B": "0.25"], "\(metric)")
    }
  }

  @Test("rows without an event say which entry decided that, and what to do")
  func ignored() throws {
    let path = try folder.write("ts,user,group\n2026-01-05,u-1,A\n2026-01-05,u-2,\n", "t.csv")
    let map = "--map time=ts --map unit=user --map variant=group"
    let result = try Command.run("import \(path) --log \(log) \(map)")
    expectDone(result)
    for part in [
      "ignored 1: rows without an event: an event needs variant=group filled; check",
      "2.type:=conversion and 2.goal=COLUMN",
    ] {
      #expect(result.messages.contains(part), "\(result.messages)")
    }
  }

  @Test("rejected rows of a table are corrected in their file and imported with the same mapping")
  func rejects() throws {
    let path = try folder.write("ts,user,group\n2026-01-05,u-1,A\nsoon,u-2,B\n", "t.csv")
    let map = "--log \(log) --map time=ts --map unit=user --map variant=group --experiment e"
    let rejects = folder.path("rejects.csv")
    expectDone(try Command.run("import \(path) \(map) --on-error skip --rejects \(rejects)"))
    let text = String(decoding: try Files.bytes(rejects), as: UTF8.self)
    #expect(text.hasPrefix("line,offset,reason,text\n1,0,header,\"ts,user,group\"\n3,"))
    _ = try folder.write(text.replacing("\"soon,", with: "\"2026-01-06,"), "rejects.csv")
    let again = try Command.run("import \(rejects) \(map)")
    expectDone(again)
    #expect(again.messages.contains("read 1 records, appended 1 events, duplicates 0, rejected 0"))
    #expect(try Command.events(log).count == 2)
  }

  @Test("an import that is refused before its first record has no counts, and errors have one lead")
  func refused() throws {
    let path = try folder.write("ts,user,group\n2026-01-05,u-1,A\n", "t.csv")
    let map = "--log \(log) --map time=ts --map unit=user --map variant="
    expectDone(try Command.run("import \(path) \(map)group"))
    let again = try Command.run("import \(path) \(map)user")
    expectFailure(again, 65, says: "would add 1 events", "--again", "new log")
    #expect(!again.messages.contains("read 0 records"))
    for words in ["import \(path) \(map)no", "import \(path)", "report rewards \(log) --nonsense"] {
      let result = try Command.run(words)
      #expect(result.exitCode != 0)
      let lines = result.messages.split(separator: "\n")
      #expect(lines.contains { $0.hasPrefix("bandolier: error: ") }, "\(result.messages)")
      #expect(!lines.contains { $0.hasPrefix("Error: ") }, "\(result.messages)")
    }
  }
}
