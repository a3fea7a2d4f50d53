import Events
public import Specifications

/// Events of Google Analytics 4 from its BigQuery export, as JSON: one object each.
///
/// | field | becomes |
/// |---|---|
/// | `user_pseudo_id`, `event_timestamp`, `event_name`, `event_bundle_sequence_id`, `batch_page_id`, `batch_ordering_id`, `batch_event_index` | the id, joined with `#` |
/// | `event_timestamp`, in microseconds | the time |
/// | `user_id`, else `user_pseudo_id` | the unit |
/// | `event_name` = `experiment_viewed` | a decision |
/// | parameter `experiment_id`, else `experiment_name` | its experiment |
/// | parameter `variation_id`, else `variant_id`, `variation_name` | its variant |
/// | any other `event_name` | a conversion with that goal |
/// | `ecommerce.purchase_revenue`, else `event_value_in_usd` | its revenue |
/// | `ecommerce.refund_value`, else `event_value_in_usd`, of `refund` | the revenue of a `negative` conversion |
/// | `event_params`, `user_properties` | attributes `event_params.NAME`, `user_properties.NAME` |
/// | all other fields | `context` of a decision, `metadata` of a conversion |
///
/// Only an event with `batch_event_index` gets an id: without it, several events of one name and time in one request
/// look the same by the other fields. Such events are duplicates if they agree in everything. Events with neither
/// `user_id` nor `user_pseudo_id`, of users who did not consent, are counted and not imported.
public struct GoogleAnalytics: ShapedFormat {
  public static let info = SpecificationInfo(
    "ga4", "events of Google Analytics 4 from its BigQuery export, one JSON object each",
    source: "https://support.google.com/analytics/answer/7029846")

  public static let recognition = "event_name and event_timestamp"

  /// Creates the format, which has no parameters.
  public init() {}

  public static func match(_ sample: InputSample) -> FormatMatch {
    sample.match(
      fields: "event_name", "event_timestamp",
      oneOf: ["event_params", "user_pseudo_id", "event_bundle_sequence_id"])
  }

  static let shapes = [
    RecordShape(
      what: "event_name", members: [parameters(in: "event_params"), parameters(in: "user_properties")],
      time: "event_timestamp", receivedAfter: "event_server_timestamp_offset", unit: "user_id | user_pseudo_id",
      id: "batch_event_index",
      idScope: [
        "user_pseudo_id", "event_timestamp", "event_name", "event_bundle_sequence_id", "batch_page_id",
        "batch_ordering_id",
      ], kept: "batch_event_index",
      cases: [
        RecordCase(.ignored("events without user_id and user_pseudo_id"), .unless("user_id | user_pseudo_id")),
        RecordCase(
          .decision(
            experiment: "event_params.experiment_id | event_params.experiment_name",
            variant: "event_params.variation_id | event_params.variant_id | event_params.variation_name"),
          .when("event_name", is: "experiment_viewed")),
        RecordCase(.conversion(goal: "event_name", revenue: refunds), .when("event_name", is: "refund")),
        RecordCase(
          .conversion(
            goal: "event_name", revenue: "ecommerce.purchase_revenue | event_value_in_usd", ofRefunds: refunds)),
      ])
  ]

  private static let refunds: FieldNames =
    "ecommerce.refund_value | ecommerce.purchase_revenue | event_value_in_usd | event_params.value"

  private static func parameters(in list: FieldNames) -> RecordMembers {
    RecordMembers(
      list: list, name: "key",
      value: "value.string_value | value.int_value | value.double_value | value.float_value")
  }
}
