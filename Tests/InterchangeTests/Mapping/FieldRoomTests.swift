import Specifications
import TestSupport
import Testing

@testable import Interchange

@Suite("Fields that an event cannot hold")
struct FieldRoomTests {
  private static let row = ["time=t", "unit=u", "variant=v"]

  @Test(
    "a field that the row's event cannot hold is an error that names both and proposes an event",
    arguments: [
      (
        ["revenue=r"],
        ["variant: v", "decision", "revenue: r", "2.type: =conversion", "2.revenue: r"]
      ),
      (["negative=n"], ["decision", "negative: n", "2.type: =conversion", "2.negative: n"]),
      (["goal:=buy", "value=r"], ["goal: =buy", "2.type: =goal", "2.goal: =buy", "2.value: r"]),
      (["goal:=buy", "revenue=r"], ["2.type: =conversion", "2.goal: =buy", "2.revenue: r"]),
      (["value=r"], ["2.type: =goal", "2.goal: =r", "2.value: r"]),
      (["metadata.plan=p"], ["context.plan: p", "2.type: =conversion", "2.metadata.plan: p"]),
      (["metadata.*=*"], ["context.*: *"]), (["key=k"], ["2.type: =dataPoint", "2.key: k"]),
      (
        ["2.goal:=buy", "2.value=x", "2.revenue=r", "2.type:=goal"],
        ["2.revenue: r", "3.type: =conversion"]
      ),
      (
        ["2.goal:=buy", "2.value=x", "2.negative=n"],
        ["2.value: x", "2.negative: n", "3.negative: n"]
      ),
      (["2.goal:=buy", "2.revenue=x", "2.slot=s"], ["conversion", "2.slot: s", "3.type: =goal"]),
      (["2.goal:=buy", "2.value=x", "2.context.a=a"], ["write 2.metadata.a: a"]),
      (
        ["2.kind:=trait", "2.metadata.a=a"], ["dataPoint", "2.kind: =trait", "3.type: =conversion"]
      ),
      (["2.goal:=buy", "2.value=x", "2.propensity=p"], ["2.propensity: p", "3.type: =decision"]),
    ])
  func refused(entries: [String], parts: [String]) {
    let error = #expect(throws: SpecificationError.self) { try EventMapping(Self.row + entries) }
    for part in parts {
      #expect(error?.description.contains(part) == true, "\(part): \(error?.description ?? "")")
    }
  }

  @Test("every field of every kind of event is accepted for it, and kept")
  func accepted() throws {
    let imported = try Imported(
      """
      t,u,v,a
      2026-01-05,u-1,A,1
      """, name: "e.csv",
      mapping: EventMapping(
        Self.row + [
          "id:=d", "point:=p", "slot:=s", "choices:=A|B", "propensity:=0.5",
          "probabilities:=0.5|0.5",
          "policy:=x", "reason:=r", "status:=confirmed", "context.a=a", "features.A.a=a",
          "2.type:=goal", "2.id:=g", "2.point:=p", "2.slot:=s", "2.goal:=g", "2.value=a",
          "2.reason:=r",
          "2.status:=accepted", "2.metadata.a=a", "3.type:=conversion", "3.goal:=c", "3.revenue=a",
          "3.negative:=false", "3.metadata.a=a", "3.experiment:=e", "4.kind:=k", "4.key:=a",
          "4.value=a",
        ]))
    #expect(
      imported.events == [
        #"{"type":"decision","id":"d","time":"2026-01-05T00:00:00Z","unit":"u-1","experiment":"e","point":"p","slot":"s","variant":"A","choices":["A","B"],"propensity":0.5,"probabilities":[0.5,0.5],"policy":"x","reason":"r","status":"confirmed","context":{"a":1},"features":{"A":{"a":1}}}"#,
        #"{"type":"goal","id":"g","time":"2026-01-05T00:00:00Z","unit":"u-1","experiment":"e","point":"p","slot":"s","goal":"g","value":1,"status":"accepted","reason":"r","metadata":{"a":1}}"#,
        #"{"type":"conversion","id":"d/3","time":"2026-01-05T00:00:00Z","unit":"u-1","goal":"c","revenue":1,"negative":false,"metadata":{"experiment":"e","a":1}}"#,
        #"{"type":"dataPoint","id":"d/4","time":"2026-01-05T00:00:00Z","unit":"u-1","kind":"k","key":"a","value":1}"#,
      ], "\(imported)")
  }

  @Test("rows that say their kind are rejected where they say more than it holds")
  func rowsOfSeveralKinds() throws {
    let imported = try Imported(
      """
      type,t,u,v,g,r,x
      decision,2026-01-05,u-1,A,,,1
      conversion,2026-01-05,u-1,,buy,5,2
      decision,2026-01-05,u-2,B,,7,3
      goal,2026-01-05,u-2,B,buy,,4
      """, name: "e.csv",
      mapping: EventMapping([
        "type=type", "time=t", "unit=u", "variant=v", "goal=g", "revenue=r", "context.*=*",
      ]))
    #expect(
      imported.events == [
        #"{"type":"decision","time":"2026-01-05T00:00:00Z","unit":"u-1","experiment":"e","variant":"A","context":{"x":1}}"#,
        #"{"type":"conversion","time":"2026-01-05T00:00:00Z","unit":"u-1","goal":"buy","revenue":5,"metadata":{"x":2}}"#,
      ])
    #expect(imported.rejected.count == 2)
    #expect(imported.rejected.first?.contains(#"4: bad event: column "r", the revenue"#) == true)
    #expect(imported.rejected.last?.contains(#"5: bad event: column "v", the variant"#) == true)
  }

  @Test("a value whose event has no time is rejected, and not lost with its event")
  func valueWithoutTime() throws {
    let mapping = try EventMapping(
      Self.row + ["2.type:=conversion", "2.goal:=buy", "2.time=at", "2.revenue=r"])
    let imported = try Imported(
      "t,u,v,at,r\n2026-01-05,u-1,A,,5\n2026-01-05,u-2,A,,0\n2026-01-05,u-3,A,,\n", name: "e.csv",
      mapping: mapping)
    #expect(imported.events.count == 2)
    #expect(imported.rejected.count == 1)
    #expect(imported.rejected.first?.hasPrefix(#"2: bad time: column "at""#) == true, "\(imported)")
  }

  @Test("columns that no entry names are told, and none where the rest is kept")
  func leftOut() throws {
    let sample = InputSample(Array("t,u,v,plan,props".utf8))
    #expect(try EventMapping(Self.row + ["context.a=props.a"]).leftOut(of: sample) == ["plan"])
    #expect(try EventMapping(Self.row + ["context.*=*"]).leftOut(of: sample) == [])
    let object = InputSample(Array(#"{"t":1,"u":{"id":1,"age":2},"v":"a"}"#.utf8))
    #expect(
      try EventMapping(["time=t", "unit=u.id", "variant=v"]).leftOut(of: object) == ["u.age"])
  }
}
