import Arrow
import Specifications
import TestSupport
import Testing

@testable import Interchange

@Suite("Words of mappings for what systems write in their own way")
struct MappingWordsTests {
  private func imported(_ text: String, _ map: String..., name: String = "rows.jsonl") throws -> Imported {
    try Imported(text, name: name, mapping: EventMapping(map))
  }

  @Test("a number may be divided; a column that is called like the whole text is not")
  func division() throws {
    let table = "t,u,cents,value / 100\n2026-01-05,a,1999,5\n2026-01-05,b,-50,6\n2026-01-05,c,,\n2026-01-05,d,x,\n"
    let map = ["time=t", "unit=u", "goal:=g", "revenue=cents / 100", "negative:={refund}", "metadata.n=value / 100"]
    let amounts = try Imported(table, name: "rows.csv", mapping: EventMapping(map))
    #expect(
      amounts.events.map { $0.replacing(/.*"goal":"g",?/, with: "") } == [
        #""revenue":19.99,"metadata":{"n":5}}"#, #""revenue":0.5,"negative":true,"metadata":{"n":6}}"#, "}",
      ])
    #expect(amounts.rejected == [#"5: bad number: column "cents / 100" is "x" and must be a number"#])
    let whole = try imported(table, "time=t", "unit=u", "goal:=g", "experiment:=e", "value=value / 100", name: "x.csv")
    #expect(whole.events.first?.hasSuffix(#""value":5}"#) == true)
    let record = #"{"t":"2026-01-05","u":"a","o":{"pct":25},"v":"x","r":3,"k":50}"#
    let others = try imported(
      record, "time=t", "unit=u", "variant=v", "propensity=p | o.pct / 100", "reward=r / 1e3", "experiment:=e",
      "context.r=r", "2.kind:=k", "2.value=k / 1")
    #expect(others.events.first?.contains(#""propensity":0.25"#) == true)
    #expect(others.events.dropFirst().first?.hasSuffix(#""value":0.003}"#) == true)
    #expect(others.events.last?.hasSuffix(#""value":50}"#) == true)
    let arrow = ArrowTable(1).adding("t", "2026-01-05").adding("u", "a").adding("cents", 1999)
    let plain = amounts.events.first?.replacing(#","metadata":{"n":5}"#, with: "")
    #expect(try Imported(arrow.bytes, mapping: EventMapping(map.dropLast())).events == [plain])
  }

