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
public struct Segment: FieldFormat {
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

  public func makeReader(_ input: ImportInput) -> SegmentReader { SegmentReader() }
}

/// Converts calls of Segment to events.
public struct SegmentReader: MemorylessReader {

  public mutating func read(
    _ fields: inout FieldTree, into record: inout ImportedRecord
  ) throws(Rejection) {
    if fields.find("messageId") == nil, fields.find("received_at") != nil {
      return try readRow(&fields, into: &record)
    }
    let type = try fields.require("type")
    let isTrack = fields.text(type, is: "track")
    guard isTrack || fields.text(type, is: "identify") else {
      return record.ignore("calls other than track and identify")
    }
    let time = try fields.time(
      fields.take(firstOf: "timestamp", "originalTimestamp", "sentAt", "receivedAt"), named: "timestamp")
    record.received = fields.receivedTime(fields.find("receivedAt"))
    let unit = try fields.requireUnit(firstOf: "userId", "anonymousId")
    let key = fields.take("messageId")
    if isTrack {
      try readTrack(&fields, time, unit, into: &record)
    } else {
      let traits = fields.find("context").flatMap { fields.find("traits", in: $0) }
      try record.addDataPoints(
        of: fields.find("traits") ?? traits, kind: "trait", at: time, unit: unit, fields)
      if record.count == 0 { return record.ignore("identify calls without traits") }
    }
    record.identify(by: key, fields, isUnique: true)
  }

  private func readTrack(
    _ fields: inout FieldTree, _ time: Timestamp, _ unit: FieldTree.Field,
    into record: inout ImportedRecord
  ) throws(Rejection) {
    let event = try fields.require("event")
    if fields.isExperimentViewed(event) {
      try record.addExperimentViewed(
        at: time, unit: unit, in: fields.find("properties"), &fields)
    } else if fields.text(event, is: "Eppo Randomization Event") {
      let subject = fields.take("properties", "subject")
      if subject != nil { fields.keep(unit) }
      try record.addDecision(
        at: time, unit: subject ?? unit,
        experiment: fields.require("properties", firstOf: "experiment"),
        variant: fields.require("properties", firstOf: "variation"), &fields)
    } else {
      let revenue =
        fields.take("properties", firstOf: "revenue", "total")
        ?? (Refund.isNamed(by: fields.text(event)) ? fields.take("properties", "value") : nil)
      try record.addConversion(at: time, unit: unit, goal: event, revenue: revenue, &fields)
    }
  }

  /// Reads a row of a table in a warehouse: of `experiment_viewed`, of another event, or of `tracks`.
  private mutating func readRow(
    _ fields: inout FieldTree, into record: inout ImportedRecord
  ) throws(Rejection) {
    let time = try fields.time(
      fields.take(firstOf: "timestamp", "original_timestamp", "sent_at", "received_at"), named: "received_at")
    record.received = fields.receivedTime(fields.find("received_at"))
    let unit = try fields.requireUnit(firstOf: "user_id", "anonymous_id")
    let key = fields.take("id")
    let event = fields.find("event") ?? fields.find("event_text")
    if event == nil || fields.isExperimentViewed(event) {
      if let event { fields.use(event) }
      try record.addExperimentViewed(at: time, unit: unit, in: nil, &fields)
    } else {
      let goal = try fields.require(firstOf: "event_text", "event")
      let revenue = fields.take(firstOf: "revenue", "total")
      try record.addConversion(at: time, unit: unit, goal: goal, revenue: revenue, &fields)
    }
    record.identify(by: key, fields, isUnique: true)
  }
}
