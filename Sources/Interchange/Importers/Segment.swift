public import Statistics
import Events

/// Calls of Segment and of libraries with its API, such as RudderStack: one JSON object for each call.
///
/// | field | becomes |
/// |---|---|
/// | `messageId` | the id |
/// | `timestamp`, else `originalTimestamp`, `sentAt`, `receivedAt` | the time |
/// | `userId`, else `anonymousId` | the unit |
/// | `event` = `Experiment Viewed` | a decision |
/// | `properties.experiment_id`, else `experiment_name` | its experiment |
/// | `properties.variation_id`, else `variant_id`, `variation_name` | its variant |
/// | any other `event` | a conversion with that goal |
/// | `properties.revenue`, else `total` | its revenue |
/// | `traits` of `identify` | a data point `trait` for each |
/// | all other fields | `context` of a decision, `metadata` of a conversion |
///
/// `page`, `screen`, `group` and `alias` calls are counted and not imported.
public struct Segment: FieldFormat {
  public static let info = SpecificationInfo(
    "segment", "calls of Segment, RudderStack and compatible libraries, one JSON object each",
    source: "https://segment.com/docs/connections/spec/")

  public static let recognition = "JSON with type, messageId, and userId or anonymousId"

  /// Creates the format, which has no parameters.
  public init(_ specification: Specification) {}

  public static func match(_ sample: InputSample) -> FormatMatch {
    sample.match(fields: "type", "messageId", oneOf: ["userId", "anonymousId"])
  }

  public func makeReader(_ input: ImportInput) -> SegmentReader { SegmentReader() }
}

/// Converts calls of Segment to events.
public struct SegmentReader: FieldReader {
  private var times = FieldTimes()

  public mutating func read(
    _ fields: inout FieldTree, into record: inout ImportedRecord
  ) throws(Rejection) {
    let type = fields.take("type")
    let time = try times.read(
      fields.take(firstOf: "timestamp", "originalTimestamp", "sentAt", "receivedAt"),
      of: fields, named: "timestamp")
    let unit = try fields.require(firstOf: "userId", "anonymousId")
    let key = fields.take("messageId")
    if fields.text(type, is: "track") {
      try readTrack(&fields, time, unit, into: &record)
    } else if fields.text(type, is: "identify") {
      record.addDataPoints(
        of: fields.find("traits"), kind: "trait", at: time, unit: unit, fields)
    } else {
      return record.ignore("calls other than track and identify")
    }
    record.identify(by: key, fields)
  }

  private mutating func readTrack(
    _ fields: inout FieldTree, _ time: Timestamp, _ unit: FieldTree.Field,
    into record: inout ImportedRecord
  ) throws(Rejection) {
    let event = try fields.require("event")
    guard fields.text(event, is: "Experiment Viewed") else {
      let index = record.add(.conversion, at: time, unit: unit, fields)
      fields.set(.goal, of: &record.events[index], to: event)
      record.events[index].revenue = try fields.number(
        fields.take("properties", firstOf: "revenue", "total"), named: "revenue")
      return try fields.addUnused(to: .metadata, of: &record.events[index])
    }
    let index = record.add(.decision, at: time, unit: unit, fields)
    let experiment = try fields.require("properties", firstOf: "experiment_id", "experiment_name")
    let variant = try fields.require(
      "properties", firstOf: "variation_id", "variant_id", "variation_name")
    fields.set(.experiment, of: &record.events[index], to: experiment)
    fields.set(.variant, of: &record.events[index], to: variant)
    try fields.addUnused(to: .context, of: &record.events[index])
  }
}
