import TestSupport
import Testing

@testable import Interchange

/// Proposals that follow from what the first records have in the columns.
@Suite("Mappings suggested by the content")
struct SampledSuggestionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func suggestion(_ text: String) throws -> MappingSuggestion {
    try #require(MappingSuggestion(try Importer().sample(folder.write(text, "t"))))
  }

  private func imported(_ text: String, _ suggestion: MappingSuggestion) throws -> Imported {
    try Imported(text, name: "e.csv", mapping: EventMapping(suggestion.lines.map(\.entry)))
  }

  private static let stream = #"""
    {"user":"u1","ts":"2026-01-05","name":"exposure","properties":"{\"variant\":\"new\",\"device\":\"web\"}"}
    {"user":"u1","ts":"2026-01-06","name":"purchase","properties":"{\"revenue\":48.5,\"plan\":\"pro\"}"}
    {"user":"u2","ts":"2026-01-05","name":"exposure","properties":"{\"variant\":\"old\",\"device\":\"ios\"}"}
    {"user":"u2","ts":"2026-01-07","name":"signup","properties":"{\"plan\":\"free\"}"}
    """#
  private static let table = #"""
    user,ts,name,properties
    u1,2026-01-05,exposure,"{""variant"":""new"",""device"":""web""}"
    u1,2026-01-06,purchase,"{""revenue"":48.5,""plan"":""pro""}"
    u2,2026-01-05,exposure,"{""variant"":""old"",""device"":""ios""}"
    u2,2026-01-07,signup,"{""plan"":""free""}"
    """#

  @Test("a unit that some records lack gets the column that they have one in; names that mappings use are left out")
  func units() throws {
    let text = """
      ts,user_id,device_id,variant,{value},=y
      2026-01-05,u1,d1,a,1,2
      2026-01-05,,d2,b,1,2
      2026-01-05,NULL,d3,b,1,2
      """
    let suggestion = try suggestion(text)
    #expect(suggestion.lines.contains { $0.entry == "unit=user_id|device_id" && $0.note != nil })
    #expect(suggestion.leftOut.map(\.column) == ["{value}"])
    #expect(suggestion.yaml.contains(#"context._y: ["=y"]"#))
    let imported = try imported(text, suggestion)
    #expect(imported.events.map { $0.contains("d2") || $0.contains("d3") } == [false, true, true])
    #expect(imported.events.allSatisfy { $0.contains(#""_y":2"#) })
    let whole = try self.suggestion("ts,user_id,device_id,variant\n2026-01-05,u1,d1,a\n")
    #expect(whole.lines.map(\.entry).contains("unit=user_id"))
  }

  @Test(
    "a stream has decisions where there is a variant, and conversions under their own name elsewhere",
    arguments: [stream, table])
  func streams(text: String) throws {
    let suggestion = try suggestion(text)
    #expect(
      suggestion.lines.map(\.entry) == [
        "time=ts", "unit=user", "variant=properties.variant", "2.type:=conversion", "2.goal=name",
        "2.unless=properties.variant == *", "2.revenue=properties.revenue",
        "context.properties.device=properties.device",
        "2.metadata.properties.plan=properties.plan",
      ])
    let imported = try imported(text, suggestion)
    #expect(imported.rejected.isEmpty && imported.ignored.isEmpty, "\(imported)")
    #expect(imported.events.count == 4)
    let purchase = try #require(imported.events.first { $0.contains("purchase") })
    #expect(purchase.contains(#""type":"conversion""#) && purchase.contains(#""revenue":48.5"#))
    #expect(!imported.events.contains { $0.contains(#""goal":"exposure""#) })
    #expect(imported.events.contains { $0.contains(#""goal":"signup""#) })
  }

  @Test(
    "exports whose properties are text: the goal is the event's name, and the revenue is in them",
    arguments: [
      #"""
      uuid,event,properties,distinct_id,timestamp
      0190-d,paid,"{""revenue"":5}",d2,2026-01-05T11:00:00Z
      """#,
      #"""
      {"uuid":"1","event_type":"paid","event_properties":"{\"revenue\":5}","user_id":"u","event_time":"2026-01-05"}
      """#,
      #"""
      {"messageId":"1","type":"track","event":"paid","userId":"u","timestamp":"2026-01-05","properties":"{\"revenue\":\"5\"}"}
      """#,
      #"""
      {"user":"u","ts":"2026-01-05","name":"paid","payload":"{\"revenue\":5}"}
      """#,
    ])
  func properties(text: String) throws {
    let suggestion = try suggestion(text)
    #expect(suggestion.missing.isEmpty)
    let imported = try imported(text, suggestion)
    #expect(imported.events.count == 1, "\(imported)")
    #expect(imported.events.first?.contains(#""goal":"paid","revenue":5"#) == true, "\(imported)")
  }

  @Test(
    "an outcome of yes or no is a goal where it is yes, however that is written",
    arguments: [
      ("1", "0"), ("true", "false"), ("yes", "no"), ("1.0", "0.0"), ("T", "F"), ("y", ""),
    ]
  )
  func truths(yes: String, no: String) throws {
    let text = "user,ts,group,purchased\na,2026-03-01,A,\(yes)\nb,2026-03-01,B,\(no)\n"
    let imported = try imported(text, try suggestion(text))
    #expect(imported.rejected.isEmpty, "\(imported)")
    #expect(
      imported.events.filter { $0.contains(#""goal":"purchased""#) }.count == 1, "\(imported)")
  }

  @Test(
    "an outcome that is a text is left out, and a column that says refund is an amount or a truth")
  func kinds() throws {
    let rows = "a,2026-03-01,A,won\nb,2026-03-01,B,lost\n"
    let outcome = try suggestion("user,ts,group,outcome\n" + rows)
    #expect(outcome.leftOut.map(\.column) == ["outcome"])
    let text = "user,ts,group,revenue,refund\na,2026-03-01,A,20,5\nb,2026-03-01,B,7,0\n"
    let refund = try suggestion(text)
    #expect(refund.yaml.contains("# no column has the time of this refund"))
    let events = try imported(text, refund).events
    #expect(events.filter { $0.contains(#""revenue":5,"negative":true"#) }.count == 1, "\(events)")
    let flag = try suggestion(
      "user,ts,group,revenue,is_refund\na,2026-03-01,A,20,1\nb,2026-03-01,B,7,0\n")
    #expect(
      flag.lines.suffix(3).map(\.entry)
        == ["2.negative=is_refund", "2.revenue=revenue", "2.when=revenue"])
  }

  @Test("further amounts are details of the same purchase, and several goals are named in a note")
  func amounts() throws {
    let suggestion = try suggestion(
      "user_id,assigned_at,variant,revenue,list_price,margin,converted,sessions,levels_completed\n")
    let entries = suggestion.lines.map(\.entry)
    #expect(entries.contains("2.metadata.list_price=list_price"))
    #expect(entries.contains("2.metadata.margin=margin"))
    #expect(entries.filter { $0.hasSuffix("type:=goal") }.count == 3)
    #expect(suggestion.yaml.contains("# report rewards adds up all goals"))
    _ = try EventMapping(entries)
  }

  @Test(
    "the time of an outcome, of a birth or of the table is never that of the assignment",
    arguments: ["Purchase Time", "birth_date", "loaded_at", "last_seen_at", "converted_at"])
  func times(column: String) throws {
    let alone = try suggestion("user_id,\(column),variant,converted")
    #expect(alone.missing == ["time"])
    #expect(alone.yaml.contains("# time: no column seems to be the time"))
    let both = try suggestion("user_id,\(column),variant,converted,visit_date")
    #expect(both.lines.first?.entry == "time=visit_date")
    #expect(
      try suggestion("user_id,Purchase Time,variant").yaml.contains(
        #"of the assignment, and "Purchase Time" is that of an outcome"#))
  }

  @Test("a goal of a row with a slot is one of that slot")
  func slots() throws {
    let entries = try suggestion("ts,user_id,position,variant,clicked").lines.map(\.entry)
    #expect(entries.contains("2.slot=position"))
  }

  @Test("an event may depend on a column that is empty, and the mapping says what rows need")
  func unless() throws {
    let mapping = try EventMapping(
      [
        "time=t", "unit=u", "variant=v", "2.type:=conversion", "2.goal:=x", "2.unless=v",
        "2.when=w",
      ]
    )
    let imported = try Imported(
      "t,u,v,w\n2026-01-05,u,A,1\n2026-01-05,u,,1\n2026-01-05,u,,0\n", name: "e.csv",
      mapping: mapping)
    #expect(imported.events.count == 2)
    #expect(imported.events.last?.contains(#""goal":"x""#) == true)
    #expect(imported.ignored == ["rows without an event": 1])
    #expect(
      mapping.conditions.contains(
        "an event needs variant=v filled, or 2.when=w filled and not 0 and 2.unless=v empty or 0;"),
      "\(mapping.conditions)")
  }
}
