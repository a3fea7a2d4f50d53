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
public struct Optimizely: FieldFormat {
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

  public func makeReader(_ input: ImportInput) -> OptimizelyReader { OptimizelyReader() }
}

/// Converts decisions and conversions of Optimizely to events.
public struct OptimizelyReader: MemorylessReader {
  public mutating func read(
    _ fields: inout FieldTree, into record: inout ImportedRecord
  ) throws(Rejection) {
    let goal = fields.take("event_name") ?? fields.take("entity_id")
    let isDecision = goal == nil && fields.find("event_type") == nil
    let experiment = isDecision ? fields.take("experiment_id") : nil
    guard !isDecision || experiment != nil else {
      return record.ignore("decisions of visitors who were not bucketed")
    }
    let time = try fields.time(
      fields.take("timestamp") ?? fields.take("process_timestamp"), named: "timestamp")
    record.received = fields.receivedTime(fields.find("process_timestamp"))
    let unit = try fields.requireUnit(among: "visitor_id")
    let key = fields.take("uuid")
    let index = try record.add(isDecision ? .decision : .conversion, at: time, unit: unit, fields)
    if isDecision {
      try fields.set(.experiment, of: &record.events[index], to: experiment)
      try fields.set(.variant, of: &record.events[index], to: fields.require("variation_id"))
    } else {
      guard let goal else { throw Rejection(.event, #"there is no "event_name" or "entity_id""#) }
      try fields.set(.goal, of: &record.events[index], to: goal)
      let cents = fields.take("revenue")
      try fields.setRevenue(of: &record.events[index], to: cents, units: 100)
    }
    let list: AttributeList = isDecision ? .context : .metadata
    if let attributes = fields.find("attributes") {
      fields.addNamed(
        attributes, prefix: "attributes.", names: ("name", "id"), to: list,
        of: &record.events[index])
    }
    try fields.addUnused(to: list, of: &record.events[index])
    try record.events[index].requireNames()
    record.identify(by: key, fields, isUnique: true)
  }
}
