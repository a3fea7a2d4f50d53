import TestSupport
import Testing

@testable import Interchange

@Suite("Suggested mappings")
struct SuggestionTests {
  private func suggestion(_ header: String) throws -> MappingSuggestion {
    try #require(MappingSuggestion(InputSample(Array(header.utf8))))
  }

  @Test(
    "an assignment and what came of it are events of their own, each with its time",
    arguments: [
      (
        "user_id,assigned_at,variant,converted,revenue",
        "time=assigned_at unit=user_id variant=variant 2.type:=conversion 2.goal:=purchase 2.revenue=revenue "
          + "2.when=revenue 3.type:=goal 3.goal:=converted 3.value=converted 3.when=converted"
      ),
      (
        "user_id,assigned_at,variant,converted,converted_at,revenue,country",
        "time=assigned_at unit=user_id variant=variant 2.type:=conversion 2.goal:=purchase "
          + "2.time=converted_at 2.revenue=revenue 2.when=revenue 3.type:=goal 3.goal:=converted "
          + "3.time=converted_at 3.value=converted 3.when=converted context.country=country"
      ),
      (
        "userId,exposedAt,experimentId,variationId,orderTime,orderTotal,deviceType",
        "time=exposedAt unit=userId experiment=experimentId variant=variationId 2.type:=conversion "
          + "2.goal:=purchase 2.time=orderTime 2.revenue=orderTotal 2.when=orderTotal "
          + "context.deviceType=deviceType"
      ),
      (
        "user_id,timestamp,variant,clicked,orders,prior_revenue,days_since_signup",
        "time=timestamp unit=user_id variant=variant 2.type:=goal 2.goal:=clicked 2.value=clicked 2.when=clicked "
          + "3.type:=goal 3.goal:=orders 3.value=orders 3.when=orders context.prior_revenue=prior_revenue "
          + "context.days_since_signup=days_since_signup"
      ),
      (
        "user_id,assigned_at,variant,order_id,order_time,amount,currency",
        "time=assigned_at unit=user_id variant=variant 2.type:=conversion 2.goal:=purchase "
          + "2.time=order_time 2.revenue=amount 2.when=amount 2.id=order_id 2.metadata.currency=currency"
      ),
      (
        "user_id,assigned_at,variant,churned_at,clicked",
        "time=assigned_at unit=user_id variant=variant 2.type:=goal 2.goal:=clicked 2.value=clicked 2.when=clicked "
          + "3.type:=conversion 3.goal:=churned 3.time=churned_at"
      ),
      (
        "order_id,user_id,order_time,amount,quantity",
        "time=order_time unit=user_id id=order_id goal:=order revenue=amount metadata.quantity=quantity"
      ),
      (
        "OrderID,CustomerID,OrderDate,Total",
        "time=OrderDate unit=CustomerID id=OrderID goal:=order revenue=Total"
      ),
      (
        "visitor,ts,experiment,group,propensity,country",
        "time=ts unit=visitor experiment=experiment variant=group propensity=propensity context.country=country"
      ),
      (
        "order_id,user_id,order_time,amount_cents",
        "time=order_time unit=user_id id=order_id goal:=order revenue=amount_cents / 100"
      ),
      (
        "visitor,ts,group,spent",
        "time=ts unit=visitor variant=group 2.type:=conversion 2.goal:=purchase 2.revenue=spent 2.when=spent"
      ),
      ("user_id,ts,event,value", "time=ts unit=user_id goal=event value=value"),
      ("user_id,clicked_at,page", "time=clicked_at unit=user_id goal:=clicked metadata.page=page"),
    ])
  func proposed(header: String, entries: String) throws {
    let suggestion = try suggestion(header)
    #expect(suggestion.lines.map(\.entry).joined(separator: " ") == entries)
    #expect(suggestion.missing.isEmpty)
    _ = try EventMapping(suggestion.lines.map(\.entry))
  }

