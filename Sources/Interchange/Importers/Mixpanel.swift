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
public struct Mixpanel: FieldFormat {
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

  public func makeReader(_ input: ImportInput) -> MixpanelReader { MixpanelReader() }
}

/// Converts events of Mixpanel.
public struct MixpanelReader: MemorylessReader {

  public mutating func read(
    _ fields: inout FieldTree, into record: inout ImportedRecord
  ) throws(Rejection) {
    let event = try fields.require("event")
    let timeField = fields.take("properties", "time")
    let time = try fields.time(timeField, named: "properties.time")
    let unit = try fields.requireUnit(
      in: "properties", firstOf: "distinct_id", "$user_id", "$device_id")
    let key = fields.take("properties", "$insert_id")
    if fields.text(event, is: "$experiment_started") {
      try record.addDecision(
        at: time, unit: unit,
        experiment: fields.require("properties", firstOf: "$experiment_id", "Experiment name"),
        variant: fields.require("properties", firstOf: "$variant_id", "Variant name"), &fields)
    } else if fields.isExperimentViewed(event) {
      try record.addExperimentViewed(
        at: time, unit: unit, in: fields.find("properties"), &fields)
    } else {
      let revenue = fields.take("properties", firstOf: "revenue", "$amount")
      try record.addConversion(at: time, unit: unit, goal: event, revenue: revenue, &fields)
    }
    guard let key, !fields.text(key).isEmpty else { return }
    record.identify(joining: event, timeField, unit, key, of: fields)
    record.hasUniqueIDs = true
  }
}
