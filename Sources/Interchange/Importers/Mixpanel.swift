import Events
public import Specifications

/// Events of Mixpanel's raw export: one JSON object each.
///
/// | field | becomes |
/// |---|---|
/// | `event`, `properties.time`, `properties.distinct_id`, `properties.$insert_id` | the id, joined with `#` |
/// | `properties.time` in seconds or milliseconds | the time |
/// | `properties.distinct_id`, else `$user_id`, `$device_id` | the unit |
/// | `event` = `$experiment_started` | a decision |
/// | `properties.$experiment_id`, else `Experiment name` | its experiment |
/// | `properties.$variant_id`, else `Variant name` | its variant |
/// | `event` = `Experiment Viewed` | a decision, by `experiment_id` and `variation_id` of `properties` |
/// | any other `event` | a conversion with that goal |
/// | `properties.revenue`, else `$amount` | its revenue |
/// | all other fields | `context` of a decision, `metadata` of a conversion |
///
/// Mixpanel takes two events as the same if name, time, `distinct_id` and `$insert_id` agree, hence the id. An event
/// without `$insert_id` gets none. Projects created before 2023 export times in their own time zone; these are taken
/// as UTC.
public struct Mixpanel: ShapedFormat {
  public static let info = SpecificationInfo(
    "mixpanel", "events of Mixpanel's raw export, one JSON object each",
    source: "https://developer.mixpanel.com/reference/raw-event-export")

  public static let recognition = "JSON with event and properties.time"

  /// Creates the format, which has no parameters.
  public init() {}

  public static func match(_ sample: InputSample) -> FormatMatch {
    for other in ["timestamp", "messageId", "distinct_id", "specversion"] where sample.has(other) {
      return .mismatch("the field \"\(other)\" is of another system")
    }
    return sample.match(
      fields: "event", "properties.time",
      oneOf: ["properties.distinct_id", "properties.$device_id", "properties.$insert_id"])
  }

  static let shapes = [
    RecordShape(
      what: "event", time: "properties.time", unit: unit, id: "properties.$insert_id",
      idScope: ["event", "properties.time", unit],
      cases: [
        RecordCase(
          .decision(
            experiment: "properties.$experiment_id | properties.Experiment name",
            variant: "properties.$variant_id | properties.Variant name"),
          .when("event", is: "$experiment_started")),
        .experimentViewed(.when("event", is: RecordCase.experimentViewed), in: "properties"),
        RecordCase(.conversion(goal: "event", revenue: "properties.revenue | properties.$amount")),
      ])
  ]

  private static let unit: FieldNames = "properties.distinct_id | properties.$user_id | properties.$device_id"
}
