import Events
public import Specifications

/// Impression events of SDKs of Unleash, as JSON or as a table. The SDKs give them no time: the program that writes
/// them down has to add one.
///
/// | field | becomes |
/// |---|---|
/// | `eventId` | the id |
/// | `timestamp`, else `createdTimestamp`, `time`, `createdAt`, `context.currentTime`, `receivedTimestamp` | the time |
/// | `context.userId`, else `context.sessionId` | the unit |
/// | `featureName` | the experiment |
/// | `variant`, or its `name`; without one, `enabled` | the variant |
/// | all other fields, such as `eventType`, `enabled` and `context.environment` | `context` |
///
/// Client metrics (`bucket`), impressions of no user or session, and other types of events are counted and not
/// imported.
public struct Unleash: ShapedFormat {
  public static let info = SpecificationInfo(
    "unleash", "impression events of SDKs of Unleash, with a time",
    source: "https://docs.getunleash.io/reference/impression-data")

  public static let recognition =
    "eventType, eventId, featureName and enabled, or appName and bucket with toggles"

  /// Creates the format, which has no parameters.
  public init() {}

  public static func match(_ sample: InputSample) -> FormatMatch {
    let metrics = sample.match(fields: "appName", "bucket.toggles")
    if case .match = metrics { return metrics }
    return sample.match(fields: "eventType", "eventId", "featureName", "enabled")
  }

  static let shapes = [
    RecordShape(
      time: "timestamp | createdTimestamp | time | createdAt | context.currentTime | receivedTimestamp",
      unit: "context.userId | context.sessionId", id: "eventId", kept: "eventType | enabled",
      cases: [
        RecordCase(.ignored("metrics buckets, which have no units"), .when("bucket")),
        RecordCase(
          .ignored("events other than isEnabled and getVariant"), .unless("eventType", is: "isEnabled | getVariant")),
        RecordCase(
          .ignored("impressions without userId or sessionId"), .unless("context.userId | context.sessionId")),
        RecordCase(
          .decision(experiment: "featureName", variant: "variant.name | variant | enabled"),
          .when("eventType", is: "getVariant")),
        RecordCase(.decision(experiment: "featureName", variant: "enabled")),
      ])
  ]
}
