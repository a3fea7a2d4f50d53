import Testing

@testable import Interchange

@Suite("Google Analytics events")
struct GoogleAnalyticsTests {
  @Test("experiment_viewed is a decision, by its parameters of any type")
  func exposure() throws {
    let imported = try Imported(
      """
      {"event_date":"20260105","event_timestamp":"1767607200123456","event_name":"experiment_viewed",\
      "event_params":[{"key":"variation_id","value":{"int_value":"1"}},\
      {"key":"experiment_id","value":{"string_value":"007","int_value":null}},\
      {"key":"ga_session_id","value":{"int_value":"1767607100"}},{"key":"engaged","value":{}}],\
      "user_properties":[{"key":"plan","value":{"string_value":"1","set_timestamp_micros":"1767600000000000"}}],\
      "user_pseudo_id":"12.34","event_bundle_sequence_id":"-5","batch_event_index":"2","device":{"category":"mobile"}}
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","id":"12.34#1767607200123456#experiment_viewed#-5###2","time":"2026-01-05T10:00:00.123456Z","unit":"12.34","experiment":"007","variant":"1","context":{"event_params.ga_session_id":1767607100,"user_properties.plan":"1","event_date":"20260105","event_bundle_sequence_id":"-5","batch_event_index":"2","device.category":"mobile"}}"#
      ])
  }

  @Test("other events are conversions; without a batch index they have no id")
  func conversions() throws {
    let imported = try Imported(
      """
      {"event_timestamp":1767607200123456,"event_name":"purchase","user_id":"u-1","user_pseudo_id":"12.34",\
      "event_params":[{"key":"value","value":{"double_value":12.5}},{"key":"big","value":{"int_value":"9223372036854775807"}}],\
      "ecommerce":{"purchase_revenue":12.5,"transaction_id":"t-1"},"event_value_in_usd":13.1,"items":[{"item_id":"x"}]}
      {"event_timestamp":1767607200123456,"event_name":"purchase","user_id":"u-1","event_value_in_usd":13.1}
      {"event_timestamp":1767607200123456,"event_name":"page_view","user_pseudo_id":null}
      {"event_timestamp":1767607200123456,"event_name":"experiment_viewed","user_id":"u-1","event_params":[]}
      """)
    #expect(
      imported.events == [
        #"{"type":"conversion","time":"2026-01-05T10:00:00.123456Z","unit":"u-1","goal":"purchase","revenue":12.5,"metadata":{"event_params.value":12.5,"event_params.big":9223372036854775807,"user_pseudo_id":"12.34","ecommerce.transaction_id":"t-1","event_value_in_usd":13.1,"items":"[{\"item_id\":\"x\"}]"}}"#,
        #"{"type":"conversion","time":"2026-01-05T10:00:00.123456Z","unit":"u-1","goal":"purchase","revenue":13.1}"#,
      ])
    #expect(imported.ignored == ["events without user_id and user_pseudo_id": 1])
    #expect(
      imported.rejected == [
        #"4: bad event: there is no "event_params.experiment_id" or "event_params.experiment_name""#
      ])
  }
}
