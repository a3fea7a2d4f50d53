import Testing

@testable import Interchange

@Suite("PostHog events")
struct PostHogTests {
  @Test("a call of a flag is a decision; its response may be a truth value")
  func exposure() throws {
    let imported = try Imported(
      """
      {"uuid":"p-1","event":"$feature_flag_called","distinct_id":"001","timestamp":"2026-01-05T10:00:00.123Z",\
      "properties":{"$feature_flag":"checkout","$feature_flag_response":"test","$feature/checkout":"test"}}
      {"uuid":"p-2","event":"$feature_flag_called","distinct_id":"001","timestamp":"2026-01-05T10:00:00Z",\
      "properties":{"$feature_flag":"beta","$feature_flag_response":false}}
      {"uuid":"p-3","event":"$feature_flag_called","distinct_id":"001","timestamp":"2026-01-05T10:00:00Z",\
      "properties":{"$feature_flag":"gone","$feature_flag_response":null}}
      {"uuid":"p-4","event":"$feature_flag_called","distinct_id":"001","timestamp":"2026-01-05T10:00:00Z","properties":{}}
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","id":"p-1","time":"2026-01-05T10:00:00.123000Z","unit":"001","experiment":"checkout","variant":"test","context":{"properties.$feature/checkout":"test"}}"#,
        #"{"type":"decision","id":"p-2","time":"2026-01-05T10:00:00Z","unit":"001","experiment":"beta","variant":"false"}"#,
      ])
    #expect(imported.ignored == ["calls of a flag without a response": 1])
    #expect(
      imported.rejected == [#"4: bad event: there is no "properties.$feature_flag""#])
  }

  @Test("CSV has the properties as JSON text or in columns of their own")
  func csv() throws {
    let text = try Imported(
      """
      uuid,event,properties,timestamp,distinct_id
      p-1,$feature_flag_called,"{""$feature_flag"": ""checkout"", ""$feature_flag_response"": ""test"", ""n"": 1}",2026-01-05 10:00:00.123000+00:00,001
      p-2,purchase,"{""revenue"": 12.5, ""$lib"": ""web""}",2026-01-05 10:00:00,u
      """)
    #expect(
      text.events == [
        #"{"type":"decision","id":"p-1","time":"2026-01-05T10:00:00.123000Z","unit":"001","experiment":"checkout","variant":"test","context":{"properties.n":1}}"#,
        #"{"type":"conversion","id":"p-2","time":"2026-01-05T10:00:00Z","unit":"u","goal":"purchase","revenue":12.5,"metadata":{"properties.$lib":"web"}}"#,
      ])
    let columns = try Imported(
      """
      event,distinct_id,timestamp,properties.$feature_flag,properties.$feature_flag_response,properties.revenue
      $feature_flag_called,u,2026-01-05T10:00:00Z,checkout,control,
      purchase,u,2026-01-05T10:00:00Z,,,2
      """)
    #expect(
      columns.events == [
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"u","experiment":"checkout","variant":"control"}"#,
        #"{"type":"conversion","time":"2026-01-05T10:00:00Z","unit":"u","goal":"purchase","revenue":2}"#,
      ])
  }

  @Test("$identify gives data points, and merges of persons are counted")
  func persons() throws {
    let imported = try Imported(
      """
      {"uuid":"p-5","event":"$identify","distinct_id":"u","timestamp":"2026-01-05T10:00:00Z",\
      "properties":{"$set":{"plan":"pro","old":null}}}
      {"uuid":"p-6","event":"$identify","distinct_id":"u","timestamp":"2026-01-05T10:00:00Z","properties":{}}
      {"uuid":"p-7","event":"$create_alias","distinct_id":"u","timestamp":"2026-01-05T10:00:00Z","properties":{}}
      """)
    #expect(
      imported.events == [
        #"{"type":"dataPoint","id":"p-5","time":"2026-01-05T10:00:00Z","unit":"u","kind":"personProperty","key":"plan","value":"pro"}"#
      ])
    #expect(
      imported.ignored == [
        "calls that identify a person only": 1,
        "calls that merge persons or set properties of groups": 1,
      ])
  }

  @Test("properties that are JSON text, also twice, are read as the object that they are")
  func text() throws {
    let object =
      #"{"type":"conversion","id":"p-2","time":"2026-01-05T10:00:00Z","unit":"u","goal":"paid","revenue":5,"metadata":{"properties.a.b":1,"properties.note":"{draft"}}"#
    for properties in [
      #"{"revenue":5,"a":{"b":1},"note":"{draft"}"#,
      #""{\"revenue\":5,\"a\":{\"b\":1},\"note\":\"{draft\"}""#,
      #""{\"revenue\":5,\"a\":\"{\\\"b\\\":1}\",\"note\":\"{draft\"}""#,
      #""\"{\\\"revenue\\\":5,\\\"a\\\":{\\\"b\\\":1},\\\"note\\\":\\\"{draft\\\"}\"""#,
    ] {
      let imported = try Imported(
        #"{"uuid":"p-2","event":"paid","distinct_id":"u","timestamp":"2026-01-05T10:00:00Z","properties":\#(properties)}"#
      )
      #expect(imported.events == [object])
    }
  }

  @Test("a refund is negative, by its name or its amount")
  func refund() throws {
    for (name, revenue) in [("order_refunded", "5"), ("refund", "5"), ("paid", "-5")] {
      let imported = try Imported(
        #"{"uuid":"p","event":"\#(name)","distinct_id":"u","timestamp":"2026-01-05T10:00:00Z","properties":{"revenue":\#(revenue)}}"#
      )
      #expect(
        imported.events == [
          #"{"type":"conversion","id":"p","time":"2026-01-05T10:00:00Z","unit":"u","goal":"\#(name)","revenue":5,"negative":true}"#
        ])
    }
  }
}
