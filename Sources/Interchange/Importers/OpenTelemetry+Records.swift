import Events

/// Converts log records of OpenTelemetry to decisions.
struct LogRecordReader {
  private static let times: [StaticString] = ["timeUnixNano", "timestamp", "observedTimeUnixNano"]

  private var times = FieldTimes()

  /// Reads the log record at a place of a document.
  mutating func read(
    _ fields: inout FieldTree, _ place: LogCursor, into record: inout ImportedRecord
  ) throws(Rejection) {
    guard let log = place.record, fields.isObject(log) else {
      throw Rejection(.json, "a log record must be a JSON object")
    }
    let evaluation = FlagEvaluation(&fields, log)
    guard evaluation.isOne, let flag = evaluation.flag else {
      return record.ignore("log records other than feature flag evaluations")
    }
    guard let unit = evaluation.unit else {
      return record.ignore("evaluations without feature_flag.context.id")
    }
    guard let variant = evaluation.variant ?? evaluation.value else {
      return record.ignore("evaluations without a variant or value")
    }
    let time = try readTime(&fields, log)
    let index = try record.add(.decision, at: time, unit: unit, fields)
    try fields.set(.experiment, of: &record.events[index], to: flag)
    fields.set(.variant, of: &record.events[index], toValue: variant)
    try fields.set(.reason, of: &record.events[index], to: evaluation.reason)
    if fields.text(evaluation.reason, is: "error") || fields.text(evaluation.reason, is: "ERROR") {
      record.events[index].status = .excluded
    }
    let trace = fields.take(in: log, firstOf: "traceId", "trace_id")
    let span = fields.take(in: log, firstOf: "spanId", "span_id")
    if let trace, let span, !fields.text(trace).isEmpty, !fields.text(span).isEmpty {
      // A span may evaluate a flag for several units.
      record.identify(joining: trace, span, flag, unit, of: fields)
    }
    evaluation.addAttributes(fields, to: &record.events[index])
    try fields.addUnused(to: .context, of: &record.events[index], under: log)
    add(fields, place.resource, "resource", "resource.", to: &record.events[index])
    add(fields, place.scope, "scope", "scope.", to: &record.events[index])
    try record.events[index].requireNames()
  }

  private mutating func readTime(
    _ fields: inout FieldTree, _ log: FieldTree.Field
  ) throws(Rejection) -> Timestamp {
    // 0 stands for an unknown time.
    for name in Self.times {
      guard let time = fields.take(name, in: log), !fields.text(time, is: "0") else { continue }
      return try times.read(time, of: fields, named: "\(name)")
    }
    throw Rejection(.time, #"there is no "timeUnixNano" or "observedTimeUnixNano""#)
  }

  /// Adds the attributes and the single values of a resource or a scope, and of the element of the list that has it.
  private func add(
    _ fields: FieldTree, _ element: FieldTree.Field?, _ name: StaticString, _ prefix: String,
    to event: inout EventRecord
  ) {
    guard let element else { return }
    let inner = fields.find(name, in: element)
    for object in [inner, element] {
      guard let object else { continue }
      var place: FieldTree.Field?
      while let member = fields.child(after: place, of: object) {
        place = member
        if fields.isNull(member) || fields.isList(member) || fields.isObject(member) { continue }
        fields.add(
          member, prefix: prefix, name: fields.name(of: member), to: .context, of: &event)
      }
    }
    guard let inner, let attributes = fields.find("attributes", in: inner) else { return }
    FlagEvaluation.add(fields, attributes, prefix: prefix, to: &event)
  }
}

/// The attributes of a log record that describe the evaluation of a feature flag.
struct FlagEvaluation {
  private(set) var isOne = false
  private(set) var flag: FieldTree.Field?
  private(set) var variant: FieldTree.Field?
  private(set) var value: FieldTree.Field?
  private(set) var unit: FieldTree.Field?
  private(set) var reason: FieldTree.Field?
  private var attributes: FieldTree.Field?

