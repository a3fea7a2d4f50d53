import Events
public import Specifications

/// The Enriched Events export of Optimizely: decisions and events (conversions), as JSON or as tables.
///
/// | field | becomes |
/// |---|---|
/// | `uuid` | the id |
/// | `timestamp`, else `process_timestamp` | the time |
/// | `visitor_id` | the unit |
/// | `experiment_id` | the experiment of a decision |
/// | `variation_id` | its variant |
/// | `event_name`, else `entity_id` | the goal of a conversion |
/// | `revenue`, which is in cents | its revenue, divided by 100 |
/// | `attributes`: a list of `id`, `name`, `type` and `value` | `attributes.NAME`, or `attributes.ID` without a name |
/// | all other fields | `context` of a decision, such as `is_holdback`; `metadata` of a conversion, such as `value` |
///
/// Of an attribute, the type is left out, and so is the id if there is a name.
/// A record with `entity_id`, `event_name` or `event_type` is a conversion. Decisions without `experiment_id`, whose
/// visitors were not bucketed, are counted and not imported.
public struct Optimizely: ShapedFormat {
  public static let info = SpecificationInfo(
    "optimizely", "decisions and conversions of Optimizely's Enriched Events export",
    source:
      "https://docs.developers.optimizely.com/optimizely-data/docs/enriched-events-data-specification"
  )

  public static let recognition =
    "uuid, visitor_id, timestamp, and experiment_id, variation_id, entity_id or event_name"

  /// Creates the format, which has no parameters.
  public init() {}

  public static func match(_ sample: InputSample) -> FormatMatch {
    sample.match(
      fields: "uuid", "visitor_id", "timestamp",
      oneOf: ["experiment_id", "variation_id", "entity_id", "event_name"])
  }

  static let shapes = [
    RecordShape(
      members: [
        RecordMembers(list: "attributes", name: "name | id", value: "value", prefix: FieldName("attributes"))
      ],
      time: "timestamp | process_timestamp", received: "process_timestamp", unit: "visitor_id", id: "uuid",
      cases: [
        RecordCase(
          .conversion(goal: "event_name | entity_id", revenue: "revenue"),
          .when("event_name | entity_id | event_type"), units: 100),
        RecordCase(.ignored("decisions of visitors who were not bucketed"), .unless("experiment_id")),
        RecordCase(.decision(experiment: "experiment_id", variant: "variation_id")),
      ])
  ]
}
