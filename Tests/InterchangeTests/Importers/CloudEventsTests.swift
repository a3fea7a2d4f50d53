import Testing

@testable import Interchange

@Suite("CloudEvents")
struct CloudEventsTests {
  @Test("the data is read in its own format, with the envelope's time if it has none")
  func segment() throws {
    let imported = try Imported(
      """
      {"specversion":"1.0","id":"1","source":"/shop","type":"com.acme.track","time":"2026-01-05T10:00:00Z",\
      "datacontenttype":"application/json","subject":"u-1","data":{"type":"track","event":"Experiment Viewed",\
      "messageId":"m-1","userId":"001","properties":{"experiment_id":"7","variation_id":"1"},"context":{"ip":"::1"}}}
      {"specversion":"1.0","id":"2","source":"/shop","type":"com.acme.track","time":"2026-01-05T10:00:09Z",\
      "data":{"type":"track","event":"Paid","messageId":"m-2","userId":"001","timestamp":"2026-01-05T10:00:01Z"}}
      {"specversion":"1.0","id":"3","source":"/shop","type":"com.acme.track","subject":"u-1"}
      {"specversion":"1.0","id":"4","source":"/shop","type":"com.acme.track","data":{"type":"page","messageId":"m-3"}}
      {"specversion":"1.0","id":"5","source":"/shop","type":"com.acme.track","data_base64":"e30="}
      {"specversion":"1.0","id":"6","source":"/shop","type":"com.acme.track","data":"<a/>"}
      {"specversion":"1.0","id":"7","source":"/shop","type":"com.acme.track","data":{"type":"track","userId":"u","event":"x"}}
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","id":"/shop#1","time":"2026-01-05T10:00:00Z","unit":"001","experiment":"7","variant":"1","context":{"context.ip":"::1","cloudevents.data.id":"m-1","cloudevents.type":"com.acme.track","cloudevents.time":"2026-01-05T10:00:00Z","cloudevents.datacontenttype":"application/json","cloudevents.subject":"u-1"}}"#,
        #"{"type":"conversion","id":"/shop#2","time":"2026-01-05T10:00:01Z","unit":"001","goal":"Paid","metadata":{"cloudevents.data.id":"m-2","cloudevents.type":"com.acme.track","cloudevents.time":"2026-01-05T10:00:09Z"}}"#,
      ])
    #expect(
      imported.ignored == ["calls other than track and identify": 1, "events without data": 1])
    #expect(
      imported.rejected == [
        #"5: bad event: "data_base64" cannot be read; send JSON objects in "data""#,
        #"6: bad event: "data" is "<a/>" and must be a JSON object"#,
        #"7: bad time: there is no "timestamp""#,
      ])
  }

  @Test("a batch may have Bandolier's own events, which keep their ids")
  func batch() throws {
    let imported = try Imported(
      """
      [{"specversion":"1.0","id":"1","source":"/shop","type":"decision","time":"2026-01-05T10:00:00Z",
        "data":{"type":"decision","unit":"u","experiment":"e","variant":"a"}},
       {"specversion":"1.0","id":"2","source":"/shop","type":"goal",
        "data":{"type":"goal","id":"g-1","time":"2026-01-05T10:00:01Z","unit":"u","experiment":"e","goal":"click"}},
       {"specversion":"1.0","id":"3","source":"/shop","type":"goal",
        "data":{"type":"goal","unit":"u","experiment":"e","goal":"click"}}]
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","id":"/shop#1","time":"2026-01-05T10:00:00Z","unit":"u","experiment":"e","variant":"a","context":{"cloudevents.type":"decision","cloudevents.time":"2026-01-05T10:00:00Z"}}"#,
        #"{"type":"goal","id":"g-1","time":"2026-01-05T10:00:01Z","unit":"u","experiment":"e","goal":"click","metadata":{"cloudevents.type":"goal"}}"#,
      ])
    #expect(imported.rejected.count == 1)
    #expect(imported.rejected.first?.hasPrefix("5: malformed JSON: ") == true)
  }

  @Test("data of no known format is rejected with its fields")
  func unknown() throws {
    let imported = try Imported(
      """
      {"specversion":"1.0","id":"1","source":"/shop","type":"order","data":{"order":7,"total":1}}
      {"specversion":"1.0","id":"2","source":"/shop","type":"flag","time":"2026-01-05T10:00:00Z",\
      "data":{"uuid":"p-1","event":"$feature_flag_called","distinct_id":"u","timestamp":null,\
      "properties":{"$feature_flag":"f","$feature_flag_response":true}}}
      """)
    #expect(
      imported.rejected == [
        #"1: bad event: "data" has the fields "order", "total", which no format has"#
      ])
    #expect(
      imported.events == [
        #"{"type":"decision","id":"/shop#2","time":"2026-01-05T10:00:00Z","unit":"u","experiment":"f","variant":"true","context":{"cloudevents.data.id":"p-1","cloudevents.type":"flag","cloudevents.time":"2026-01-05T10:00:00Z"}}"#
      ])
  }

  @Test("the envelope's time must be one, and adds nothing else to the data")
  func time() throws {
    let time = #"2026-01-05T10:00:00Z\",\"unit\":\"other"#
    let imported = try Imported(
      #"{"specversion":"1.0","id":"1","source":"s","type":"a","time":"\#(time)","data":{"type":"decision","experiment":"e","variant":"v"}}"#
    )
    #expect(imported.events.isEmpty)
    #expect(
      imported.rejected == [
        #"1: bad time: "time" is "2026-01-05T10:00:00Z","unit":"other", which is not ISO 8601 with offset"#
      ])
  }

  @Test("the data of each type of event may be in another format")
  func types() throws {
    let imported = try Imported(
      """
      {"specversion":"1.0","id":"1","source":"s","type":"a","time":"2026-01-05T10:00:00Z",\
      "data":{"type":"decision","unit":"u","experiment":"e","variant":"v"}}
      {"specversion":"1.0","id":"2","source":"s","type":"b","time":"2026-01-05T10:00:00Z",\
      "data":{"type":"track","messageId":"m","userId":"u","event":"Paid"}}
      {"specversion":"1.0","id":"3","source":"s","type":"a","time":"2026-01-05T10:00:00Z",\
      "data":{"type":"goal","unit":"u","experiment":"e","goal":"g"}}
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","id":"s#1","time":"2026-01-05T10:00:00Z","unit":"u","experiment":"e","variant":"v","context":{"cloudevents.type":"a","cloudevents.time":"2026-01-05T10:00:00Z"}}"#,
        #"{"type":"conversion","id":"s#2","time":"2026-01-05T10:00:00Z","unit":"u","goal":"Paid","metadata":{"cloudevents.data.id":"m","cloudevents.type":"b","cloudevents.time":"2026-01-05T10:00:00Z"}}"#,
        #"{"type":"goal","id":"s#3","time":"2026-01-05T10:00:00Z","unit":"u","experiment":"e","goal":"g","metadata":{"cloudevents.type":"a","cloudevents.time":"2026-01-05T10:00:00Z"}}"#,
      ])
  }
}
