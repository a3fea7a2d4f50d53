import Specifications
import TestSupport
import Testing

@testable import Interchange

@Suite("Odd tables and mappings")
struct MappingEdgeTests {
  private func imported(_ text: String, _ map: String..., name: String = "visits.csv") throws
    -> Imported
  {
    try Imported(text, name: name, mapping: EventMapping(map))
  }

  @Test("all other columns are those that no event of the row has, and each event gets them")
  func otherColumns() throws {
    let imported = try imported(
      "t,u,v,bought,amount,country\n2026-01-05,1,a,2026-01-06,9,US\n", "time=t", "unit=u",
      "variant=v", "context.*=*", "2.time=bought", "2.goal:=buy", "2.type:=conversion",
      "2.revenue=amount", "2.metadata.*=*")
    #expect(
      imported.events == [
        #"{"type":"decision","time":"2026-01-05T00:00:00Z","unit":"1","experiment":"visits","variant":"a","context":{"country":"US"}}"#,
        #"{"type":"conversion","time":"2026-01-06T00:00:00Z","unit":"1","goal":"buy","revenue":9,"metadata":{"country":"US"}}"#,
      ])
  }

  @Test("a row of one of several kinds keeps the columns of the others, and its id as it is")
  func kinds() throws {
    let table = "id,t,u,what,v,amount,plan\n1,2026-01-05,u,shown,a,5,pro\n2,2026-01-05,u,paid,x,7,pro\n"
    let common = [
      "id=id", "time=t", "unit=u", "variant=v", "context.*=*", "2.id=id", "2.goal=what", "2.revenue=amount",
      "2.metadata.*=*",
    ]
    func events(_ conditions: String...) throws -> [String] {
      try Imported(table, name: "x.csv", mapping: EventMapping(common + conditions)).events
    }
    let two = [
      #"{"type":"decision","id":"1","time":"2026-01-05T00:00:00Z","unit":"u","experiment":"x","variant":"a","context":{"amount":5,"plan":"pro"}}"#,
      #"{"type":"conversion","id":"2","time":"2026-01-05T00:00:00Z","unit":"u","goal":"paid","revenue":7,"metadata":{"v":"x","plan":"pro"}}"#,
    ]
    #expect(try events("when=what==shown", "2.unless=what == shown") == two)
    #expect(try events("when=what==shown", "2.when=what == paid | returned") == two)
    // An amount beside a decision may be its outcome.
    let open = try events("2.when=what == paid")
    #expect(open.first?.contains("amount") == false)
    #expect(open.last?.contains(#""id":"2/2""#) == true)
  }

  @Test("whether a row can have two events is told from their conditions")
  func exclusions() throws {
    func excludes(_ first: String, _ second: String) throws -> Bool {
      let second = second.isEmpty ? [] : ["2.\(second)"]
      return try EventMapping(["time=t", "unit=u", "variant=v", first, "2.goal=g", "2.revenue=r"] + second)
        .hasOneEventEach
    }
    #expect(try excludes("when=a==1", "when=a == 2 | 3"))
    #expect(try !excludes("when=a==1", "when=a == 1.0 | 3"))
    #expect(try !excludes("when=a==true", "when=a == TRUE"))
    #expect(try !excludes("when=a==1", "when=b == 2"))
    #expect(try !excludes("when=a==1", ""))
    #expect(try excludes("when=a | b == 1", "unless=a|b == 1 | 2"))
    #expect(try !excludes("when=a == 1 | 2", "unless=a == 1"))
    // Tables whose events have such conditions have told their ids apart ever since.
    #expect(try !excludes("unless=a", "when=a"))
    #expect(try excludes("unless=a", "when=a == x"))
    #expect(try !excludes("unless=a", "when=a == x | 0"))
    #expect(try !excludes("unless=a == x", "when=a"))
    #expect(try !excludes("unless=a", "unless=a == x"))
    #expect(try excludes("unless=a == *", "when=a == *"))
    #expect(try excludes("unless=a == *", "when=a == 0 | x"))
    #expect(try excludes("unless=a == *", "when=a"))
    #expect(try !excludes("unless=a", "when=a == *"))
    #expect(try !excludes("when=a == *", "when=a == x"))
  }

  @Test("each member of an object is an event, as often as it is there")
  func members() throws {
    let imported = try imported(
      """
      {"id":"m","t":"2026-01-05","u":"u","traits":{"plan":"pro","age":3,"none":null}}
      {"id":"n","t":"2026-01-05","u":"u","user":{"traits":{"plan":"free"}}}
      {"id":"o","t":"2026-01-05","u":"u","traits":"pro"}
      {"id":"p","t":"2026-01-05","u":"u","traits":["pro"]}
      """, "id=id", "time=t", "unit=u", "each=traits.* | user.traits.*", "kind:=trait", "key={column}",
      "value={value}", name: "rows.jsonl")
    #expect(
      imported.events == [
        #"{"type":"dataPoint","id":"m","time":"2026-01-05T00:00:00Z","unit":"u","kind":"trait","key":"plan","value":"pro"}"#,
        #"{"type":"dataPoint","id":"m/2","time":"2026-01-05T00:00:00Z","unit":"u","kind":"trait","key":"age","value":3}"#,
        #"{"type":"dataPoint","id":"n","time":"2026-01-05T00:00:00Z","unit":"u","kind":"trait","key":"plan","value":"free"}"#,
      ])
    #expect(imported.ignored == [MappedReader.ignored: 2])
    let two = try self.imported(
      #"{"t":"2026-01-05","u":"u","a":{"x":1},"b":{"y":2}}"#, "time=t", "unit=u", "each=a.*, b.*", "kind:=k",
      "key={column}", "value={value}", name: "rows.jsonl")
    #expect(two.events.count == 2)
    let mixed = try self.imported(
      #"{"id":"i","t":"2026-01-05","u":"u","a":{"x":1,"z":2},"c":3,"b":{"y":2}}"#, "id=id", "time=t", "unit=u",
      "each=a.*,c,b.*", "kind:=k", "key={column}", "value={value}", name: "rows.jsonl")
    #expect(mixed.events.compactMap { $0.firstMatch(of: /"id":"([^"]*)"/)?.1 } == ["i", "i/2", "i/c", "i/3"])
  }

  @Test(
    "entries that say nothing are refused",
    arguments: [
      ("context.*=o.*", "context.*=*"), ("metadata.*=o", "metadata.*=*"), ("context.*:=x", "context.*=*"),
      ("when=a != b", "write COLUMN == CONTENT"), ("unless=a = b", "write COLUMN == CONTENT"),
      ("when=a == \"b\"", "without quotes"), ("when={value} == 5", "asks for a column"),
      ("each=*", "as in traits.*"), ("each=o.*.c", "as in traits.*"), ("each:=o", "takes columns"),
      ("negative={refund}", "negative:={refund}"), ("negative:={Refund}", "true, false or {refund}"),
    ])
  func nothing(entry: String, reason: String) {
    let entries = ["time=t", "unit=u", "goal=g", "revenue=r"]
    let error = #expect(throws: SpecificationError.self) { try EventMapping(entries + [entry]) }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }

  @Test("an event whose conditions contradict each other is refused, and so is a field that is mapped twice")
  func contradictions() {
    let entries = ["time=t", "unit=u", "variant=v", "2.goal=g"]
    for (rest, reason) in [
      (["2.when=a == b", "2.unless=a == b | c"], "event 2, whose when and unless contradict"),
      (["2.when=a", "2.unless=a"], "event 2, whose when and unless contradict"),
      (["2.goal=h"], #""2.goal" is mapped twice"#),
    ] {
      let error = #expect(throws: SpecificationError.self) { try EventMapping(entries + rest) }
      #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }
  }

  @Test("a refund is told by the name of its goal or by an amount below 0, if the mapping says so")
  func refunds() throws {
    let table = "t,u,g,r\n2026-01-05,a,Order Refunded,2\n2026-01-05,b,order,-3\n2026-01-05,c,order,4\n"
    let told = try imported(table, "time=t", "unit=u", "goal=g", "revenue=r", "negative:={refund}")
    #expect(told.events.map { $0.contains(#""negative":true"#) } == [true, true, false])
    #expect(told.events.count { $0.contains("-3") } == 0)
    let plain = try imported(table, "time=t", "unit=u", "goal=g", "revenue=r")
    #expect(plain.events.count { $0.contains("negative") } == 0)
  }

  @Test("contents of numbers are compared by all digits, and texts that begin with 0 or + are texts")
  func digits() throws {
    func goals(_ content: String, _ cells: [String], isJSON: Bool) throws -> Int {
      let text =
        isJSON
        ? cells.map { "{\"t\":\"2026-01-05\",\"u\":\"u\",\"a\":\($0)}\n" }.joined()
        : "t,u,a\n" + cells.map { "2026-01-05,u,\($0)\n" }.joined()
      return try imported(
        text, "time=t", "unit=u", "goal:=g", "revenue:=1", "when=a == \(content)", name: isJSON ? "a.jsonl" : "a.csv"
      ).events.count
    }
    #expect(try goals("1", ["1", "1.0", "01", "001", "+1", "1e0", "10e-1", "1.5"], isJSON: false) == 4)
    #expect(try goals("9007199254740993", ["9007199254740993", "9007199254740992"], isJSON: true) == 1)
    #expect(try goals("0", ["0", "-0", "0.00", "false"], isJSON: true) == 3)
    #expect(try goals("01", ["1", "01"], isJSON: false) == 1)
  }

  @Test("a record of JSON with two members of one name is rejected, wherever they are, and one with many is read")
  func twins() throws {
    let entries = ["time=t", "unit=u", "goal=g"]
    func rejected(_ rest: String) throws -> [String] {
      let text = #"{"t":"2026-01-05","u":"u1","g":"order",\#(rest)}"#
      return try imported("[\(text)]", entries[0], entries[1], entries[2], name: "a.json").rejected
    }
    for twice in [#""u":"u2""#, #""p":{"a":1,"b":2,"a":1}"#, #""l":[{"x":1,"x":2}]"#, #""q":"{\"y\":1,\"y\":2}""#] {
      #expect(try rejected(twice).first?.contains("occurs twice in an object") == true, "\(twice)")
    }
    let many = (0..<5_000).map { "\"m\($0)\":1" }.joined(separator: ",")
    #expect(try rejected(many).isEmpty)
    #expect(try rejected(many + ",\"m0\":1").first?.contains("\"m0\" occurs twice") == true)
    for count in 1...80 {
      let names = (0..<count).map { "\"\(Character(UnicodeScalar(UInt8(97 + $0 % 26))))\($0 / 26)\":1" }
      #expect(try rejected(names.joined(separator: ",")).isEmpty, "\(count)")
      let name = names[count / 2]
      #expect(try rejected((names + [name]).joined(separator: ",")).count == 1, "\(count)")
    }
  }

  @Test("an event of a row has the id of the first, with its number, unless it has its own")
  func inherited() throws {
    let table = "id,t,u,v,r\n1,2026-01-05,a,A,5\n2,2026-01-05,a,A,5\n"
    let rows = try imported(
      table, "id=id", "time=t", "unit=u", "variant=v", "2.type:=conversion", "2.goal:=order", "2.revenue=r")
    #expect(rows.events.compactMap { $0.firstMatch(of: /"id":"([^"]*)"/)?.1 } == ["1", "1/2", "2", "2/2"])
    let either = try imported(
      table, "id=id", "time=t", "unit=u", "variant=v", "when=id == 1", "2.type:=conversion", "2.goal:=order",
      "2.unless=id == 1")
    #expect(either.events.compactMap { $0.firstMatch(of: /"id":"([^"]*)"/)?.1 } == ["1", "2"])
  }

  @Test("unique is =true, and stands beside an id")
  func unique() {
    let entries = ["time=t", "unit=u", "variant=v"]
    for rest in [["unique:=true"], ["unique:=no", "id=id"], ["unique=column", "id=id"]] {
      let error = #expect(throws: SpecificationError.self) { try EventMapping(entries + rest) }
      #expect(error?.description == "the mapping: unique must be =true, beside an id")
    }
    #expect(throws: Never.self) { try EventMapping(entries + ["unique:=true", "id=id"]) }
  }

  @Test("events of one row with the same id are told apart")
  func sameID() throws {
    let each = try imported(
      "id,t,u,clicks,orders\n7,2026-01-05,u,3,2\n", "id=id", "time=t", "unit=u",
      "each=clicks,orders", "goal={column}", "value={value}", "experiment:=shop")
    #expect(
      each.events == [
        #"{"type":"goal","id":"7/clicks","time":"2026-01-05T00:00:00Z","unit":"u","experiment":"shop","goal":"clicks","value":3}"#,
        #"{"type":"goal","id":"7/orders","time":"2026-01-05T00:00:00Z","unit":"u","experiment":"shop","goal":"orders","value":2}"#,
      ])
    let two = try imported(
      "id,t,u,v,r\n7,2026-01-05,u,a,1\n", "id=id", "time=t", "unit=u", "variant=v", "reward=r",
      "2.id=id", "2.goal:=seen", "2.type:=conversion")
    #expect(
      two.events == [
        #"{"type":"decision","id":"7","time":"2026-01-05T00:00:00Z","unit":"u","experiment":"visits","variant":"a"}"#,
        #"{"type":"goal","id":"7/reward","time":"2026-01-05T00:00:00Z","unit":"u","experiment":"visits","goal":"reward","value":1}"#,
        #"{"type":"conversion","id":"7/2","time":"2026-01-05T00:00:00Z","unit":"u","goal":"seen"}"#,
      ])
  }

  @Test("an object or a list of JSON is no name; in a table its text is one")
  func compoundNames() throws {
    let imported = try imported(
      """
      {"t":"2026-01-05","u":{"id":1},"v":"a"}
      {"t":"2026-01-05","u":"u","v":["a"]}
      {"t":"2026-01-05","u":"u","v":"a","p":{"home":1}}
      {"t":"2026-01-05","u":7,"v":true,"x":{"y":[1]}}
      """, "time=t", "unit=u", "variant=v", "point=p", "context.x=x", name: "visits.json")
    #expect(
      imported.rejected == [
        #"1: bad event: column "u", the unit, is an object and must be a text or a number"#,
        #"2: bad event: column "v", the variant, is a list and must be a text or a number"#,
        "3: bad event: the point is an object and must be a text or a number",
      ])
    #expect(
      imported.events == [
        #"{"type":"decision","time":"2026-01-05T00:00:00Z","unit":"7","experiment":"visits","variant":"true","context":{"x":"{\"y\":[1]}"}}"#
      ])
    let table = try self.imported("t,u,v\n2026-01-05,u,[1]\n", "time=t", "unit=u", "variant=v")
    #expect(table.rejected == [] && table.events.count == 1)
  }

  @Test("a condition compares numbers as numbers and truth values in small and capital letters")
  func contents() throws {
    let table = "t,u,ok,n\n2026-01-05,a,True,1.0\n2026-01-05,b,FALSE,10\n2026-01-05,c,true,1e1\n2026-01-05,d,,x\n"
    func units(_ condition: String) throws -> [String] {
      try imported(table, "time=t", "unit=u", "goal:=g", condition).events.map { line in
        String(line.split(separator: #""unit":""#).last?.prefix(1) ?? "")
      }
    }
    #expect(try units("when=ok==true") == ["a", "c"])
    #expect(try units("unless=ok==true") == ["b", "d"])
    #expect(try units("when=n==1 | 10") == ["a", "b", "c"])
    #expect(try units("when=n == x") == ["d"])
    #expect(try units("when=ok==TRUE|False") == ["a", "b", "c"])
  }

  @Test("of several columns for the unit a text that stands for a missing one is passed over")
  func placeholders() throws {
    let imported = try imported(
      "t,u,d,v\n2026-01-05,NULL,d-1,a\n2026-01-05, ,d-2,a\n2026-01-05,None,,a\n", "time=t", "unit=u|d", "variant=v")
    #expect(imported.events.map { $0.contains("d-1") || $0.contains("d-2") } == [true, true])
    #expect(imported.rejected.count == 1)
  }

  @Test("what no event can be is refused with the mapping")
  func impossible() {
    for (entries, problem) in [
      (["type:=click"], "which must be decision, goal, conversion or dataPoint"),
      (["kind:=answer", "key:={column}"], "{column} and {value} are those of each"),
    ] {
      let error = #expect(throws: SpecificationError.self) { try EventMapping(["time=t", "unit=u"] + entries) }
      #expect(error?.description.contains(problem) == true)
    }
  }

  @Test("an empty text of JSON is absent, as an empty field of CSV is")
  func emptyTexts() throws {
    let imported = try imported(
      """
      {"t":"2026-01-05","u":"u","v":"","x":""}
      {"t":"2026-01-05","u":"","v":"a","x":""}
      {"t":"2026-01-05","u":"u","v":"a","p":"","x":"","id":""}
      """, "time=t", "unit=u", "variant=v", "propensity=p", "id=id", "context.x=x",
      name: "visits.json")
    #expect(imported.ignored == ["rows without an event": 1])
    #expect(imported.rejected == [#"2: missing unit: column "u", the unit, is empty"#])
    #expect(
      imported.events == [
        #"{"type":"decision","time":"2026-01-05T00:00:00Z","unit":"u","experiment":"visits","variant":"a","context":{"x":""}}"#
      ])
  }

  @Test("choices: spaces around separators are no part of them, and null or nothing is none")
  func choices() throws {
    let imported = try imported(
      """
      {"t":"2026-01-05","u":"u","v":"a","c":"a, b ,c"}
      {"t":"2026-01-05","u":"u","v":"a","c":"a\\u0000b"}
      {"t":"2026-01-05","u":"u","v":"a","c":["a",1,""]}
      {"t":"2026-01-05","u":"u","v":"a","c":["a",null]}
      {"t":"2026-01-05","u":"u","v":"a","c":"a, ,c"}
      {"t":"2026-01-05","u":"u","v":"a","c":"a|b|"}
      """, "time=t", "unit=u", "variant=v", "choices=c", name: "visits.json")
    let start =
      #"{"type":"decision","time":"2026-01-05T00:00:00Z","unit":"u","experiment":"visits","variant":"a","choices":"#
    #expect(
      imported.events == [
        start + #"["a","b","c"]}"#, start + #"["a\u0000b"]}"#, start + #"["a","1",""]}"#,
      ])
    #expect(
      imported.rejected == [
        "4: bad event: the choices have null among them",
        "5: bad event: the choices have an empty one among them",
        "6: bad event: the choices have an empty one among them",
      ])
  }

  @Test("a goal with a revenue is a conversion, one with a value a goal, and one with both neither")
  func valueAndRevenue() throws {
    let imported = try imported(
      """
      t,u,e,g,value,revenue
      2026-01-05,u,x,order,,9.5
      2026-01-05,u,x,signup,1,
      2026-01-05,u,x,visit,,
      2026-01-05,u,x,order,1,9.5
      """, "time=t", "unit=u", "experiment=e", "goal=g", "value=value", "revenue=revenue")
    #expect(
      imported.events == [
        #"{"type":"conversion","time":"2026-01-05T00:00:00Z","unit":"u","goal":"order","revenue":9.5,"metadata":{"experiment":"x"}}"#,
        #"{"type":"goal","time":"2026-01-05T00:00:00Z","unit":"u","experiment":"x","goal":"signup","value":1}"#,
        #"{"type":"goal","time":"2026-01-05T00:00:00Z","unit":"u","experiment":"x","goal":"visit"}"#,
      ])
    #expect(
      imported.rejected == [
        "5: bad event: it has a value, as goals have, and a revenue, as conversions have; map the type"
      ])
  }

  @Test("negative is true or false, in words or as 1 and 0; empty is absent")
  func negative() throws {
    let imported = try imported(
      "t,u,g,n\n2026-01-05,u,g,TRUE\n2026-01-05,u,g,0\n2026-01-05,u,g,\n2026-01-05,u,g,yes\n",
      "time=t", "unit=u", "goal=g", "negative=n")
    let start = #"{"type":"conversion","time":"2026-01-05T00:00:00Z","unit":"u","goal":"g""#
    #expect(
      imported.events == [
        start + #","negative":true}"#, start + #","negative":false}"#, start + "}",
      ])
    #expect(imported.rejected == [#"5: bad event: column "n" is "yes" and must be true or false"#])
  }

  @Test("a path into the JSON of a column is a column, and one into none is refused")
  func pathsIntoJSON() throws {
    let text = "t,u,v,props\n2026-01-05,u,a,\"{\"\"plan\"\":\"\"pro\"\"}\"\n"
    let imported = try imported(
      text, "time=t", "unit=u", "variant=v", "context.plan=props.plan")
    #expect(
      imported.events == [
        #"{"type":"decision","time":"2026-01-05T00:00:00Z","unit":"u","experiment":"visits","variant":"a","context":{"plan":"pro"}}"#
      ])
    #expect(throws: ImportError.self) {
      try self.imported(text, "time=t", "unit=u", "variant=v", "context.plan=prop.plan")
    }
  }

  @Test("a mapping of 100,000 fields is checked in time that grows with their number")
  func manyFields() throws {
    let entries =
      ["time=t", "unit=u", "variant=v"] + (0..<50_000).map { "context.c\($0)=c\($0)" }
      + (0..<50_000).map { "features.v\($0).x=c\($0)" }
    let mapping = try EventMapping(entries)
    #expect(mapping.entries == entries)
    #expect(mapping.columns.count == 50_003)
    #expect(throws: SpecificationError.self) { try EventMapping(entries + ["context.c7=x"]) }
  }

  @Test("a suggestion is YAML whatever the names and the content are")
  func yaml() throws {
    let folder = try TemporaryFolder()
    let text =
      #"{"timestamp":"2026-01-05","user_id":"a\r\nunit: evil\u2028\u0000\u0007","variant":"no","a\u0001b":1,"x":1}"#
    let sample = try Importer().sample(folder.write(text))
    let yaml = try #require(MappingSuggestion(sample)).yaml
    #expect(
      yaml.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        == [
          "# A proposal from the names of the columns: check each line.",
          "time: timestamp  # 2026-01-05", "unit: user_id  # a  unit: evil   ",
          "variant: variant  # no",
          "# context is what was known at the assignment: delete what came later",
          #""context.a\u0001b": "a\u0001b"  # 1"#, "context.x: x  # 1", "",
        ])
  }

  @Test(
    "names of columns may begin with a combining character, and have the signs of a mapping in them"
  )
  func signs() throws {
    let names = ["ts", "user_id", "variant", "\u{301}x", "a=b", "a_b", "c:"]
    let values = ["2026-01-05", "1", "a", "1", "2", "3", "4"]
    let text = names.joined(separator: ",") + "\n" + values.joined(separator: ",") + "\n"
    let sample = InputSample(Array(names.joined(separator: ",").utf8))
    let suggestion = try #require(MappingSuggestion(sample))
    #expect(
      suggestion.lines.dropFirst(3).map(\.field)
        == ["context.\u{301}x", "context.a_b", "context.a_b_", "context.c_"])
    let mapping = try EventMapping(suggestion.lines.map(\.entry))
    let imported = try Imported(text, name: "e.csv", mapping: mapping)
    #expect(
      imported.events.first?.hasSuffix(
        #""context":{"\#u{301}x":1,"a_b":2,"a_b_":3,"c_":4}}"#) == true, "\(imported)")
  }

  @Test("a path leads to a field whose name begins with a combining character")
  func combining() throws {
    let imported = try Imported(
      #"{"t":"2026-01-05","u":{"\u0301id":"7"},"v":"a"}"#, name: "e.json",
      mapping: EventMapping(["time=t", "unit=u.\u{301}id", "variant=v"]))
    #expect(imported.events.first?.contains(#""unit":"7""#) == true, "\(imported)")
  }
}
