import Events
public import Specifications

/// Calls of Segment and of libraries with its API, such as RudderStack and Customer.io: one JSON object for each call,
/// or the rows of their tables in a warehouse.
///
/// | call | row | becomes |
/// |---|---|---|
/// | `messageId` | `id` | the id |
/// | `timestamp`, else `originalTimestamp`, `sentAt`, `receivedAt` | `timestamp`, else `original_timestamp`, `sent_at`, `received_at` | the time |
/// | `userId`, else `anonymousId` | `user_id`, else `anonymous_id` | the unit |
/// | `event` = `Experiment Viewed` | `event` = `experiment_viewed`, or `experiment_id` and no `event` | a decision |
/// | `properties.experiment_id`, else `experiment_name` | `experiment_id`, else `experiment_name` | its experiment |
/// | `properties.variation_id`, else `variant_id`, `variation_name` | `variation_id`, else likewise | its variant |
/// | any other `event` | any other `event_text`, else `event` | a conversion with that goal |
/// | `properties.revenue`, else `total` | `revenue`, else `total` | its revenue |
/// | `event` = `Order Refunded`, or a revenue below 0 | likewise | a `negative` conversion, whose revenue is above 0 |
/// | `traits`, else `context.traits`, of `identify` | | a data point `trait` for each |
/// | all other fields | all other columns | `context` of a decision, `metadata` of a conversion |
///
/// The event `Eppo Randomization Event` is a decision too, by `experiment`, `variation` and `subject` of its
/// properties. `page`, `screen`, `group` and `alias` calls are counted and not imported.
public struct Segment: ShapedFormat {
  public static let info = SpecificationInfo(
    "segment", "calls of Segment, RudderStack and compatible libraries, as JSON or table rows",
    source: "https://segment.com/docs/connections/spec/")

  public static let recognition =
    "type, messageId and userId or anonymousId, or received_at and anonymous_id"

  /// Creates the format, which has no parameters.
  public init() {}

  public static func match(_ sample: InputSample) -> FormatMatch {
    if sample.has("received_at"), sample.has("anonymous_id") {
      return sample.match(
        fields: "received_at", "anonymous_id", oneOf: ["experiment_id", "event", "event_text"])
    }
    return sample.match(fields: "type", "messageId", oneOf: ["userId", "anonymousId"])
  }

  static let shapes = [row, call]

  /// A row of a table in a warehouse: of `experiment_viewed`, of another event, or of `tracks`.
  private static let row = RecordShape(
    conditions: [.when("received_at"), .unless("messageId")],
    time: "timestamp | original_timestamp | sent_at | received_at", received: "received_at",
    unit: "user_id | anonymous_id", id: "id",
    cases: [
      .experimentViewed(.when("event | event_text", is: RecordCase.experimentViewed)),
      .experimentViewed(.unless("event | event_text")),
      RecordCase(.conversion(goal: "event_text | event", revenue: "revenue | total")),
    ])

  private static let otherCalls = "calls other than track and identify"

  private static let call = RecordShape(
    what: "type", time: "timestamp | originalTimestamp | sentAt | receivedAt", received: "receivedAt",
    unit: "userId | anonymousId", id: "messageId",
    cases: [
      RecordCase(.ignored(otherCalls), .when("type", is: "page | screen | group | alias")),
      RecordCase(.ignored(otherCalls), .unless("type", is: "track | identify")),
      RecordCase(
        .dataPoints(kind: "trait", of: "traits | context.traits", without: "identify calls without traits"),
        .when("type", is: "identify")),
      .experimentViewed(.when("event", is: RecordCase.experimentViewed), in: "properties"),
      RecordCase(
        .decision(experiment: "properties.experiment", variant: "properties.variation"),
        .when("event", is: "Eppo Randomization Event"), unit: "properties.subject | userId | anonymousId"),
      RecordCase(
        .conversion(
          goal: "event", revenue: "properties.revenue | properties.total",
          ofRefunds: "properties.revenue | properties.total | properties.value")),
    ])
}
