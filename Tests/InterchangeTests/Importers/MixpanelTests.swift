import Testing

@testable import Interchange

@Suite("Mixpanel events")
struct MixpanelTests {
  @Test("$experiment_started is a decision; ids come before names")
  func exposure() throws {
    let imported = try Imported(
      """
      {"event":"$experiment_started","properties":{"time":1767607200,"distinct_id":"001","$insert_id":"i-1",\
      "Experiment name":"Checkout","Variant name":"Treatment","$experiment_id":"e-7","$is_qa_tester":false}}
      {"event":"$experiment_started","properties":{"time":1767607200,"$device_id":"d-1",\
      "Experiment name":"Checkout","Variant name":"Treatment"}}
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","id":"$experiment_started#1767607200#001#i-1","time":"2026-01-05T10:00:00Z","unit":"001","experiment":"e-7","variant":"Treatment","context":{"properties.Experiment name":"Checkout","properties.$is_qa_tester":false}}"#,
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"d-1","experiment":"Checkout","variant":"Treatment"}"#,
      ])
  }

  @Test("other events are conversions, and times may be in milliseconds")
  func conversions() throws {
    let imported = try Imported(
      """
      {"event":"Purchase","properties":{"time":1767607200250,"distinct_id":"u","$insert_id":"i-2","revenue":"12.5",\
      "$city":"Zürich","list":[1,2]}}
      {"event":"Experiment Viewed","properties":{"time":1767607200250,"distinct_id":"u","$insert_id":"i-2",\
      "experiment_id":"7","variation_id":"1"}}
      {"event":"Visit","properties":{"time":1767607200,"distinct_id":"u"}}
      {"event":"Purchase","properties":{"time":1767607200250,"distinct_id":"u","revenue":"much"}}
      {"event":"Visit"}
      """)
    #expect(
      imported.events == [
        #"{"type":"conversion","id":"Purchase#1767607200250#u#i-2","time":"2026-01-05T10:00:00.250000Z","unit":"u","goal":"Purchase","revenue":12.5,"metadata":{"properties.$city":"Zürich","properties.list":"[1,2]"}}"#,
        #"{"type":"decision","id":"Experiment Viewed#1767607200250#u#i-2","time":"2026-01-05T10:00:00.250000Z","unit":"u","experiment":"7","variant":"1"}"#,
      ])
    #expect(
      imported.rejected == [
        "3: bad time: the time 1767607200 is in seconds and the first of the file in milliseconds",
        #"4: bad number: "properties.revenue" is "much" and must be a number"#,
        #"5: bad time: there is no "properties.time""#,
      ])
  }
}