  @Test("the members of objects are the features of the variant, the first of each name")
  func features() throws {
    let map = ["time=t", "unit=u", "experiment:=e", "variant=v", "features.*=n.* | m.*, c.*", "context.*=*"]
    let record =
      #"{"t":"2026-01-05","u":"a","v":"x","n":{"price":3,"none":null},"c":{"price":9,"brand":"b"},"m":{"z":1}}"#
    let start = #"{"type":"decision","time":"2026-01-05T00:00:00Z","unit":"a","experiment":"e","variant":"x""#
    let features = #""features":{"x":{"price":3,"brand":"b"}}}"#
    let plain = try imported(record, map[0], map[1], map[2], map[3], map[4], map[5])
    #expect(plain.events == [start + #","context":{"c.price":9,"m.z":1},"# + features])
    let table = "t,u,v,n,c\n2026-01-05,a,x,\"{\"\"price\"\":3}\",\"{\"\"brand\"\":\"\"b\"\"}\"\n2026-01-05,a,x,7,[1]\n"
    let rows = try Imported(table, name: "rows.csv", mapping: EventMapping(map))
    #expect(rows.events == [start + "," + features, start + #","context":{"n":7,"c":"[1]"}}"#])
    let numbers = ArrowField("n", .structure([ArrowField("price", .float64)]))
    let arrow = ArrowTable(1).adding("t", "2026-01-05").adding("u", "a").adding("v", "x")
      .adding(numbers, ArrowArray(fields: [ArrowArray([3.0])], count: 1)).adding("c", #"{"brand":"b"}"#)
    #expect(try Imported(arrow.bytes, mapping: EventMapping(map)).events == [start + "," + features])
    let typed = try imported(
      #"{"t":"2026-01-05","u":"a","k":"conversion","g":"g","n":{"price":3}}"#, "time=t", "unit=u", "type=k", "goal=g",
      "features.*=n.*")
    #expect(typed.rejected.first?.contains("a conversion cannot hold it") == true)
  }

  @Test("a list of objects with names and values is read as an object")
  func members() throws {
    let list =
      #"[{"key":"id","value":"7"},{"key":"n","value":{"int_value":"9"}},{"key":"s","value":{"s":"1"}},{"key":"n"}]"#
    let record = #"{"t":"2026-01-05","u":"a","p":\#(list)}"#
    let map = [
      "time=t", "unit=u", "experiment:=e", "variant=p.id", "context.*=*",
      "members.p=name | key,value.s | value.int_value | value",
    ]
    let event =
      #"{"type":"decision","time":"2026-01-05T00:00:00Z","unit":"a","experiment":"e","variant":"7","context":{"p.n":9,"p.s":"1"}}"#
    #expect(try Imported(record, name: "rows.jsonl", mapping: EventMapping(map)).events == [event])
    let table = "t,u,p\n2026-01-05,a,\"\(list.replacing("\"", with: "\"\""))\"\n"
    #expect(try Imported(table, name: "rows.csv", mapping: EventMapping(map)).events == [event])
    let pair = ArrowField("item", .structure([ArrowField("key", .utf8), ArrowField("value", .utf8)]))
    let pairs = ArrowArray(fields: [ArrowTable.array(["id", "n"]), ArrowTable.array(["7", "9"])], count: 2)
    let arrow = ArrowTable(1).adding("t", "2026-01-05").adding("u", "a")
      .adding(ArrowField("p", .list(pair, isLarge: false)), ArrowArray(ends: [0, 2], elements: pairs))
    #expect(
      try Imported(arrow.bytes, mapping: EventMapping(map)).events == [
        event.replacing(#""p.n":9,"p.s":"1""#, with: #""p.n":"9""#)
      ])
    // Of each of them, and of a list in an object.
    let each = try imported(
      #"{"t":"2026-01-05","u":"a","o":{"p":\#(list)}}"#, "time=t", "unit=u", "members.o.p=key,value", "each=o.p.*",
      "kind:=param", "key={column}", "value={value}")
    #expect(each.events.map { $0.contains(#""key":"n","value":"{\"int_value\":\"9\"}""#) } == [false, true, false])
    // What is no such list stays as it is.
    for other in [#"[{"key":"id","value":"7"},{"value":"8"}]"#, "[1]", #""id""#, "null"] {
      let odd = try Imported(
        record.replacing(list, with: other), name: "rows.jsonl",
        mapping: EventMapping(map.filter { !$0.hasPrefix("variant") } + ["variant:=v"]))
      #expect(odd.rejected == [])
      #expect(odd.events.first?.contains("context") == (other != "null"))
    }
    let twice = try Imported(
      record.replacing(#""key":"s""#, with: #""key":"n""#), name: "rows.jsonl", mapping: EventMapping(map))
    #expect(twice.rejected == [#"1: bad event: "context" has "p.n" twice; keep one of them"#])
    let missing = #expect(throws: ImportError.self) {
      try Imported("t,u\n2026-01-05,a\n", name: "rows.csv", mapping: EventMapping(map))
    }
    #expect(missing?.description.contains("unknown column") == true)
  }

  @Test("a condition may ask for any content, 0 and false too, and rows then have one event each")
  func anyContent() throws {
    let table = "id,t,u,v,g\n1,2026-01-05,a,0,x\n2,2026-01-05,b,,x\n"
    let found = try imported(
      table, "id=id", "time=t", "unit=u", "variant=v", "when=v == *", "experiment:=e", "2.id=id", "2.type:=conversion",
      "2.goal=g", "2.unless=v == *", name: "rows.csv")
    #expect(
      found.events == [
        #"{"type":"decision","id":"1","time":"2026-01-05T00:00:00Z","unit":"a","experiment":"e","variant":"0"}"#,
        #"{"type":"conversion","id":"2","time":"2026-01-05T00:00:00Z","unit":"b","goal":"x"}"#,
      ])
  }

  @Test(
    "entries that say nothing are refused, with what to write",
    arguments: [
      ("propensity=p / 0", "divide by a number above 0"), ("propensity=p / -1", "divide by a number above 0"),
      ("reward= / 100", "a name is missing"), ("features.*=n", "as in item.*"), ("features.*=*", "as in item.*"),
      ("features.*:=n.*", "as in item.*"), ("features.*=n.*, .*", "as in item.*"), ("members.p=name", "NAME,VALUE"),
      ("members.p=a,b,c", "NAME,VALUE"), ("members.p:=a,b", "NAME,VALUE"), ("members.p=a |,b", "a name is missing"),
      ("members=a,b", "members.LIST"), ("2.members.p=a,b", "without the number"),
      ("features.x.n=n", "features.* and features.VARIANT.NAME"),
    ])
  func nothing(entry: String, reason: String) {
    var entries = ["time=t", "unit=u", "variant=v", "2.goal=g", entry]
    if entry.contains("features.x") { entries.append("features.*=n.*") }
    let error = #expect(throws: SpecificationError.self) { try EventMapping(entries) }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }
}
