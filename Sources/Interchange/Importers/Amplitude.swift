import Events
public import Specifications

/// Events of Amplitude's export: one JSON object each, or rows with `event_properties` as JSON text.
///
/// | field | becomes |
/// |---|---|
/// | `uuid`, else `$insert_id`, `insert_id` | the id |
/// | `event_time`, else `client_event_time`, `time`, `server_received_time`, `server_upload_time` | the time |
/// | `user_id`, else `device_id`, `amplitude_id` | the unit |
/// | `event_type` = `$exposure`, `[Experiment] Exposure`, `[Experiment] Assignment` | a decision |
/// | `event_properties.flag_key`, else `experiment_key` | its experiment |
/// | `event_properties.variant` | its variant |
/// | `event_properties.FLAG.variant` of `[Experiment] Assignment` | a decision for each flag |
/// | `event_type` = `Experiment Viewed` | a decision, by `experiment_id` and `variation_id` of `event_properties` |
/// | any other `event_type` | a conversion with that goal |
/// | `event_properties.$revenue`, else `event_properties.revenue`, `revenue` | its revenue |
/// | `user_properties` of `$identify` | a data point `userProperty` for each |
/// | all other fields | `context` of a decision, `metadata` of a conversion |
///
/// An `$insert_id` is unique only for one device within seven days, so events that share one and differ are all kept.
/// An `experiment_key` such as `exp-1` is unique within a flag only, so the flag is the experiment. Times have no
/// offset and are UTC. Exposures without a variant, which take a user out of a flag, and `$groupidentify` are counted
/// and not imported.
public struct Amplitude: ShapedFormat {
  public static let info = SpecificationInfo(
    "amplitude", "events of Amplitude's export API, one JSON object each",
    source: "https://amplitude.com/docs/apis/analytics/export")

  public static let recognition = "event_type and event_properties"

  /// Creates the format, which has no parameters.
  public init() {}

  public static func match(_ sample: InputSample) -> FormatMatch {
    sample.match(
      fields: "event_type", "event_properties",
      oneOf: ["$insert_id", "insert_id", "amplitude_id", "device_id", "user_id"])
  }

  static let shapes = [
    RecordShape(
      what: "event_type",
      time: "event_time | client_event_time | time | server_received_time | server_upload_time",
      received: "server_received_time | server_upload_time", unit: "user_id | device_id | amplitude_id", id: "uuid",
      looseID: "$insert_id | insert_id",
      cases: [
        RecordCase(.ignored("calls that set properties of groups"), .when("event_type", is: "$groupidentify")),
        RecordCase(
          .decisions(endingIn: ".variant", of: "event_properties", without: "assignments without a variant"),
          .when("event_type", is: "[Experiment] Assignment"), .unless(flag)),
        RecordCase(
          .ignored("exposures without a variant"), .when("event_type", is: exposures), .when(flag),
          .unless("event_properties.variant")),
        RecordCase(
          .decision(experiment: flag, variant: "event_properties.variant"), .when("event_type", is: exposures)),
        .experimentViewed(.when("event_type", is: RecordCase.experimentViewed), in: "event_properties"),
        RecordCase(
          .dataPoints(
            kind: "userProperty", of: "user_properties.$set | user_properties",
            without: "identify calls without user_properties"), .when("event_type", is: "$identify")),
        RecordCase(
          .conversion(
            goal: "event_type", revenue: "event_properties.$revenue | event_properties.revenue | revenue")),
      ])
  ]

  private static let flag: FieldNames = "event_properties.flag_key | event_properties.experiment_key"
  private static let exposures: FieldNames = "$exposure | [Experiment] Exposure | [Experiment] Assignment"
}
