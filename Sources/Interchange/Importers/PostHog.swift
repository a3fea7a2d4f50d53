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
public struct PostHog: FieldFormat {
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

  public func makeReader(_ input: ImportInput) -> PostHogReader { PostHogReader() }
}

/// Converts events of PostHog.
public struct PostHogReader: MemorylessReader {

  public mutating func read(
    _ fields: inout FieldTree, into record: inout ImportedRecord
  ) throws(Rejection) {
    let name = try fields.require("event")
    for call: StaticString in ["$create_alias", "$merge_dangerously", "$groupidentify"]
    where fields.text(name, is: call) {
      return record.ignore("calls that merge persons or set properties of groups")
    }
    let time = try fields.time(
      fields.take(firstOf: "timestamp", "created_at"), named: "timestamp")
    let unit = try fields.requireUnit(firstOf: "distinct_id", "person_id")
    let key = fields.take("uuid")
    if fields.text(name, is: "$feature_flag_called") {
      try readFlag(&fields, time, unit, into: &record)
    } else if fields.isExperimentViewed(name) {
      try record.addExperimentViewed(
        at: time, unit: unit, in: fields.find("properties"), &fields)
    } else if fields.text(name, is: "$identify") || fields.text(name, is: "$set") {
      let properties = fields.find("properties")
      try record.addDataPoints(
        of: properties.flatMap { fields.find("$set", in: $0) }, kind: "personProperty", at: time,
        unit: unit, fields)
      if record.count == 0 { return record.ignore("calls that identify a person only") }
    } else {
      let revenue =
        fields.take("properties", firstOf: "$revenue", "revenue")
        ?? fields.take(firstOf: "properties.$revenue", "properties.revenue")
      try record.addConversion(at: time, unit: unit, goal: name, revenue: revenue, &fields)
    }
    record.identify(by: key, fields, isUnique: true)
  }

  private func readFlag(
    _ fields: inout FieldTree, _ time: Timestamp, _ unit: FieldTree.Field,
    into record: inout ImportedRecord
  ) throws(Rejection) {
    let flag =
      fields.take("properties", "$feature_flag") ?? fields.take("properties.$feature_flag")
    guard let flag else {
      throw Rejection(.event, "there is no \"properties.$feature_flag\"")
    }
    let response =
      fields.take("properties", "$feature_flag_response")
      ?? fields.take("properties.$feature_flag_response")
    guard let response else { return record.ignore("calls of a flag without a response") }
    try record.addDecision(at: time, unit: unit, experiment: flag, variant: response, &fields)
  }
}