  /// Looks the attributes up, and marks them and the name of the event as used.
  init(_ fields: inout FieldTree, _ log: FieldTree.Field) {
    let name = fields.take(in: log, firstOf: "eventName", "event_name")
    isOne = Self.isName(name, fields)
    if name != nil, !isOne { return }
    guard let attributes = fields.find("attributes", in: log) else { return }
    self.attributes = attributes
    fields.use(attributes)
    var place: FieldTree.Field?
    while let attribute = fields.child(after: place, of: attributes) {
      place = attribute
      let isNamed = fields.isList(attributes)
      let key = isNamed ? fields.find("key", in: attribute).map { fields.text($0) } : nil
      guard let value = Self.value(of: attribute, isNamed, fields)?.field else { continue }
      if set(key ?? fields.name(of: attribute), value, fields) { fields.use(attribute) }
    }
    if reason == nil { reason = olderReason }
    if variant == nil { variant = olderVariant }
  }

  private var olderReason: FieldTree.Field?
  private var olderVariant: FieldTree.Field?

  /// Keeps the value of an attribute that describes the evaluation; returns false for any other attribute.
  private mutating func set(
    _ key: ArraySlice<UInt8>, _ value: FieldTree.Field, _ fields: FieldTree
  ) -> Bool {
    switch key.count {
    case 10 where key.elementsEqual("event.name".utf8):
      isOne = isOne || Self.isName(value, fields)
      return Self.isName(value, fields)
    case 16 where key.elementsEqual("feature_flag.key".utf8): flag = value
    case 20 where key.elementsEqual("feature_flag.variant".utf8): olderVariant = value
    case 23 where key.elementsEqual("feature_flag.context.id".utf8): unit = value
    case 25 where key.elementsEqual("feature_flag.result.value".utf8):
      // It stays in the context, whether it is the variant or not.
      self.value = value
      return false
    case 26 where key.elementsEqual("feature_flag.result.reason".utf8): reason = value
    case 27 where key.elementsEqual("feature_flag.result.variant".utf8): variant = value
    case 30 where key.elementsEqual("feature_flag.evaluation.reason".utf8): olderReason = value
    default: return false
    }
    return true
  }

  private static func isName(_ name: FieldTree.Field?, _ fields: FieldTree) -> Bool {
    fields.text(name, is: "feature_flag.evaluation") || fields.text(name, is: "feature_flag")
  }

  /// Returns the value of an attribute, and whether it is an integer in a text; nil if there is none.
  private static func value(
    of attribute: FieldTree.Field, _ isNamed: Bool, _ fields: FieldTree
  ) -> (field: FieldTree.Field, isInteger: Bool)? {
    guard isNamed else { return fields.isNull(attribute) ? nil : (attribute, false) }
    guard let value = fields.find("value", in: attribute) else { return nil }
    guard fields.isObject(value) else { return (value, false) }
    guard let inner = fields.child(after: nil, of: value), !fields.isNull(inner) else { return nil }
    return (inner, fields.name(of: inner).elementsEqual("intValue".utf8))
  }

  /// Adds the attributes of the log record that do not describe the evaluation to the context.
  func addAttributes(_ fields: FieldTree, to event: inout EventRecord) {
    guard let attributes else { return }
    Self.add(fields, attributes, prefix: "", to: &event)
  }

  /// Adds attributes that are not marked as used to the context.
  static func add(
    _ fields: FieldTree, _ attributes: FieldTree.Field, prefix: String, to event: inout EventRecord
  ) {
    let isNamed = fields.isList(attributes)
    var place: FieldTree.Field?
    while let attribute = fields.child(after: place, of: attributes) {
      place = attribute
      guard !fields.isUsed(attribute), let value = value(of: attribute, isNamed, fields) else {
        continue
      }
      let key = isNamed ? fields.find("key", in: attribute).map { fields.text($0) } : nil
      fields.add(
        value.field, prefix: prefix, name: key ?? fields.name(of: attribute), to: .context,
        of: &event, asInteger: value.isInteger)
    }
  }
}

extension FieldTree {
  /// Returns the first of several members of an object that there is, and marks it as used.
  fileprivate mutating func take(
    in object: Field, firstOf first: StaticString, _ second: StaticString
  ) -> Field? {
    take(first, in: object) ?? take(second, in: object)
  }
}
