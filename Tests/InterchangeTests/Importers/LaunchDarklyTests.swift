import Testing

@testable import Interchange

@Suite("LaunchDarkly exports")
struct LaunchDarklyTests {
  @Test("a feature event of version 1 is a decision by the index of the variation")
  func version1() throws {
    let imported = try Imported(
      """
      {"project":"p","environment":"production","version":1,"event":{"kind":"feature","contextKind":"user","userKey":"007",\
      "creationDate":1767607200123,"key":"checkout","variation":1,"variationName":"new","value":true,"default":false,\
      "version":12,"reason":{"kind":"RULE_MATCH","ruleIndex":0,"inExperiment":true}}}
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","time":"2026-01-05T10:00:00.123000Z","unit":"007","experiment":"checkout","variant":"1","reason":"RULE_MATCH","context":{"project":"p","environment":"production","version":1,"event.variationName":"new","event.value":true,"event.default":false,"event.version":12,"event.reason.ruleIndex":0,"event.reason.inExperiment":true}}"#
      ])
  }

  @Test("a feature event of version 2 has contexts, of which the user is the unit")
  func version2() throws {
    let imported = try Imported(
      """
      {"environment":"e","version":2,"event":{"kind":"feature","contextKeys":{"organization":"o-1","user":"u-1"},\
      "creationDate":1767607200000,"key":"checkout","value":{"color":"red"},"reason":{"kind":"ERROR","errorKind":"FLAG_NOT_FOUND"}}}
      {"environment":"e","version":2,"event":{"kind":"feature","contextKeys":{"device":"d-1"},\
      "creationDate":1767607200000,"key":"checkout","variation":0,"value":"a"}}
      {"environment":"e","version":2,"event":{"kind":"feature","context":{"kind":"user","key":"u-3","name":"N"},\
      "creationDate":1767607200000,"key":"checkout","variation":0}}
      {"environment":"e","version":2,"event":{"kind":"feature","context":{"kind":"multi","user":{"key":"u-4"},"device":{"key":"d-4"}},\
      "creationDate":1767607200000,"key":"checkout","variation":0}}
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"u-1","experiment":"checkout","variant":"{\"color\":\"red\"}","reason":"ERROR","status":"excluded","context":{"environment":"e","version":2,"event.contextKeys.organization":"o-1","event.value.color":"red","event.reason.errorKind":"FLAG_NOT_FOUND"}}"#,
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"d-1","experiment":"checkout","variant":"0","context":{"environment":"e","version":2,"event.value":"a"}}"#,
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"u-3","experiment":"checkout","variant":"0","context":{"environment":"e","version":2,"event.context.kind":"user","event.context.name":"N"}}"#,
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"u-4","experiment":"checkout","variant":"0","context":{"environment":"e","version":2,"event.context.kind":"multi","event.context.device.key":"d-4"}}"#,
      ])
  }

  @Test("a custom event is a conversion, and other kinds are counted")
  func custom() throws {
    let imported = try Imported(
      """
      {"version":2,"event":{"kind":"custom","contextKeys":{"user":"u-1"},"creationDate":1767607200000,"key":"order",\
      "data":{"revenue":12.5,"sku":"x"},"metricValue":3}}
      {"version":2,"event":{"kind":"custom","contextKeys":{"user":"u-1"},"creationDate":1767607200000,"key":"note","data":"text"}}
      {"version":2,"event":{"kind":"identify","contextKeys":{"user":"u-1"},"creationDate":1767607200000}}
      {"version":2,"event":{"kind":"summary","startDate":1767607200000}}
      """)
    #expect(
      imported.events == [
        #"{"type":"conversion","time":"2026-01-05T10:00:00Z","unit":"u-1","goal":"order","revenue":12.5,"metadata":{"version":2,"event.data.sku":"x","event.metricValue":3}}"#,
        #"{"type":"conversion","time":"2026-01-05T10:00:00Z","unit":"u-1","goal":"note","metadata":{"version":2,"event.data":"text"}}"#,
      ])
    #expect(imported.ignored == ["events other than feature and custom": 2])
  }

  @Test("the kind of context can be chosen")
  func kind() throws {
    let stream = """
      {"event":{"kind":"feature","contextKeys":{"user":"u-1","device":"d-1"},"creationDate":1767607200000,"key":"f","variation":0}}
      {"event":{"kind":"feature","contextKeys":{"user":"u-1"},"creationDate":1767607200000,"key":"f","variation":0}}
      """
    let imported = try Imported(stream, format: "launchdarkly:kind=device")
    #expect(
      imported.events == [
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"d-1","experiment":"f","variant":"0","context":{"event.contextKeys.user":"u-1"}}"#
      ])
    #expect(imported.ignored == ["events without a context of that kind": 1])
  }

  @Test("rows of warehouse tables have their event and kind of context as id")
  func tables() throws {
    let imported = try Imported(
      """
      event_id,flag_key,context_key,context_kind,context_attributes,variation_id,variation_value,reason_kind,reason_detail,received_time
      x-1,checkout,u-1,user,"{""plan"":""pro""}",v-9,true,FALLTHROUGH,,2026-01-05 10:00:00
      x-1,checkout,o-1,organization,,v-9,true,FALLTHROUGH,,2026-01-05 10:00:00
      x-2,checkout,u-2,user,,,false,ERROR,"{""error_kind"":""X""}",2026-01-05 10:00:00
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","id":"x-1#user","time":"2026-01-05T10:00:00Z","unit":"u-1","experiment":"checkout","variant":"v-9","reason":"FALLTHROUGH","context":{"context_kind":"user","context_attributes.plan":"pro","variation_value":true}}"#,
        #"{"type":"decision","id":"x-1#organization","time":"2026-01-05T10:00:00Z","unit":"o-1","experiment":"checkout","variant":"v-9","reason":"FALLTHROUGH","context":{"context_kind":"organization","variation_value":true}}"#,
        #"{"type":"decision","id":"x-2#user","time":"2026-01-05T10:00:00Z","unit":"u-2","experiment":"checkout","variant":"false","reason":"ERROR","status":"excluded","context":{"context_kind":"user","variation_value":false,"reason_detail.error_kind":"X"}}"#,
      ])
    let metrics = try Imported(
      """
      {"event_id":"m-1","event_key":"order","context_key":"u-1","context_kind":"user","metric_value":2,"received_time":"2026-01-05T10:00:00Z"}
      {"event_id":"m-2","context_key":"u-1","context_kind":"user","received_time":"2026-01-05T10:00:00Z"}
      """)
    #expect(
      metrics.events == [
        #"{"type":"conversion","id":"m-1#user","time":"2026-01-05T10:00:00Z","unit":"u-1","goal":"order","metadata":{"context_kind":"user","metric_value":2}}"#
      ])
    #expect(metrics.rejected == [#"2: bad event: there is no "event_key" or "metric_key""#])
  }

  @Test("events without unit, variation or time are rejected")
  func rejected() throws {
    let imported = try Imported(
      """
      {"event":{"kind":"feature","creationDate":1767607200000,"key":"f","variation":0}}
      {"event":{"kind":"feature","userKey":"u","creationDate":1767607200000,"key":"f","value":null}}
      {"event":{"kind":"feature","userKey":"u","key":"f","variation":0}}
      """)
    #expect(
      imported.rejected == [
        #"1: missing unit: there is no "contextKeys", "context.key" or "userKey""#,
        #"2: bad event: there is no "variation" or "value""#,
        #"3: bad time: there is no "creationDate""#,
      ])
  }
}
