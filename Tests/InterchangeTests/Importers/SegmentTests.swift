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
      imported.rejected == [#"4: missing unit: there is no "userId" or "anonymousId""#])
  }

  @Test("variants under the names of RudderStack, Customer.io, GrowthBook and Eppo")
  func dialects() throws {
    let imported = try Imported(
      """
      {"type":"track","event":"Experiment Viewed","messageId":"m-1","channel":"web","rudderId":"r-1","anonymousId":"a-1",\
      "originalTimestamp":"2026-01-05T10:00:00Z","properties":{"experiment_name":"Checkout","variation_name":"B"}}
      {"type":"track","event":"Experiment Viewed","messageId":"m-2","userId":"u-1",\
      "sentAt":"2026-01-05T10:00:00Z","properties":{"experiment_id":"7","variant_id":3}}
      {"type":"track","event":"Experiment Viewed","messageId":"m-3","userId":"u-1",\
      "receivedAt":"2026-01-05T10:00:00Z","properties":{"experimentId":"7","variationId":"0"}}
      {"type":"track","event":"Eppo Randomization Event","messageId":"m-4","userId":"u-1",\
      "timestamp":"2026-01-05T10:00:00Z","properties":{"experiment":"flag-alloc","variation":"on","subject":"s-1"}}
      {"type":"track","event":"Experiment Viewed","messageId":"m-5","userId":"u-1",\
      "timestamp":"2026-01-05T10:00:00Z","properties":{"experiment_id":"7"}}
      {"type":"track","event":"Experiment Viewed","messageId":"m-6","userId":"u-1","timestamp":"2026-01-05T10:00:00Z"}
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","id":"m-1","time":"2026-01-05T10:00:00Z","unit":"a-1","experiment":"Checkout","variant":"B","context":{"channel":"web","rudderId":"r-1"}}"#,
        #"{"type":"decision","id":"m-2","time":"2026-01-05T10:00:00Z","unit":"u-1","experiment":"7","variant":"3"}"#,
        #"{"type":"decision","id":"m-3","time":"2026-01-05T10:00:00Z","unit":"u-1","experiment":"7","variant":"0"}"#,
        #"{"type":"decision","id":"m-4","time":"2026-01-05T10:00:00Z","unit":"s-1","experiment":"flag-alloc","variant":"on","context":{"userId":"u-1"}}"#,
      ])
    #expect(imported.rejected.count == 2)
    #expect(
      imported.rejected.first?.hasPrefix(
        #"5: bad event: there is no "variation_id" or "variant_id""#) == true)
    #expect(
      imported.rejected.last?.hasPrefix(#"6: bad event: there is no "experiment_id""#) == true)
  }

  @Test("empty texts count as absent, and RudderStack has the traits in the context")
  func emptyTexts() throws {
    let imported = try Imported(
      """
      {"type":"track","event":"Paid","messageId":"","userId":"","anonymousId":"a-1",\
      "timestamp":"2026-01-05T10:00:00Z","properties":{"revenue":"","total":2}}
      {"type":"track","event":"Experiment Viewed","messageId":"m-2","userId":"u-1",\
      "timestamp":"2026-01-05T10:00:00Z","properties":{"experiment_id":"","experiment_name":"E","variation_id":"0"}}
      {"type":"identify","messageId":"m-3","userId":"u-1","timestamp":"2026-01-05T10:00:00Z",\
      "context":{"traits":{"plan":"pro"}}}
      {"type":"identify","messageId":"m-4","userId":"u-1","timestamp":"2026-01-05T10:00:00Z"}
      {"messageId":"m-5","userId":"u-1","timestamp":"2026-01-05T10:00:00Z"}
      """)
    #expect(
      imported.events == [
        #"{"type":"conversion","time":"2026-01-05T10:00:00Z","unit":"a-1","goal":"Paid","revenue":2,"metadata":{"userId":"","properties.revenue":""}}"#,
        #"{"type":"decision","id":"m-2","time":"2026-01-05T10:00:00Z","unit":"u-1","experiment":"E","variant":"0","context":{"properties.experiment_id":""}}"#,
        #"{"type":"dataPoint","id":"m-3","time":"2026-01-05T10:00:00Z","unit":"u-1","kind":"trait","key":"plan","value":"pro"}"#,
      ])
    #expect(imported.ignored == ["identify calls without traits": 1])
    #expect(imported.rejected == [#"5: bad event: there is no "type""#])
  }

  @Test("the table experiment_viewed of a warehouse")
  func exposureTable() throws {
    let imported = try Imported(
      """
      user_id,anonymous_id,received_at,timestamp,experiment_id,variation_id,context_campaign_source
      001,a-1,2026-01-05 10:00:01.123 UTC,2026-01-05 10:00:00.123 UTC,checkout,1,news
      ,a-2,2026-01-05 10:00:00+00:00,,checkout,0,
      ,,2026-01-05 10:00:00,,checkout,0,
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","time":"2026-01-05T10:00:00.123000Z","unit":"001","experiment":"checkout","variant":"1","context":{"anonymous_id":"a-1","received_at":"2026-01-05 10:00:01.123 UTC","context_campaign_source":"news"}}"#,
        #"{"type":"decision","time":"2026-01-05T10:00:00Z","unit":"a-2","experiment":"checkout","variant":"0"}"#,
      ])
    #expect(
      imported.rejected == [#"4: missing unit: there is no "user_id" or "anonymous_id""#])
  }

  @Test("tables of other events of a warehouse, and rows as JSON")
  func eventTables() throws {
    let imported = try Imported(
      """
      {"id":"r-1","anonymous_id":"a-1","user_id":null,"received_at":"2026-01-05 10:00:01","timestamp":"2026-01-05 10:00:00",\
      "event":"order_completed","event_text":"Order Completed","revenue":12.5,"total":14,"experiment_id":"x"}
      {"id":"r-2","anonymous_id":"a-1","received_at":"2026-01-05 10:00:01","event":"experiment_viewed",\
      "experiment_id":"7","variation_id":"1"}
      """)
    #expect(
      imported.events == [
        #"{"type":"conversion","id":"r-1","time":"2026-01-05T10:00:00Z","unit":"a-1","goal":"Order Completed","revenue":12.5,"metadata":{"received_at":"2026-01-05 10:00:01","event":"order_completed","total":14,"experiment_id":"x"}}"#,
        #"{"type":"decision","id":"r-2","time":"2026-01-05T10:00:01Z","unit":"a-1","experiment":"7","variant":"1"}"#,
      ])
  }

  @Test("a refund is a negative conversion, and a request for one is none")
  func refund() throws {
    let imported = try Imported(
      """
      {"type":"track","event":"Order Refunded","messageId":"m-1","userId":"u","timestamp":"2026-01-05T10:00:00Z","properties":{"total":30}}
      {"type":"track","event":"Refund Requested","messageId":"m-2","userId":"u","timestamp":"2026-01-05T10:00:00Z","properties":{"total":30}}
      """)
    #expect(
      imported.events == [
        #"{"type":"conversion","id":"m-1","time":"2026-01-05T10:00:00Z","unit":"u","goal":"Order Refunded","revenue":30,"negative":true}"#,
        #"{"type":"conversion","id":"m-2","time":"2026-01-05T10:00:00Z","unit":"u","goal":"Refund Requested","revenue":30}"#,
      ])
  }
}
