import Testing

@testable import Interchange

@Suite("Amplitude events")
struct AmplitudeTests {
  @Test("an exposure is a decision of its flag, and times without offset are UTC")
  func exposure() throws {
    let imported = try Imported(
      """
      {"event_type":"[Experiment] Exposure","$insert_id":"i-1","uuid":"u-1","user_id":"001","device_id":"d-1",\
      "event_time":"2026-01-05 10:00:00.123000","server_received_time":"2026-01-05 10:00:05.000000",\
      "event_properties":{"flag_key":"checkout","variant":"on","experiment_key":"exp-1"},\
      "user_properties":{"[Experiment] checkout":"on"},"groups":{},"paying":null}
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","id":"u-1","time":"2026-01-05T10:00:00.123000Z","unit":"001","experiment":"checkout","variant":"on","context":{"$insert_id":"i-1","device_id":"d-1","server_received_time":"2026-01-05 10:00:05.000000","event_properties.experiment_key":"exp-1","user_properties.[Experiment] checkout":"on"}}"#
      ])
  }

  @Test("an assignment is a decision for each of its flags, with the same context")
  func assignments() throws {
    let imported = try Imported(
      """
      {"event_type":"[Experiment] Assignment","insert_id":"i-2","device_id":"d-1","event_time":"2026-01-05 10:00:00",\
      "event_properties":{"a.b.variant":"on","c.variant":"off","d.variant":null,"c.details":"default"}}
      {"event_type":"[Experiment] Assignment","insert_id":"i-3","device_id":"d-1","event_time":"2026-01-05 10:00:00",\
      "event_properties":{"d.variant":null}}
      {"event_type":"$exposure","insert_id":"i-4","device_id":"d-1","event_time":"2026-01-05 10:00:00",\
      "event_properties":{"flag_key":"checkout"}}
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","id":"i-2","time":"2026-01-05T10:00:00Z","unit":"d-1","experiment":"a.b","variant":"on","context":{"event_properties.c.details":"default"}}"#,
        #"{"type":"decision","id":"i-2/2","time":"2026-01-05T10:00:00Z","unit":"d-1","experiment":"c","variant":"off","context":{"event_properties.c.details":"default"}}"#,
      ])
    #expect(
      imported.ignored == ["assignments without a variant": 1, "exposures without a variant": 1])
  }

  @Test("other events are conversions with their revenue, in CSV too")
  func conversions() throws {
    let json = try Imported(
      """
      {"event_type":"Purchase","uuid":"u-5","amplitude_id":7001,"client_event_time":"2026-01-05 10:00:00",\
      "event_properties":{"$revenue":12.5,"revenue":1,"sku":"x"},"sample_rate":null}
      """)
    #expect(
      json.events == [
        #"{"type":"conversion","id":"u-5","time":"2026-01-05T10:00:00Z","unit":"7001","goal":"Purchase","revenue":12.5,"metadata":{"event_properties.revenue":1,"event_properties.sku":"x"}}"#
      ])
    let csv = try Imported(
      """
      event_type,user_id,event_time,uuid,event_properties
      Purchase,007,2026-01-05 10:00:00,u-6,"{""$revenue"":12.5,""sku"":""x \\"" y""}"
      Visit,007,2026-01-05 10:00:00,u-7,
      Visit,007,2026-01-05 10:00:00,u-8,{oops}
      Visit,007,2026-01-05 10:00:00,u-9
      """)
    #expect(
      csv.events == [
        #"{"type":"conversion","id":"u-6","time":"2026-01-05T10:00:00Z","unit":"007","goal":"Purchase","revenue":12.5,"metadata":{"event_properties.sku":"x \" y"}}"#,
        #"{"type":"conversion","id":"u-7","time":"2026-01-05T10:00:00Z","unit":"007","goal":"Visit"}"#,
        #"{"type":"conversion","id":"u-8","time":"2026-01-05T10:00:00Z","unit":"007","goal":"Visit","metadata":{"event_properties":"{oops}"}}"#,
      ])
    #expect(csv.rejected == ["5: wrong column count: 4 fields where the header has 5"])
  }

  @Test("Experiment Viewed is a decision, and $identify gives data points")
  func others() throws {
    let imported = try Imported(
      """
      [{"event_type":"Experiment Viewed","insert_id":"i-8","user_id":"u","time":1767607200000,\
      "event_properties":{"experiment_id":"12","variation_id":0}},
      {"event_type":"$identify","insert_id":"i-9","user_id":"u","time":1767607200000,\
      "user_properties":{"$set":{"plan":"pro"}}},
      {"event_type":"$identify","user_id":"u","time":1767607200000,"event_properties":{}},
      {"event_type":"$groupidentify","insert_id":"i-10","user_id":"u","time":1767607200000},
      {"event_type":"[Experiment] Exposure","user_id":"u","time":1767607200000,"event_properties":{"variant":"on"}}]
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","id":"i-8","time":"2026-01-05T10:00:00Z","unit":"u","experiment":"12","variant":"0"}"#,
        #"{"type":"dataPoint","id":"i-9","time":"2026-01-05T10:00:00Z","unit":"u","kind":"userProperty","key":"plan","value":"pro"}"#,
      ])
    #expect(
      imported.ignored == [
        "calls that set properties of groups": 1, "identify calls without user_properties": 1,
      ])
    #expect(
      imported.rejected == [
        #"5: bad event: there is no "event_properties.flag_key" or "event_properties.experiment_key""#
      ])
  }
}
