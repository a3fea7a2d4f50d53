import Testing

@testable import Interchange

@Suite("OpenTelemetry logs")
struct OpenTelemetryTests {
  @Test("each evaluation of a document is a decision, and its other log records are counted")
  func document() throws {
    let imported = try Imported(
      """
      {"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}}]},"scopeLogs":[\
      {"scope":{"name":"openfeature","version":"1.0"},"logRecords":[\
      {"timeUnixNano":"1767607200123456789","eventName":"feature_flag.evaluation","traceId":"t1","spanId":"s1","severityNumber":9,\
      "attributes":[{"key":"feature_flag.key","value":{"stringValue":"checkout"}},\
      {"key":"feature_flag.context.id","value":{"stringValue":"007"}},\
      {"key":"feature_flag.result.variant","value":{"stringValue":"new"}},\
      {"key":"feature_flag.result.value","value":{"boolValue":true}},\
      {"key":"feature_flag.result.reason","value":{"stringValue":"split"}},\
      {"key":"feature_flag.provider.name","value":{"stringValue":"flagd"}},\
      {"key":"feature_flag.version","value":{"intValue":"12"}},{"key":"ratio","value":{"doubleValue":0.5}},\
      {"key":"tags","value":{"arrayValue":{"values":[{"stringValue":"a"}]}}},{"key":"nothing","value":{}}]},\
      {"timeUnixNano":"1767607200123456789","body":{"stringValue":"started"},"attributes":[]},\
      {"timeUnixNano":"1767607200123456789","eventName":"feature_flag.evaluation","attributes":[\
      {"key":"feature_flag.key","value":{"stringValue":"checkout"}},{"key":"feature_flag.result.variant","value":{"stringValue":"new"}}]}\
      ]},{"scope":{},"logRecords":[]}]},{"scopeLogs":[{"logRecords":[\
      {"timeUnixNano":"0","observedTimeUnixNano":"1767607201000000000","attributes":[\
      {"key":"event.name","value":{"stringValue":"feature_flag"}},{"key":"feature_flag.key","value":{"stringValue":"checkout"}},\
      {"key":"feature_flag.context.id","value":{"intValue":"8"}},{"key":"feature_flag.variant","value":{"stringValue":"old"}},\
      {"key":"feature_flag.provider_name","value":{"stringValue":"p"}}]}]}]}]}
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","id":"t1#s1#checkout#007","time":"2026-01-05T10:00:00.123456Z","unit":"007","experiment":"checkout","variant":"new","reason":"split","context":{"feature_flag.result.value":true,"feature_flag.provider.name":"flagd","feature_flag.version":12,"ratio":0.5,"tags":"{\"values\":[{\"stringValue\":\"a\"}]}","severityNumber":9,"resource.service.name":"shop","scope.name":"openfeature","scope.version":"1.0"}}"#,
        #"{"type":"decision","time":"2026-01-05T10:00:01Z","unit":"8","experiment":"checkout","variant":"old","context":{"feature_flag.provider_name":"p"}}"#,
      ])
    #expect(
      imported.ignored == [
        "log records other than feature flag evaluations": 1,
        "evaluations without feature_flag.context.id": 1,
      ])
  }

  @Test("a value stands in for a variant, and errors are excluded")
  func errors() throws {
    let imported = try Imported(
      """
      {"timeUnixNano":"1767607200000000000","eventName":"feature_flag.evaluation","attributes":{"feature_flag.key":"f",\
      "feature_flag.context.id":"u-1","feature_flag.result.value":3,"feature_flag.result.reason":"error","error.type":"flag_not_found"}}
      {"timeUnixNano":"1767607200000000000","eventName":"feature_flag.evaluation","attributes":{"feature_flag.key":"f",\
      "feature_flag.context.id":"u-1","feature_flag.result.reason":"error"}}
      {"timeUnixNano":"1767607200000000000","eventName":"login","attributes":{"feature_flag.key":"f"}}
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"u-1","experiment":"f","variant":"3","reason":"error","status":"excluded","context":{"feature_flag.result.value":3,"error.type":"flag_not_found"}}"#
      ])
    #expect(
      imported.ignored == [
        "evaluations without a variant or value": 1,
        "log records other than feature flag evaluations": 1,
      ])
  }

  @Test("a bad log record is rejected, and those around it are read")
  func rejected() throws {
    let record = { (time: String) in
      #"{\#(time)"eventName":"feature_flag.evaluation","attributes":{"feature_flag.key":"f","feature_flag.context.id":"u","feature_flag.result.variant":"a"}}"#
    }
    let good = record(#""timeUnixNano":"1767607200000000000","#)
    let imported = try Imported(
      """
      {"resourceLogs":[]}
      {"resourceLogs":[{"scopeLogs":[{"logRecords":[\(good),7,\(record("")),\(good)]}]}]}
      {"resourceLogs":[
      """)
    #expect(imported.events.count == 2)
    #expect(imported.ignored == ["documents without log records": 1])
    #expect(imported.rejected.count == 3)
    #expect(
      imported.rejected.prefix(2) == [
        "2: malformed JSON: a log record must be a JSON object",
        #"2: bad time: there is no "timeUnixNano" or "observedTimeUnixNano""#,
      ])
    #expect(imported.rejected.last?.hasPrefix("3: malformed JSON") == true)
  }

  @Test("a document over several lines is read as one")
  func pretty() throws {
    let imported = try Imported(
      """
      {
        "resourceLogs": [
          {"scopeLogs": [{"logRecords": [
            {"timeUnixNano": 1767607200000000000, "eventName": "feature_flag.evaluation", "attributes": [
              {"key": "feature_flag.key", "value": {"stringValue": "f"}},
              {"key": "feature_flag.context.id", "value": {"stringValue": "u"}},
              {"key": "feature_flag.result.variant", "value": {"stringValue": "a"}}
            ]}
          ]}]}
        ]
      }
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"u","experiment":"f","variant":"a"}"#
      ])
  }
}
