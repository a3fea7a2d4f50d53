import Testing

@testable import Interchange

@Suite("Optimizely events")
struct OptimizelyTests {
  @Test("a decision has its attributes by name, and its holdback in the context")
  func decision() throws {
    let imported = try Imported(
      """
      {"uuid":"d-1","timestamp":"2026-01-05T10:00:00Z","process_timestamp":"2026-01-05T10:01:00Z","visitor_id":"0700",\
      "account_id":"9","campaign_id":"c","experiment_id":"e-1","variation_id":"v-2","is_holdback":true,\
      "attributes":[{"id":"1","name":"plan","type":"custom","value":"pro"},{"id":"2","name":null,"value":"x"},\
      {"id":"3","name":"empty","value":null}],"session_id":null}
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","id":"d-1","time":"2026-01-05T10:00:00Z","unit":"0700","experiment":"e-1","variant":"v-2","context":{"attributes.plan":"pro","attributes.2":"x","process_timestamp":"2026-01-05T10:01:00Z","account_id":"9","campaign_id":"c","is_holdback":true}}"#
      ])
  }

  @Test("a conversion has its revenue in currency units")
  func conversion() throws {
    let imported = try Imported(
      """
      {"uuid":"c-1","timestamp":1767607200000,"visitor_id":"v","entity_id":"77","event_type":"other","event_name":"purchase",\
      "revenue":1999,"value":2.5,"quantity":3,"tags":{"sku":"x"},\
      "experiments":[{"campaign_id":"c","experiment_id":"e-1","variation_id":"v-2","is_holdback":false}]}
      {"uuid":"c-2","timestamp":1767607201000,"visitor_id":"v","entity_id":"77","event_name":null,"attributes":[]}
      """)
    #expect(
      imported.events == [
        #"{"type":"conversion","id":"c-1","time":"2026-01-05T10:00:00Z","unit":"v","goal":"purchase","revenue":19.99,"metadata":{"entity_id":"77","event_type":"other","value":2.5,"quantity":3,"tags.sku":"x","experiments":"[{\"campaign_id\":\"c\",\"experiment_id\":\"e-1\",\"variation_id\":\"v-2\",\"is_holdback\":false}]"}}"#,
        #"{"type":"conversion","id":"c-2","time":"2026-01-05T10:00:01Z","unit":"v","goal":"77"}"#,
      ])
  }

  @Test("tables are read like JSON, with lists of attributes as JSON")
  func table() throws {
    let imported = try Imported(
      """
      uuid,timestamp,visitor_id,experiment_id,variation_id,is_holdback,attributes
      d-1,2026-01-05 10:00:00,v-1,e-1,v-2,false,"[{""id"":""1"",""name"":""plan"",""value"":""pro""}]"
      d-2,2026-01-05 10:00:00,v-2,,,false,[]
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","id":"d-1","time":"2026-01-05T10:00:00Z","unit":"v-1","experiment":"e-1","variant":"v-2","context":{"attributes.plan":"pro","is_holdback":false}}"#
      ])
    #expect(imported.ignored == ["decisions of visitors who were not bucketed": 1])
  }

  @Test("incomplete records and attributes with one name are rejected")
  func rejected() throws {
    let imported = try Imported(
      """
      {"uuid":"d-1","timestamp":1767607200000,"visitor_id":"v","experiment_id":"e"}
      {"uuid":"d-2","timestamp":1767607200000,"visitor_id":null,"experiment_id":"e","variation_id":"v"}
      {"uuid":"c-1","timestamp":1767607200000,"visitor_id":"v","event_type":"other"}
      {"uuid":"c-2","timestamp":1767607200000,"visitor_id":"v","entity_id":"1","revenue":"lots"}
      {"uuid":"c-3","timestamp":1767607200000,"visitor_id":"v","entity_id":"1",\
      "attributes":[{"name":"a","value":1},{"name":"a","value":2}]}
      """)
    #expect(imported.events.isEmpty)
    #expect(
      imported.rejected == [
        #"1: bad event: there is no "variation_id""#, #"2: missing unit: there is no "visitor_id""#,
        #"3: bad event: there is no "event_name" or "entity_id""#,
        #"4: bad number: "revenue" is "lots" and must be a number"#,
        #"5: bad event: "metadata" has "attributes.a" twice; keep one of them"#,
      ])
  }
}
