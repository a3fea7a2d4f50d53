import Events
import TestSupport
import Testing

@testable import Interchange

@Suite("Clocks of clients against the time of receipt")
struct ClockSkewTests {
  private let ahead =
    "1: time more than 1 minute after it was received, by up to 1 h, first on line 2 of log"

  @Test("a client's clock more than 1 minute ahead is counted, and the time of receipt is kept")
  func segment() throws {
    let line = { (time: String) in
      #"{"type":"track","messageId":"\#(time)","userId":"u","event":"Buy","timestamp":"\#(time)","receivedAt":"2026-01-05T10:00:00Z"}"#
    }
    let imported = try ImportedFiles(
      (
        "log",
        [
          line("2026-01-05T10:01:00Z"), line("2026-01-05T11:00:00Z"),
          line("2026-01-05T10:01:00.001Z"),
        ].joined(separator: "\n")
      ), format: "segment")
    #expect(
      imported.quality == [
        "2: time more than 1 minute after it was received, by up to 1 h, first on line 2 of log"
      ])
    guard case .conversion(let conversion)? = imported.events.first?.payload else {
      Issue.record("no conversion")
      return
    }
    #expect(conversion.metadata?["receivedAt"] == .text("2026-01-05T10:00:00Z"))
  }

  @Test(
    "the systems that record both times",
    arguments: [
      (
        "segment",
        """
        id,user_id,event,timestamp,received_at,anonymous_id
        1,u,buy,2026-01-05T11:00:00Z,2026-01-05T10:00:00Z,
        """
      ),
      (
        "amplitude",
        """
        {"$insert_id":"1","event_type":"buy","user_id":"u","event_time":"2026-01-05 10:00:00.000000","server_received_time":"2026-01-05 10:00:00.000000","event_properties":{}}
        {"$insert_id":"2","event_type":"buy","user_id":"u","event_time":"2026-01-05 11:00:00.000000","server_upload_time":"2026-01-05 10:00:00.000000","event_properties":{}}
        """
      ),
      (
        "optimizely",
        """
        uuid,visitor_id,timestamp,process_timestamp,event_name
        1,u,1767610800000,1767607200000,buy
        """
      ),
      (
        "snowplow",
        """
        event_id,user_id,dvce_created_tstamp,collector_tstamp,se_action
        1,u,2026-01-05 11:00:00,2026-01-05 10:00:00,buy
        """
      ),
      (
        "ga4",
        """
        {"event_name":"a","event_timestamp":"1767610800000000","user_pseudo_id":"u","event_server_timestamp_offset":"-60000000"}
        {"event_name":"b","event_timestamp":"1767610800000000","user_pseudo_id":"u","event_server_timestamp_offset":"-3600000000"}
        """
      ),
    ])
  func systems(_ format: String, _ text: String) throws {
    let imported = try ImportedFiles(("log", text), format: format)
    #expect(imported.summary.rejected == 0)
    #expect(imported.quality == [ahead])
  }

  @Test("a time of receipt that is none is only kept")
  func unreadable() throws {
    for received in [#""soon""#, "null", "{}", "[1]", "1e300", #""""#, "-1"] {
      let imported = try ImportedFiles(
        (
          "log",
          #"{"type":"track","messageId":"1","userId":"u","event":"Buy","timestamp":"1969-01-01T00:00:00Z","receivedAt":\#(received)}"#
        ), format: "segment")
      #expect(imported.summary.eventsAppended == 1, "\(received)")
      #expect(imported.summary.quality[.clockAhead] == nil, "\(received)")
    }
  }
}
