import TestSupport
import Testing

@Suite("import of tables of one's own, once and again")
struct ImportMappingTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }

  init() throws { folder = try TemporaryFolder() }

  private func add(_ path: String, _ map: String..., options: [String] = []) throws -> CommandResult {
    try Command.run(
      ["import", path, "--log", log] + map.flatMap { ["--map", $0] } + options)
  }

  private static let rows = "ts,user,old,new,amount\n2026-01-05,u-1,A,B,5\n2026-01-06,u-2,B,A,7\n"

  @Test(
    "a file that was imported with another mapping is refused, with what it would add and a remedy")
  func corrected() throws {
    let path = try folder.write(Self.rows, "t.csv")
    expectDone(try add(path, "time=ts", "unit=user", "variant=old"))
    let before = try Command.events(log)
    let again = try add(path, "time=ts", "unit=user", "variant=new")
    #expect(again.exitCode == 65)
    for part in ["(variant=old)", "would add 2 events", "log erase", "--again", "new log"] {
      #expect(again.messages.contains(part), "\(part): \(again.messages)")
    }
    #expect(try Command.events(log) == before)
    let forced = try add(path, "time=ts", "unit=user", "variant=new", options: ["--again"])
    expectDone(forced)
    #expect(try Command.events(log).count == 4)
  }

  @Test("the mapping that a format prints gives its events, and can be changed")
  func printed() throws {
    let calls = """
      {"type":"track","event":"Experiment Viewed","messageId":"m-1","userId":"u-1","timestamp":"2026-01-05T10:00:00Z","properties":{"experiment_id":"7","variation_id":"1","plan":"pro"}}
      {"type":"track","event":"Paid","messageId":"m-2","anonymousId":"a-1","timestamp":"2026-01-05T11:00:00Z","properties":{"total":12.5}}
      {"type":"identify","messageId":"m-3","userId":"u-1","timestamp":"2026-01-05T10:00:00Z","traits":{"plan":"pro"}}

      """
    let path = try folder.write(calls, "calls.jsonl")
    let mapping = try Command.run("formats segment --mapping")
    expectDone(mapping)
    expectDone(try add(path, options: ["--format", "segment"]))
    let own = try Command.events(log)
    let mapped = folder.path("mapped")
    let file = try folder.write(mapping.text, "segment.yaml")
    expectDone(try Command.run(["import", path, "--log", mapped, "--map", file]))
    #expect(try Command.events(mapped) == own)
    let changed = mapping.text.replacing("properties.revenue | properties.total", with: "properties.amount")
    let changedFile = try folder.write(changed, "changed.yaml")
    let other = try folder.write(calls.replacing("total", with: "amount"), "others.jsonl")
    let added = try Command.run(
      ["import", other, "--log", folder.path("changed"), "--map", changedFile])
    expectDone(added)
    #expect(try Command.events(folder.path("changed")).contains { $0.contains(#""revenue":12.5"#) })
  }

  @Test("an entry on the command line takes the place of a file's for its field, wherever it stands")
  func replaced() throws {
    let path = try folder.write(Self.rows, "t.csv")
    let file = try folder.write("time: ts\nunit: user\nvariant: old\nevents: [{goal: =order}]\n", "t.yaml")
    let options = ["--dry-run", "--map", "2.revenue=amount", "--map", "2.goal:=paid"]
    let result = try Command.run(["import", path, "--map", "variant=new", "--map", file] + options)
    expectDone(result)
    let mapping = "mapping: time=ts unit=user variant=new 2.goal:=paid 2.revenue=amount"
    #expect(result.messages.contains(mapping), "\(result.messages)")
    let twice = try Command.run(["import", path, "--map", file, "--map", file, "--dry-run"])
    #expect(twice.exitCode == 64)
    #expect(twice.messages.contains(#""time" is mapped twice"#))
  }

  @Test("the items of the Open Bandit Dataset are none of a table of one's own")
  func items() throws {
    let path = try folder.write(Self.rows, "t.csv")
    let map = ["--map", "time=ts", "--map", "unit=user", "--map", "variant=old"]
    let result = try Command.run(["import", path, "--items", "items.csv", "--dry-run"] + map)
    #expect(result.exitCode == 64)
    #expect(result.messages.contains("--items belongs to the format obd"), "\(result.messages)")
  }

  @Test("a JSON list without an element has no events, with a mapping and without", arguments: ["[]", " [ \n]\n"])
  func emptyList(text: String) throws {
    let path = try folder.write(text, "t.json")
    for map in [[], ["--map", "time=ts", "--map", "unit=user", "--map", "variant=old"]] {
      let result = try Command.run(["import", path, "--log", log] + map)
      expectDone(result)
      #expect(result.messages.contains("appended 0 events"), "\(result.messages)")
    }
  }

  @Test("lists of a YAML file are the objects of features, and the name and the value of members")
  func lists() throws {
    let record = #"{"t":"2026-01-05","u":"u","v":"a","n":{"x":1},"c":{"y":2},"p":[{"k":"plan","w":"pro"}]}"#
    let path = try folder.write(record, "rows.jsonl")
    let file = try folder.write(
      """
      time: t
      unit: u
      variant: v
      features: {"*": [n.*, c.*]}
      members: {p: [k, w]}
      context: {plan: p.plan}
      """, "rows.yaml")
    expectDone(try add(path, file))
    let event = try #require(try Command.events(log).first)
    #expect(event.contains(#""context":{"plan":"pro"},"features":{"a":{"x":1,"y":2}}"#), "\(event)")
    let result = try Command.run(["import", path, "--dry-run", "--map", file, "--map", "members.q=k,w"])
    #expect(result.messages.contains("for q, which"), "\(result.messages)")
  }

  @Test("a format that no mapping can say, or none, is an error that names those that print one")
  func unprintable() throws {
    for (words, reason) in [("formats statsig --mapping", "statsig need more"), ("formats --mapping", "name a format")]
    {
      let result = try Command.run(words)
      #expect(result.exitCode == 64)
      #expect(result.messages.contains(reason))
      #expect(result.messages.contains("amplitude, eppo, ga4, go-feature-flag, mixpanel, optimizely, posthog, segment"))
    }
  }

  @Test("so is a longer version of it, and one that is there with ids")
  func longer() throws {
    let ids = "id,ts,user,old,new\n1,2026-01-05,u-1,A,B\n2,2026-01-06,u-2,B,A\n"
    let path = try folder.write(ids, "t.csv")
    expectDone(try add(path, "id=id", "time=ts", "unit=user", "variant=old"))
    let longer = try folder.write(ids + "3,2026-01-07,u-3,A,B\n", "t.csv")
    let again = try add(longer, "id=id", "time=ts", "unit=user", "variant=new")
    #expect(again.exitCode == 65)
    #expect(again.messages.contains("would add 3 events"))
    let grown = try add(longer, "id=id", "time=ts", "unit=user", "variant=old")
    expectDone(grown)
    #expect(grown.messages.contains("appended 1 events, duplicates 2, rejected 0"))
  }

  @Test(
    "other events of the same rows, another experiment and the same events are added without more ado"
  )
  func furtherEvents() throws {
    let path = try folder.write(Self.rows, "t.csv")
    expectDone(try add(path, "time=ts", "unit=user", "variant=old"))
    expectDone(try add(path, "time=ts", "unit=user", "goal:=order", "revenue=amount"))
    let same = try add(path, "unit=user", "time=ts", "variant=old")
    expectDone(same)
    #expect(same.messages.contains("appended 0 events, duplicates 2"))
    expectDone(
      try add(path, "time=ts", "unit=user", "variant=old", options: ["--experiment", "other"]))
    #expect(try Command.events(log).count == 6)
    // The last import of the file had other events; the first had these.
    #expect(try add(path, "time=ts", "unit=user", "variant=new").exitCode == 65)
    #expect(try Command.events(log).count == 6)
  }

  @Test("standard input is known only once it was read: a warning says what was added twice")
  func standardInput() throws {
    let options = [
      "import", "-", "--log", log, "--experiment", "e", "--map", "time=ts", "--map", "unit=user",
    ]
    expectDone(try Command.run(options + ["--map", "variant=old"], input: Array(Self.rows.utf8)))
    let again = try Command.run(options + ["--map", "variant=new"], input: Array(Self.rows.utf8))
    expectDone(again)
    #expect(again.messages.contains("warning: standard input has the content of an earlier import"))
    #expect(again.messages.contains("2 events were added beside those"))
    let same = try Command.run(options + ["--map", "variant=old"], input: Array(Self.rows.utf8))
    #expect(same.messages.contains("appended 0 events, duplicates 2"))
    #expect(!same.messages.contains("warning"))
  }

  @Test("tables with ids of their own, and what shares an id, are counted everywhere")
  func ids() throws {
    let decisions = try folder.write(
      "id,ts,user,variant\n1,2026-01-01,a,A\n2,2026-01-01,b,B\n", "d.csv")
    let orders = try folder.write(
      "id,ts,user,amount\n1,2026-01-02,a,10\n2,2026-01-02,b,20\n", "o.csv")
    let more = try folder.write(
      "id,ts,user,amount\n1,2026-01-03,a,11\n2,2026-01-02,b,20\n", "m.csv")
    expectDone(try add(decisions, "id=id", "time=ts", "unit=user", "variant=variant"))
    let first = try add(orders, "id=id", "time=ts", "unit=user", "goal:=order", "revenue=amount")
    #expect(first.messages.contains("appended 2 events, duplicates 0, rejected 0"))
    let second = try add(more, "id=id", "time=ts", "unit=user", "goal:=order", "revenue=amount")
    #expect(second.messages.contains("read 2 records, appended 1 events, duplicates 1, rejected 0"))
    #expect(second.messages.contains("quality 1: id of another event with other content, kept"))
    #expect(try Command.events(log).count == 5)
    let health = try Command.run(["report", "health", log, "--format", "csv"])
    #expect(health.text.contains("shared_ids"))
    #expect(health.text.contains("with other content than the first"))
    // What was kept comes back from the log, and is not added again.
    let copy = folder.path("copy")
    let copied = try Command.run(["import", log, "--log", copy])
    #expect(copied.messages.contains("appended 5 events"))
    let again = try Command.run(["import", log, "--log", copy])
    #expect(again.messages.contains("appended 0 events, duplicates 5, rejected 0"))
  }

  @Test(
    "a suggested mapping is a file that imports every column of the table, or names what it leaves out"
  )
  func suggested() throws {
    let path = try folder.write(
      "user_id,assigned_at,variant,converted,converted_at,revenue\nu-1,20260302,A,1,20260303,9.5\nu-2,20260302,B,0,,\n",
      "t.csv")
    let proposal = try Command.run(["import", "--suggest", path])
    expectDone(proposal)
    let mapping = try folder.write(proposal.text, "t.yaml")
    expectDone(try add(path, mapping))
    let events = try Command.events(log)
    #expect(events.count == 4)
    #expect(
      events.contains {
        $0.contains(#""time":"2026-03-03T00:00:00Z""#) && $0.contains(#""revenue":9.5"#)
      })
    let partial = try Command.run(
      [
        "import", path, "--dry-run", "--map", "time=assigned_at", "--map", "unit=user_id", "--map",
        "variant=variant",
      ])
    #expect(partial.messages.contains("columns left out: converted, converted_at, revenue"))
  }

  @Test("fields of JSON that no entry names are told, also where only later records have them")
  func leftOut() throws {
    let lines = (0..<50).map { number in
      let more = number == 40 ? #","plan":"pro","place":{"city":"Bern","geo":{"lat":46.9}}"# : ""
      return #"{"user":"u\#(number)","at":"2026-03-02","arm":"A","note":null,"seen":{"a":1}\#(more)}"#
    }
    let path = try folder.write(lines.joined(separator: "\n") + "\n{\"user\":\"cut", "a.jsonl")
    let entries = ["unit=user", "time=at", "variant=arm", "context.city=place.city", "context.a=seen.a"]
    let result = try Command.run(
      ["import", path, "--dry-run", "--experiment", "e", "--on-error", "skip"] + entries.flatMap { ["--map", $0] })
    expectDone(result)
    #expect(result.messages.contains("columns left out: note, plan, place.geo.lat; map them"), "\(result.messages)")
  }

  @Test("records of which none has a time or a unit are no import, and the message says what to try")
  func nothingThere() throws {
    let path = try folder.write(#"{"data":[{"user":"u","at":"2026-03-02","arm":"A"}]}"#, "a.json")
    let entries = ["unit=user", "time=at", "variant=arm"]
    let result = try Command.run(
      ["import", path, "--log", log, "--experiment", "e"] + entries.flatMap { ["--map", $0] })
    #expect(result.exitCode == 65)
    #expect(result.messages.contains("no record has a content for user; ") && result.messages.contains("jq -c"))
    let wide: [UInt8] = [0xFF, 0xFE] + Array("user,at\n".utf8).flatMap { [$0, 0] as [UInt8] }
    let excel = try Command.run(["import", try folder.write(wide, "x.csv"), "--log", log])
    #expect(excel.exitCode == 65 && excel.messages.contains("this is UTF-16; convert it"))
  }

  @Test("a mapped name that no record of any input has is told, of JSON, of columns and of JSON in them")
  func absent() throws {
    let json = (0..<3000).map { #"{"user":"u\#($0)","at":"2026-03-02","arm":"A"\#($0 == 2900 ? #","p":0.5"# : "")}"# }
    let lines = try folder.write(json.joined(separator: "\n"), "a.jsonl")
    let table = try folder.write("user,at,arm,p,more\nu,2026-03-02,A,,\"{\"\"x\"\":1}\"\n", "b.csv")
    func told(_ inputs: [String], _ more: String...) throws -> String {
      let entries = ["unit=user", "time=at", "variant=arm", "propensity=p"] + more
      let result = try Command.run(
        ["import"] + inputs + ["--dry-run", "--experiment", "e"] + entries.flatMap { ["--map", $0] })
      expectDone(result)
      return result.messages.split(separator: "\n").filter { $0.contains("no record has") }.joined()
    }
    #expect(try told([lines]) == "")
    #expect(try told([lines], "context.plan=plan", "slot=place.slot").contains("for place.slot, plan, which"))
    #expect(try told([table], "context.y=more.y", "context.x=more.x").contains("for more.y, p, which"))
    #expect(try told([table], "point=place | arm", "when=arm == B | A").contains("for p, place, which"))
    #expect(try told([lines], "when=arm==B", "2.goal:=g", "2.when=arm == A").contains("for when: arm==B, which"))
    #expect(try told([lines, table]) == "")
  }
}
