import Events
public import Specifications

/// The Data Export of LaunchDarkly: events of its streams, and the tables `evaluation_events` and `metric_events` of
/// its warehouse exports.
///
/// | stream | table | becomes |
/// |---|---|---|
/// | `event.creationDate` | `received_time` | the time |
/// | `event.contextKeys.user`, else the first of `contextKeys`; `context.key`; `userKey` | `context_key` | the unit |
/// | `event.kind` = `feature` | `flag_key` | a decision |
/// | `event.key` | `flag_key` | its experiment |
/// | `event.variation`, else `value` as text | `variation_id`, else `variation_value` | its variant |
/// | `event.reason.kind` | `reason_kind` | its reason |
/// | `event.kind` = `custom` | `event_key`, else `metric_key` | a conversion with the goal `key` |
/// | `event.data.revenue` | `revenue` | its revenue |
/// | | `event_id` and `context_kind` | the id |
/// | all other fields | all other columns | `context` of a decision, `metadata` of a conversion |
///
/// A decision whose reason is `ERROR` has the status `excluded`: the unit got a default. Other kinds of events, such
/// as `identify`, `index`, `summary` and `debug`, are counted and not imported. The tables have a row for each kind of
/// context; with the parameter `kind`, only those of one kind are imported. Events of streams have no key: those that
/// are equal in everything are stored once.
public struct LaunchDarkly: FieldFormat {
  public static let info = SpecificationInfo(
    "launchdarkly", "LaunchDarkly Data Export: events of streams, or tables of warehouses",
    source: "https://launchdarkly.com/docs/integrations/data-export/schema-reference",
    example: "launchdarkly:kind=device")

  public static let recognition =
    "event.kind and event.creationDate, or event_id, context_key, and flag_key or event_key"

  /// The kind of context that is the unit; nil for the user, else any.
  public var kind: String?

  /// Creates the format with the default of each parameter.
  public init() {}

  public static var parameters: [Field] {
    Field.text(
      "kind", \.kind,
      "the kind of context that is the unit, such as device (default: user, else any)")
  }

  public static func match(_ sample: InputSample) -> FormatMatch {
    let table = sample.match(
      fields: "event_id", "context_key", oneOf: ["flag_key", "event_key", "metric_key"])
    if case .match = table { return table }
    return sample.match(fields: "event.kind", "event.creationDate")
  }

  public func makeReader(_ input: ImportInput) -> LaunchDarklyReader {
    LaunchDarklyReader(kind: kind)
  }
}

/// Converts events of LaunchDarkly.
public struct LaunchDarklyReader: MemorylessReader {
  private static let otherKind = "events without a context of that kind"

  private let kind: [UInt8]?

  init(kind: String?) { self.kind = kind.map { Array($0.utf8) } }

  public mutating func read(
    _ fields: inout FieldTree, into record: inout ImportedRecord
  ) throws(Rejection) {
    if let event = fields.find("event"), fields.isObject(event) {
      try readStream(&fields, event, into: &record)
    } else {
      try readRow(&fields, into: &record)
    }
  }