  @Test("the proposal, imported as it is, keeps every column of the table")
  func followed() throws {
    let text = """
      user_id,assigned_at,variant,converted,converted_at,revenue,sessions,country
      u-1,2026-01-05,A,1,2026-01-07,19.5,3,US
      u-2,2026-01-05,B,0,,0,,DE
      """
    let header = String(text.prefix { $0 != "\n" })
    let mapping = try EventMapping(suggestion(header).lines.map(\.entry))
    let imported = try Imported(text, name: "e.csv", mapping: mapping)
    #expect(imported.rejected.isEmpty)
    #expect(
      imported.events == [
        #"{"type":"decision","time":"2026-01-05T00:00:00Z","unit":"u-1","experiment":"e","variant":"A","context":{"country":"US"}}"#,
        #"{"type":"conversion","time":"2026-01-07T00:00:00Z","unit":"u-1","goal":"purchase","revenue":19.5}"#,
        #"{"type":"goal","time":"2026-01-07T00:00:00Z","unit":"u-1","experiment":"e","goal":"converted","value":1}"#,
        #"{"type":"goal","time":"2026-01-05T00:00:00Z","unit":"u-1","experiment":"e","goal":"sessions","value":3}"#,
        #"{"type":"decision","time":"2026-01-05T00:00:00Z","unit":"u-2","experiment":"e","variant":"B","context":{"country":"DE"}}"#,
      ])
  }

  @Test("a column that only says when the table was written is left out, and named")
  func bookkeeping() throws {
    let suggestion = try suggestion("user_id,assigned_at,variant,updated_at")
    #expect(suggestion.leftOut.map(\.column) == ["updated_at"])
    #expect(
      suggestion.yaml.contains("# left out, a time that may be after the assignment: updated_at"))
  }

  /// Columns of experiments in words and forms of their own: what they say is told by the words, not by the column.
  private static let laterColumns = [
    "days_to_convert", "time_to_conversion", "timeToFirstPurchase", "Hours Until Order",
    "minutes_after_exposure",
    "last_seen_at", "lastSeen", "last_login_date", "updated_on", "days_since_assignment",
    "churn_reason",
    "refund_reason", "follow_up_bp", "next_visit_days", "score_change", "cancelledReason",
    "ended_at",
    "purchase_channel", "nps", "csat_score", "_fivetran_synced", "_airbyte_extracted_at",
    "_sdc_batched_at",
    "_dlt_load_id", "_etl_loaded", "etl_batch", "ingested_at", "loaded_at", "synced_at",
    "_PARTITIONTIME",
  ]

  @Test(
    "what is known only after the assignment is left out, with the reason", arguments: laterColumns)
  func later(column: String) throws {
    let suggestion = try suggestion("user_id,assigned_at,variant,\(column),plan")
    #expect(suggestion.leftOut.map(\.column) == [column], "\(suggestion.lines.map(\.entry))")
    #expect(suggestion.lines.last?.entry == "context.plan=plan")
  }

  @Test(
    "what came of the assignment is an event, and what is not wanted no goal",
    arguments: [
      ("levels_completed", "goal"), ("ORDERS_7D", "goal"), ("purchased", "goal"),
      ("is_customer", "goal"), ("adverseEvents", "conversion"),
      ("sessions_after", "goal"), ("ordersAfterExposure", "goal"), ("retained_d7", "goal"),
      ("clicks_30d", "goal"), ("churned_at", "conversion"),
      ("churned", "conversion"), ("is_cancelled", "conversion"), ("Unsubscribes", "conversion"),
      ("uninstalled_within_7d", "conversion"), ("died", "conversion"), ("bounced", "conversion"),
      ("post_revenue", "conversion"), ("refund_amount", "conversion"),
    ])
  func outcomes(column: String, kind: String) throws {
    let entries = try suggestion("user_id,assigned_at,variant,converted,\(column)").lines.map(
      \.entry)
    #expect(entries.contains("3.type:=\(kind)") || entries.contains("2.type:=\(kind)"))
    #expect(entries.contains { $0.hasSuffix(".goal:=converted") })
    #expect(!entries.contains { $0.hasPrefix("reward") })
    #expect(!entries.contains { $0.hasPrefix("context.") })
  }

  @Test(
    "what was known before stays",
    arguments: [
      "prior_orders", "days_since_signup", "country", "orders_before", "baseline_score",
      "created_at",
      "is_returning", "post_code", "region", "age", "signup_channel", "previous_churned",
      "predicted_churn",
    ])
  func earlier(column: String) throws {
    let suggestion = try suggestion("user_id,assigned_at,variant,\(column)")
    #expect(suggestion.lines.last?.entry == "context.\(column)=\(column)")
  }

  @Test("a refund takes the money of its purchase back, or is left out where there is none")
  func refunds() throws {
    let entries = try suggestion("user_id,assigned_at,variant,revenue,refunded").lines.map(\.entry)
    #expect(
      entries.suffix(5) == [
        "3.type:=conversion", "3.goal:=purchase", "3.negative:=true", "3.revenue=revenue",
        "3.when=refunded",
      ])
    let alone = try suggestion("user_id,assigned_at,variant,refunded,refunded_at")
    #expect(alone.leftOut.map(\.column) == ["refunded", "refunded_at"])
    #expect(!alone.lines.contains { $0.field == "reward" })
    let orders = "order_id,user_id,order_time,amount,refunded,refund_amount"
    #expect(
      try suggestion(orders).lines.map(\.entry).joined(separator: " ")
        == "time=order_time unit=user_id id=order_id goal:=order revenue=amount 2.type:=conversion "
        + "2.goal:=order 2.negative:=true 2.revenue=refund_amount 2.when=refund_amount")
    #expect(
      try suggestion("ts,user_id,goal,amount,is_refund").lines.last?.entry == "negative=is_refund")
  }

  @Test("a constant is YAML that a mapping file reads as one")
  func yaml() throws {
    let yaml = try suggestion("user_id,assigned_at,variant,revenue").yaml
    #expect(yaml.contains("\n2.type: =conversion\n2.goal: =purchase\n2.revenue: revenue\n"))
  }

  @Test(
    "dates written as whole numbers are days, and times of day",
    arguments: [
      ("20260302", "2026-03-02T00:00:00Z"), ("20260302101530", "2026-03-02T10:15:30Z"),
      ("1767607200", "2026-01-05T10:00:00Z"), ("20261302", "1970-08-23T12:08:22Z"),
    ])
  func wholeDates(time: String, expected: String) throws {
    let mapping = try EventMapping(["time=day", "unit=u", "variant=v"])
    for text in ["day,u,v\n\(time),u,A\n", #"{"day":\#(time),"u":"u","v":"A"}"#] {
      let imported = try Imported(text, name: "e.csv", mapping: mapping)
      #expect(imported.events.first?.contains(#""time":"\#(expected)""#) == true, "\(imported)")
    }
  }

  @Test("an input has dates or seconds, and not both")
  func mixedDates() throws {
    let mapping = try EventMapping(["time=day", "unit=u", "variant=v"])
    let imported = try Imported(
      "day,u,v\n20260302,u,A\n1767607200,u,A\n", name: "e.csv", mapping: mapping)
    #expect(imported.events.count == 1)
    #expect(
      imported.rejected.first?.contains("is in seconds and the first of the file in dates") == true)
  }
}
