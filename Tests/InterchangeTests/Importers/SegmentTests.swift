import Testing

@testable import Interchange

@Suite("Segment calls")
struct SegmentTests {
  @Test("Experiment Viewed is a decision, with the other fields as its context")
  func exposure() throws {
    let imported = try Imported(
      """
      {"type":"track","event":"Experiment Viewed","messageId":"m-1","userId":"u-1","anonymousId":"a-1",\
      "timestamp":"2026-01-05T10:00:00.123Z","receivedAt":"2026-01-05T10:00:01Z",\
      "properties":{"experiment_id":"007","experiment_name":"Checkout","variation_id":"1","plan":"pro"},\
      "context":{"page":{"path":"/cart"},"active":true,"library":null}}
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","id":"m-1","time":"2026-01-05T10:00:00.123000Z","unit":"u-1","experiment":"007","variant":"1","context":{"anonymousId":"a-1","receivedAt":"2026-01-05T10:00:01Z","properties.experiment_name":"Checkout","properties.plan":"pro","context.page.path":"/cart","context.active":true}}"#
      ])
  }

  @Test("any other event is a conversion, with its revenue")
  func conversion() throws {
    let imported = try Imported(
      """
      {"type":"track","event":"Order Completed","messageId":"m-2","anonymousId":"a-1","timestamp":1767607200000,\
      "properties":{"order_id":"o-1","total":12.5,"products":[{"sku":"x"}]}}
      """)
    #expect(
      imported.events == [
        #"{"type":"conversion","id":"m-2","time":"2026-01-05T10:00:00Z","unit":"a-1","goal":"Order Completed","revenue":12.5,"metadata":{"properties.order_id":"o-1","properties.products":"[{\"sku\":\"x\"}]"}}"#
      ])
  }

  @Test("traits are data points, and other calls are counted")
  func others() throws {
    let imported = try Imported(
      """
      {"type":"identify","messageId":"m-3","userId":"u-1","timestamp":"2026-01-05T10:00:00Z","traits":{"plan":"pro","age":33}}
      {"type":"page","messageId":"m-4","userId":"u-1","timestamp":"2026-01-05T10:00:00Z"}
      """)
    #expect(
      imported.events == [
        #"{"type":"dataPoint","id":"m-3","time":"2026-01-05T10:00:00Z","unit":"u-1","kind":"trait","key":"plan","value":"pro"}"#,
        #"{"type":"dataPoint","id":"m-3/2","time":"2026-01-05T10:00:00Z","unit":"u-1","kind":"trait","key":"age","value":33}"#,
      ])
    #expect(imported.ignored == ["calls other than track and identify": 1])
  }

  @Test("a list of calls, over several lines, is read like lines")
  func list() throws {
    let imported = try Imported(
      """
      [
        {"type": "track", "event": "Signed Up", "messageId": "m-5", "userId": "u-1",
         "timestamp": "2026-01-05T10:00:00Z"},
        {"type": "track", "event": "Signed Up", "messageId": "m-6", "timestamp": "2026-01-05T10:00:00Z"}
      ]
      """)
    #expect(imported.events.count == 1)
    #expect(
      imported.rejected == [#"4: bad event: there is no "userId" or "anonymousId""#])
  }
}
