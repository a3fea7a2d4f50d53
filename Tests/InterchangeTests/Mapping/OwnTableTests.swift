import Specifications
import TestSupport
import Testing

@testable import Interchange

@Suite("Tables of one's own")
struct OwnTableTests {
  private func imported(_ text: String, _ map: String..., name: String = "visits.csv") throws
    -> Imported
  {
    try Imported(text, name: name, mapping: EventMapping(map))
  }

  @Test("a row with a variant is a decision, and its reward a goal of the same row")
  func decision() throws {
    let imported = try imported(
      """
      ts,user,group,p,clicked,country,age
      2026-01-05 10:00:00,001,red,0.25,1,US,33
      2026-01-05 10:00:01,002,blue,0.75,,,
      """, "time=ts", "unit=user", "variant=group", "propensity=p", "reward=clicked",
      "choices:=red|blue", "context.country=country", "context.*=*")
    #expect(
      imported.events == [
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"001","experiment":"visits","variant":"red","choices":["red","blue"],"propensity":0.25,"context":{"country":"US","age":33}}"#,
        #"{"type":"goal","time":"2026-01-05T10:00:00Z","unit":"001","experiment":"visits","goal":"reward","value":1}"#,
        #"{"type":"decision","time":"2026-01-05T10:00:01Z","unit":"002","experiment":"visits","variant":"blue","choices":["red","blue"],"propensity":0.75}"#,
      ])
  }

  @Test("JSON of any shape: nested fields, names with dots, lists and constants")
  func json() throws {
    let imported = try imported(
      """
      {"at":1767607200,"user":{"id":7},"payload":{"variation":"b","all":["a","b"]},"geo.country":"US"}
      """, "time=at", "unit=user.id", "variant=payload.variation", "choices=payload.all",
      "experiment:=checkout", "context.country=geo.country", name: "rows.json")
    #expect(
      imported.events == [
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"7","experiment":"checkout","variant":"b","choices":["a","b"],"context":{"country":"US"}}"#
      ])
  }

  @Test("a table whose lines end with carriage returns alone is refused, and not taken for a header without rows")
  func carriageReturns() throws {
    let error = #expect(throws: ImportError.self) {
      try imported("t,u,v,c\r2026-01-05,u1,a,1\r2026-01-06,u2,b,2\r", "time=t", "unit=u", "variant=v")
    }
    #expect(error?.description.contains("a carriage return alone") == true)
    #expect(
      try imported("t,u,\"v\r\nw\"\r\n2026-01-05,u1,a\r\n", "time=t", "unit=u", "variant=v\r\nw").events.count == 1)
  }

  @Test("names that only look alike are two fields")
  func composedNames() throws {
    let imported = try imported(
      "t,u,v,caf\u{E9},cafe\u{301}\n2026-01-05,u,a,1,2\n", "time=t", "unit=u", "variant=v",
      "context.caf\u{E9}=caf\u{E9}", "context.cafe\u{301}=cafe\u{301}")
    #expect(imported.events.first?.contains("\"caf\u{E9}\":1,\"cafe\u{301}\":2") == true)
  }

  @Test("several events of one row: an assignment and its conversion, where there was one")
  func several() throws {
    let imported = try imported(
      """
      user\tgroup\tassigned\tbought\tamount\tvip
      u-1\tA\t2026-01-05\t2026-01-06T12:00:00Z\t9.5\ttrue
      u-2\tB\t2026-01-05\t\t\tfalse
      """, "time=assigned", "unit=user", "variant=group", "experiment:=shop", "2.time=bought",
      "2.goal:=purchase", "2.revenue=amount", "2.type:=conversion", "3.kind:=trait",
      "3.key:=vip", "3.value=vip", "3.when=vip")
    #expect(
      imported.events == [
        #"{"type":"decision","time":"2026-01-05T00:00:00Z","unit":"u-1","experiment":"shop","variant":"A"}"#,
        #"{"type":"conversion","time":"2026-01-06T12:00:00Z","unit":"u-1","goal":"purchase","revenue":9.5}"#,
        #"{"type":"dataPoint","time":"2026-01-05T00:00:00Z","unit":"u-1","kind":"trait","key":"vip","value":true}"#,
        #"{"type":"decision","time":"2026-01-05T00:00:00Z","unit":"u-2","experiment":"shop","variant":"B"}"#,
      ])
  }

  @Test("a table of events of several kinds: what a column says decides, and of several columns the first filled")
  func conditions() throws {
    let table = """
      at,user_id,device_id,event,arm,amount,a|b
      2026-01-05,u-1,d-1,exposure,A,,x
      2026-01-05,,d-2,exposure,B,,y
      2026-01-06,u-1,d-1,order,,9.5,
      2026-01-07,u-1,d-1,refund,,-9.5,
      2026-01-07,,d-2,page,,,
      """
    let map = [
      "time=at", "unit=user_id | device_id", "variant=arm", "when=event == exposure", "experiment:=shop", "point=a|b",
      "2.type:=conversion", "2.goal=event", "2.revenue=amount", "2.when=event==order|refund",
    ]
    let events = [
      #"{"type":"decision","time":"2026-01-05T00:00:00Z","unit":"u-1","experiment":"shop","point":"x","variant":"A"}"#,
      #"{"type":"decision","time":"2026-01-05T00:00:00Z","unit":"d-2","experiment":"shop","point":"y","variant":"B"}"#,
      #"{"type":"conversion","time":"2026-01-06T00:00:00Z","unit":"u-1","goal":"order","revenue":9.5}"#,
      #"{"type":"conversion","time":"2026-01-07T00:00:00Z","unit":"u-1","goal":"refund","revenue":-9.5}"#,
    ]
    let imported = try Imported(table, name: "visits.csv", mapping: EventMapping(map))
    #expect(imported.events == events)
    #expect(imported.ignored == ["rows without an event": 1])
    let json = """
      {"at":"2026-01-05","user":{"id":""},"device":{"id":"d-2"},"event":"exposure","arm":"B"}
      {"at":"2026-01-05","user":{"id":7},"device":{"id":"d-2"},"event":3,"arm":"B"}
      """
    let nested = try self.imported(
      json, "time=at", "unit=user.id|device.id", "variant=arm", "unless=event==3", "experiment:=shop", name: "v.json")
    #expect(
      nested.events == [
        #"{"type":"decision","time":"2026-01-05T00:00:00Z","unit":"d-2","experiment":"shop","variant":"B"}"#
      ])
    let unknown = #expect(throws: ImportError.self) {
      try self.imported("at,id,v\n", "time=at", "unit=b|device", "variant=v", name: "t.csv")
    }
    #expect(unknown?.description.contains("unknown column \"b | device\"; available") == true)
    for (entry, problem) in [
      ("unit=a|", "a name is missing"), ("when=x==", "a value is missing"), ("when= == x", "a name is missing"),
    ] {
      let error = #expect(throws: SpecificationError.self) { try EventMapping(["time=t", "variant=v", entry]) }
      #expect(error?.description.contains(problem) == true)
    }
  }

  @Test("wide to long: each of several columns is a goal")
  func each() throws {
    let imported = try imported(
      "t,u,clicks,orders\n2026-01-05,u-1,3,\n2026-01-05,u-2,0,2\n", "time=t", "unit=u",
      "each=clicks,orders", "goal={column}", "value={value}", "experiment:=shop")
    #expect(
      imported.events == [
        #"{"type":"goal","time":"2026-01-05T00:00:00Z","unit":"u-1","experiment":"shop","goal":"clicks","value":3}"#,
        #"{"type":"goal","time":"2026-01-05T00:00:00Z","unit":"u-2","experiment":"shop","goal":"clicks","value":0}"#,
        #"{"type":"goal","time":"2026-01-05T00:00:00Z","unit":"u-2","experiment":"shop","goal":"orders","value":2}"#,
      ])
  }

  @Test("rows that cannot be events are rejected with the column and the content")
  func rejected() throws {
    let imported = try imported(
      """
      t,u,v,p
      yesterday,u,a,1
      2026-01-05,,a,1
      2026-01-05,u,a,high
      2026-01-05,u,,1
      """, "time=t", "unit=u", "variant=v", "propensity=p")
    #expect(
      imported.rejected == [
        #"2: bad time: "time" is "yesterday", which is no time; write 2026-01-05, 2026-01-05T10:00:00Z (UTC without an offset, or one such as +02:00), or a number since 1970"#,
        #"3: missing unit: column "u", the unit, is empty"#,
        #"4: bad number: column "p" is "high" and must be a number"#,
      ])
    #expect(imported.ignored == ["rows without an event": 1])
  }

  @Test("a mapping that cannot work is refused before anything is read")
  func refused() {
    for (entries, part) in [
      (["unit"], "write FIELD=COLUMN"), (["units=u"], "did you mean \"unit\"?"),
      (["unit=u", "unit=v"], "mapped twice"), (["time=t", "variant=v"], "must map unit"),
      (["time=t", "unit=u"], "neither variant"), (["3.unit=u"], "without gaps"),
      (["unit="], "missing after the ="), (["features.a=b"], "features.VARIANT.NAME"),
    ] {
      let error = #expect(throws: SpecificationError.self) { try EventMapping(entries) }
      #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }
    let error = #expect(throws: ImportError.self) {
      try imported("a,b\n1,2\n", "time=a", "unit=c", "variant=b")
    }
    #expect(error?.description.contains("unknown column \"c\"") == true)
  }

  @Test("a suggestion, read as a mapping, gives the events")
  func suggestion() throws {
    let text = "timestamp,user_id,experiment,variation,converted,plan\n2026-01-05,u,e,a,1,pro\n"
    let folder = try TemporaryFolder()
    let sample = try Importer().sample(folder.write(text))
    let suggestion = try #require(MappingSuggestion(sample))
    #expect(suggestion.missing.isEmpty)
    let mapping = try EventMapping(suggestion.lines.map(\.entry))
    let imported = try Imported(text, mapping: mapping)
    #expect(
      imported.events == [
        #"{"type":"decision","time":"2026-01-05T00:00:00Z","unit":"u","experiment":"e","variant":"a","context":{"plan":"pro"}}"#,
        #"{"type":"goal","time":"2026-01-05T00:00:00Z","unit":"u","experiment":"e","goal":"converted","value":1}"#,
      ])
  }
}