  private mutating func readStream(
    _ fields: inout FieldTree, _ event: FieldTree.Field, into record: inout ImportedRecord
  ) throws(Rejection) {
    let envelope = fields.root
    fields.root = event
    let type = try fields.require("kind")
    let isDecision = fields.text(type, is: "feature")
    guard isDecision || fields.text(type, is: "custom") else {
      return record.ignore("events other than feature and custom")
    }
    guard let unit = takeUnit(&fields) else {
      if kind != nil { return record.ignore(Self.otherKind) }
      throw Rejection(.placeholder, #"there is no "contextKeys", "context.key" or "userKey""#)
    }
    let time = try fields.time(fields.take("creationDate"), named: "creationDate")
    let key = try fields.require("key")
    let index = try record.add(isDecision ? .decision : .conversion, at: time, unit: unit, fields)
    if isDecision {
      guard let variant = fields.take("variation") ?? fields.find("value") else {
        throw Rejection(.event, #"there is no "variation" or "value""#)
      }
      let reason = fields.take("reason", "kind")
      try setDecision(&record.events[index], fields, key, variant, reason)
    } else {
      try fields.set(.goal, of: &record.events[index], to: key)
      let field = fields.find("data").flatMap { fields.find("revenue", in: $0) }
      let revenue = field.flatMap { fields.number($0) == nil ? nil : $0 }
      if let revenue { fields.use(revenue) }
      try fields.setRevenue(of: &record.events[index], to: revenue)
    }
    fields.root = envelope
    try fields.addUnused(to: isDecision ? .context : .metadata, of: &record.events[index])
  }

  private func setDecision(
    _ event: inout EventRecord, _ fields: FieldTree, _ experiment: FieldTree.Field,
    _ variant: FieldTree.Field, _ reason: FieldTree.Field?
  ) throws(Rejection) {
    try fields.set(.experiment, of: &event, to: experiment)
    // A flag of JSON has such values.
    fields.set(.variant, of: &event, toValue: variant)
    try fields.set(.reason, of: &event, to: reason)
    if fields.text(reason, is: "ERROR") { event.status = .excluded }
  }

  /// Returns the key of the context that is the unit, marked as used.
  private func takeUnit(_ fields: inout FieldTree) -> FieldTree.Field? {
    if let keys = fields.find("contextKeys"), fields.isObject(keys) {
      return take(kind.map { fields.find($0, in: keys) } ?? firstKey(keys, fields), &fields)
    }
    guard let context = fields.find("context") ?? fields.find("user") else {
      let own = fields.take("contextKind")
      if let kind, let own, !fields.text(own).elementsEqual(kind) { return nil }
      return fields.take("userKey")
    }
    if let key = fields.find("key", in: context) {
      let own = fields.find("kind", in: context)
      if let kind, let own, !fields.text(own).elementsEqual(kind) { return nil }
      return take(key, &fields)
    }
    // A context of several kinds has an object for each.
    let inner = kind.map { fields.find($0, in: context) } ?? fields.find("user", in: context)
    return take(inner.flatMap { fields.find("key", in: $0) } ?? fields.find("userKey"), &fields)
  }

  private func firstKey(_ keys: FieldTree.Field, _ fields: FieldTree) -> FieldTree.Field? {
    fields.find("user", in: keys) ?? fields.child(after: nil, of: keys)
  }

  private func take(
    _ field: FieldTree.Field?, _ fields: inout FieldTree
  ) -> FieldTree.Field? {
    guard let field, !fields.isNull(field) else { return nil }
    fields.use(field)
    return field
  }
}

extension LaunchDarklyReader {
  /// Reads a row of `evaluation_events`, which has a flag, or of `metric_events`.
  private mutating func readRow(
    _ fields: inout FieldTree, into record: inout ImportedRecord
  ) throws(Rejection) {
    let own = fields.find("context_kind")
    if let kind, let own, !fields.text(own).elementsEqual(kind) {
      return record.ignore(Self.otherKind)
    }
    let time = try fields.time(
      fields.take("creation_time") ?? fields.take("received_time"),
      named: "received_time")
    let unit = try fields.requireUnit(among: "context_key")
    let key = fields.take("event_id")
    let isDecision = fields.find("flag_key") != nil
    let index = try record.add(isDecision ? .decision : .conversion, at: time, unit: unit, fields)
    if isDecision {
      let flag = try fields.require("flag_key")
      guard let variant = fields.take("variation_id") ?? fields.find("variation_value") else {
        throw Rejection(.event, #"there is no "variation_id" or "variation_value""#)
      }
      try setDecision(&record.events[index], fields, flag, variant, fields.take("reason_kind"))
    } else {
      let goal = try fields.require(among: "event_key | metric_key")
      try fields.set(.goal, of: &record.events[index], to: goal)
      let revenue = fields.take("revenue")
      try fields.setRevenue(of: &record.events[index], to: revenue)
    }
    try fields.addUnused(to: isDecision ? .context : .metadata, of: &record.events[index])
    guard let key else { return }
    record.hasUniqueIDs = true
    guard let own else { return record.identify(by: key, fields, isUnique: true) }
    record.identify(joining: key, own, of: fields)
  }
}
