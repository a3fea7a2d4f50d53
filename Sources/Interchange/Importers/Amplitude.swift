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
public struct Amplitude: FieldFormat {
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

  public func makeReader(_ input: ImportInput) -> AmplitudeReader { AmplitudeReader() }
}

/// Converts events of Amplitude.
public struct AmplitudeReader: MemorylessReader {

  public mutating func read(
    _ fields: inout FieldTree, into record: inout ImportedRecord
  ) throws(Rejection) {
    let type = try fields.require("event_type")
    if fields.text(type, is: "$groupidentify") {
      return record.ignore("calls that set properties of groups")
    }
    let time = try fields.time(
      fields.take(
        firstOf: "event_time", "client_event_time", "time", "server_received_time",
        "server_upload_time"), named: "event_time")
    record.received = fields.receivedTime(
      fields.find("server_received_time") ?? fields.find("server_upload_time"))
    let unit = try fields.requireUnit(firstOf: "user_id", "device_id", "amplitude_id")
    let uuid = fields.take(firstOf: "uuid")
    let key = uuid ?? fields.take(firstOf: "$insert_id", "insert_id")
    let isAssignment = fields.text(type, is: "[Experiment] Assignment")
    if isAssignment || fields.text(type, is: "[Experiment] Exposure")
      || fields.text(type, is: "$exposure")
    {
      try readExposure(&fields, time, unit, isAssignment, into: &record)
    } else if fields.isExperimentViewed(type) {
      try record.addExperimentViewed(
        at: time, unit: unit, in: fields.find("event_properties"), &fields)
    } else if fields.text(type, is: "$identify") {
      let properties = fields.find("user_properties")
      try record.addDataPoints(
        of: properties.flatMap { fields.find("$set", in: $0) ?? $0 }, kind: "userProperty",
        at: time, unit: unit, fields)
      if record.count == 0 { return record.ignore("identify calls without user_properties") }
    } else {
      let revenue =
        fields.take("event_properties", firstOf: "$revenue", "revenue") ?? fields.take("revenue")
      try record.addConversion(at: time, unit: unit, goal: type, revenue: revenue, &fields)
    }
    record.identify(by: key, fields, isUnique: uuid != nil)
  }

  private func readExposure(
    _ fields: inout FieldTree, _ time: Timestamp, _ unit: FieldTree.Field, _ isAssignment: Bool,
    into record: inout ImportedRecord
  ) throws(Rejection) {
    guard let flag = fields.take("event_properties", firstOf: "flag_key", "experiment_key") else {
      guard isAssignment else {
        throw Rejection(
          .event,
          "there is no \"event_properties.flag_key\" or \"event_properties.experiment_key\"")
      }
      return try readAssignments(&fields, time, unit, into: &record)
    }
    guard let variant = fields.take("event_properties", "variant") else {
      return record.ignore("exposures without a variant")
    }
    try record.addDecision(at: time, unit: unit, experiment: flag, variant: variant, &fields)
  }

  /// Adds a decision for each property `FLAG.variant`, with the same context.
  private func readAssignments(
    _ fields: inout FieldTree, _ time: Timestamp, _ unit: FieldTree.Field,
    into record: inout ImportedRecord
  ) throws(Rejection) {
    let ending = Array(".variant".utf8)
    let properties = fields.find("event_properties").map { fields.children(of: $0) } ?? []
    let variants = properties.filter { property in
      let name = fields.name(of: property)
      return name.count > ending.count && name.suffix(ending.count).elementsEqual(ending)
        && !fields.isNull(property)
    }
    guard !variants.isEmpty else { return record.ignore("assignments without a variant") }
    for variant in variants { fields.use(variant) }
    for variant in variants {
      let index = try record.add(.decision, at: time, unit: unit, fields)
      let flag = fields.name(of: variant).dropLast(ending.count)
      record.events[index][.experiment] = record.events[index].add(flag)
      try fields.set(.variant, of: &record.events[index], to: variant)
      var rest = fields
      try rest.addUnused(to: .context, of: &record.events[index])
      try record.requireSize()
    }
  }
}
