import Events
public import Specifications

/// Events of PostHog: one JSON object each, or rows of CSV with `properties` as JSON text or in columns such as
/// `properties.$feature_flag`.
///
/// | field | becomes |
/// |---|---|
/// | `uuid` | the id |
/// | `timestamp`, else `created_at` | the time |
/// | `distinct_id`, else `person_id` | the unit |
/// | `event` = `$feature_flag_called` | a decision |
/// | `properties.$feature_flag` | its experiment |
/// | `properties.$feature_flag_response`, such as `test` or `false` | its variant |
/// | `event` = `Experiment Viewed` | a decision, by `experiment_id` and `variation_id` of `properties` |
/// | `properties.$set` of `$identify` and `$set` | a data point `personProperty` for each |
/// | any other `event` | a conversion with that goal |
/// | `properties.$revenue`, else `properties.revenue` | its revenue |
/// | all other fields, `$feature/FLAG` too | `context` of a decision, `metadata` of a conversion |
///
/// Calls of a flag without a response, and `$create_alias`, `$merge_dangerously` and `$groupidentify`, are counted and
/// not imported.
public struct PostHog: ShapedFormat {
  public static let info = SpecificationInfo(
    "posthog", "events of PostHog, as JSON objects or CSV",
    source: "https://posthog.com/docs/cdp/batch-exports")

  public static let recognition = "event, distinct_id, timestamp and properties"

  /// Creates the format, which has no parameters.
  public init() {}

  public static func match(_ sample: InputSample) -> FormatMatch {
    sample.match(
      fields: "event", "distinct_id", "timestamp",
      oneOf: ["properties", "properties.$feature_flag", "properties.$lib"])
  }

  static let shapes = [
    RecordShape(
      what: "event", time: "timestamp | created_at", unit: "distinct_id | person_id", id: "uuid",
      cases: [
        RecordCase(
          .ignored("calls that merge persons or set properties of groups"),
          .when("event", is: "$create_alias | $merge_dangerously | $groupidentify")),
        RecordCase(
          .ignored("calls of a flag without a response"), .when("event", is: "$feature_flag_called"),
          .when("properties.$feature_flag"), .unless("properties.$feature_flag_response")),
        RecordCase(
          .decision(experiment: "properties.$feature_flag", variant: "properties.$feature_flag_response"),
          .when("event", is: "$feature_flag_called")),
        .experimentViewed(.when("event", is: RecordCase.experimentViewed), in: "properties"),
        RecordCase(
          .dataPoints(kind: "personProperty", of: "properties.$set", without: "calls that identify a person only"),
          .when("event", is: "$identify | $set")),
        RecordCase(.conversion(goal: "event", revenue: "properties.$revenue | properties.revenue")),
      ])
  ]
}
