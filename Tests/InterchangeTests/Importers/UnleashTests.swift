import Testing

@testable import Interchange

@Suite("Unleash impressions")
struct UnleashTests {
  @Test("an impression is a decision, by its variant or whether the flag is enabled")
  func impressions() throws {
    let imported = try Imported(
      """
      {"eventType":"getVariant","eventId":"i-1","timestamp":"2026-01-05T10:00:00Z","context":{"userId":"007","sessionId":5,\
      "environment":"production","properties":{"plan":"pro"}},"enabled":true,"featureName":"checkout","variant":"new","impressionData":true}
      {"eventType":"getVariant","eventId":"i-2","context":{"sessionId":5,"currentTime":"2026-01-05T10:00:01Z"},"enabled":true,\
      "featureName":"checkout","variant":{"name":"old","enabled":true}}
      {"eventType":"isEnabled","eventId":"i-3","createdTimestamp":"2026-01-05T10:00:02Z","context":{"userId":"u"},"enabled":false,\
      "featureName":"banner"}
      """)
    #expect(
      imported.events == [
        #"{"type":"decision","id":"i-1","time":"2026-01-05T10:00:00Z","unit":"007","experiment":"checkout","variant":"new","context":{"eventType":"getVariant","context.sessionId":5,"context.environment":"production","context.properties.plan":"pro","enabled":true,"impressionData":true}}"#,
        #"{"type":"decision","id":"i-2","time":"2026-01-05T10:00:01Z","unit":"5","experiment":"checkout","variant":"old","context":{"eventType":"getVariant","enabled":true,"variant.enabled":true}}"#,
        #"{"type":"decision","id":"i-3","time":"2026-01-05T10:00:02Z","unit":"u","experiment":"banner","variant":"false","context":{"eventType":"isEnabled","enabled":false}}"#,
      ])
  }

  @Test(
    "metrics, impressions of nobody and other events are counted, and those without a time rejected"
  )
  func others() throws {
    let imported = try Imported(
      """
      {"appName":"a","instanceId":"i","bucket":{"start":"2026-01-05T10:00:00Z","stop":"2026-01-05T10:01:00Z","toggles":{"f":{"yes":1,"no":2}}}}
      {"eventType":"isEnabled","eventId":"i-1","timestamp":"2026-01-05T10:00:00Z","context":{},"enabled":false,"featureName":"f"}
      {"eventType":"customGoal","eventId":"i-2","timestamp":"2026-01-05T10:00:00Z","context":{"userId":"u"},"featureName":"f"}
      {"eventType":"isEnabled","eventId":"i-3","context":{"userId":"u"},"enabled":false,"featureName":"f"}
      """)
    #expect(imported.events.isEmpty)
    #expect(
      imported.ignored == [
        "metrics buckets, which have no units": 1,
        "impressions without userId or sessionId": 1,
        "events other than isEnabled and getVariant": 1,
      ])
    #expect(imported.rejected == [#"4: bad time: there is no "timestamp""#])
  }
}
