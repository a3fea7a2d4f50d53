import Events
public import Specifications

/// Enriched events of Snowplow from a warehouse: rows with a header, or one JSON object each.
///
/// | field | becomes |
/// |---|---|
/// | `event_id` | the id |
/// | `true_tstamp`, else `derived_tstamp`, `dvce_created_tstamp`, `collector_tstamp` | the time |
/// | `user_id`, else `domain_userid`, `network_userid` | the unit |
/// | `se_action` = `Experiment Viewed` | a decision |
/// | `se_label` | its experiment |
/// | `se_property` | its variant |
/// | any other `se_action`, else `event_name`, `event` | a conversion with that goal |
/// | `tr_total` | its revenue |
/// | all other columns | `context` of a decision, `metadata` of a conversion |
///
/// `se_value` stays in the metadata, since what it measures differs from event to event. Files of enriched events
/// without a header cannot be read.
public struct Snowplow: ShapedFormat {
  public static let info = SpecificationInfo(
    "snowplow", "enriched events of Snowplow, as CSV or TSV with a header or JSON objects",
    source: "https://docs.snowplow.io/docs/fundamentals/canonical-event/")

  public static let recognition = "collector_tstamp with event_id, se_action or domain_userid"

  /// Creates the format, which has no parameters.
  public init() {}

  public static func match(_ sample: InputSample) -> FormatMatch {
    sample.match(
      fields: "collector_tstamp", oneOf: ["event_id", "se_action", "domain_userid"])
  }

  static let shapes = [
    RecordShape(
      time: "true_tstamp | derived_tstamp | dvce_created_tstamp | collector_tstamp", received: "collector_tstamp",
      unit: "user_id | domain_userid | network_userid", id: "event_id",
      cases: [
        RecordCase(
          .decision(experiment: "se_label", variant: "se_property"),
          .when("se_action", is: RecordCase.experimentViewed)),
        RecordCase(.conversion(goal: "se_action | event_name | event", revenue: "tr_total")),
      ])
  ]
}
