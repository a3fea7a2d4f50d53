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
public struct Unleash: FieldFormat {
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

  public func makeReader(_ input: ImportInput) -> UnleashReader { UnleashReader() }
}

/// Converts impressions of Unleash to decisions.
public struct UnleashReader: MemorylessReader {

  public mutating func read(
    _ fields: inout FieldTree, into record: inout ImportedRecord
  ) throws(Rejection) {
    guard fields.find("bucket") == nil else {
      return record.ignore("metrics buckets, which have no units")
    }
    let type = fields.find("eventType")
    let isVariant = fields.text(type, is: "getVariant")
    guard isVariant || fields.text(type, is: "isEnabled") else {
      return record.ignore("events other than isEnabled and getVariant")
    }
    guard let unit = fields.take("context", "userId") ?? fields.take("context", "sessionId") else {
      return record.ignore("impressions without userId or sessionId")
    }
    let time = try fields.time(takeTime(&fields), named: "timestamp")
    let key = fields.take("eventId")
    let experiment = try fields.require("featureName")
    guard let variant = takeVariant(&fields, isVariant) else {
      throw Rejection(.event, #"there is no "variant" or "enabled""#)
    }
    try record.addDecision(at: time, unit: unit, experiment: experiment, variant: variant, &fields)
    record.identify(by: key, fields, isUnique: true)
  }

  private func takeTime(_ fields: inout FieldTree) -> FieldTree.Field? {
    fields.take("timestamp") ?? fields.take("createdTimestamp") ?? fields.take("time")
      ?? fields.take("createdAt")
      ?? fields.take("context", "currentTime") ?? fields.take("receivedTimestamp")
  }

  private func takeVariant(_ fields: inout FieldTree, _ isVariant: Bool) -> FieldTree.Field? {
    guard isVariant, let variant = fields.find("variant") else { return fields.find("enabled") }
    if fields.isObject(variant) { return fields.take("name", in: variant) }
    fields.use(variant)
    return variant
  }
}
