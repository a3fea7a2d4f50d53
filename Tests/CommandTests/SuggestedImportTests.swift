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

  @Test("a quote that is missing in corrected rejects is an error, wherever it is missing")
  func brokenRejects() throws {
    let rows = (1...6).map {
      #"\#($0),0,fine,"{""type"":""conversion"",""time"":1767225600,""unit"":""u\#($0)"",""goal"":""g""}""#
    }
    for row in rows.indices {
      var broken = rows
      broken[row].removeLast()
      let path = try folder.write(
        (["line,offset,reason,text"] + broken).joined(separator: "\n") + "\n", "r.csv")
      expectFailure(
        try Command.run("import \(path) --log \(log)-\(row)"), 65, says: "line", "quotes")
    }
    let short = "line,offset,reason,text\n1,0,fine\n" + rows[1] + "\n"
    let path = try folder.write(short, "r.csv")
    expectFailure(try Command.run("import \(path) --log \(log)"), 65, says: "3 fields and not 4")
  }

  @Test("an outcome and its own time are one goal")
  func outcomesAndTimes() throws {
    for (flag, time) in [("buy", "buy_ts"), ("opened", "open_time")] {
      let path = try folder.write(
        "user,assigned_at,group,\(flag),\(time)\nu1,2026-01-05,A,1,2026-01-06\nu2,2026-01-05,A,0,\n",
        "\(flag).csv")
      let proposal = try Command.run(["import", "--suggest", path])
      #expect(proposal.lines.count { $0.hasSuffix("type: =goal") } == 1, "\(proposal.text)")
      #expect(proposal.text.contains("2.time: \(time)"), "\(proposal.text)")
    }
  }

  @Test("rejects never replace an input, and say which experiment their records have")
  func rejectsAndInputs() throws {
    let path = try folder.write("ts,user,group\n2026-01-05,u-1,A\nsoon,u-2,B\n", "shop.csv")
    let map = "--log \(log) --map time=ts --map unit=user --map variant=group --on-error skip"
    expectFailure(
      try Command.run("import \(path) \(map) --rejects \(path) --force"), 64, says: "is the input")
    let result = try Command.run("import \(path) \(map) --rejects \(folder.path("r.csv"))")
    expectDone(result)
    #expect(result.messages.contains("corrected rejects with --experiment shop"))
  }

  @Test("an outcome without a variant is a goal where it is yes or not 0")
  func outcomesAlone() throws {
    for (yes, no) in [("1", "0"), ("Yes", "No")] {
      let path = try folder.write(
        "user,date,converted\nu1,2026-01-05,\(yes)\nu2,2026-01-05,\(no)\n", "o-\(yes).csv")
      let proposal = try Command.run(["import", "--suggest", path])
      let mapping = try folder.write(proposal.text, "o.yaml")
      let result = try Command.run(
        "import \(path) --log \(log)-\(yes) --map \(mapping) --experiment e")
      expectDone(result)
      #expect(result.messages.contains("appended 1 events"), "\(proposal.text)\(result.messages)")
    }
  }

  @Test("a row that is a refund itself counts once, and names of refunds are pointed out")
  func refunds() throws {
    #expect(
      try followed(
        "user,ts,group,total,is_refund\nu1,2026-01-05,A,30,false\nu1,2026-01-06,A,-30,true\n"
      ).messages.contains("appended"))
    #expect(try cells("conversions \(log)", "revenue_sum") == ["A": "0"])
    let path = try folder.write(
      "user,ts,event,revenue\nu1,2026-01-05,purchase,30\nu1,2026-01-06,refund,30\n", "r.csv")
    let proposal = try Command.run(["import", "--suggest", path])
    #expect(proposal.text.contains("rows with refund in event count as revenue"))
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
