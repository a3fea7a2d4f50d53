import Events
public import Specifications

/// Events of Google Analytics 4 from its BigQuery export, as JSON: one object each.
///
/// | field | becomes |
/// |---|---|
/// | `user_pseudo_id`, `event_timestamp`, `event_name`, `event_bundle_sequence_id`, `batch_page_id`, `batch_ordering_id`, `batch_event_index` | the id, joined with `#` |
/// | `event_timestamp`, in microseconds | the time |
/// | `user_id`, else `user_pseudo_id` | the unit |
/// | `event_name` = `experiment_viewed` | a decision |
/// | parameter `experiment_id`, else `experiment_name` | its experiment |
/// | parameter `variation_id`, else `variant_id`, `variation_name` | its variant |
/// | any other `event_name` | a conversion with that goal |
/// | `ecommerce.purchase_revenue`, else `event_value_in_usd` | its revenue |
/// | `ecommerce.refund_value`, else `event_value_in_usd`, of `refund` | the revenue of a `negative` conversion |
/// | `event_params`, `user_properties` | attributes `event_params.NAME`, `user_properties.NAME` |
/// | all other fields | `context` of a decision, `metadata` of a conversion |
///
/// Only an event with `batch_event_index` gets an id: without it, several events of one name and time in one request
/// look the same by the other fields. Such events are duplicates if they agree in everything. Events with neither
/// `user_id` nor `user_pseudo_id`, of users who did not consent, are counted and not imported.
public struct GoogleAnalytics: FieldFormat {
  public static let info = SpecificationInfo(
    "ga4", "events of Google Analytics 4 from its BigQuery export, one JSON object each",
    source: "https://support.google.com/analytics/answer/7029846")

  public static let recognition = "event_name and event_timestamp"

  /// Creates the format, which has no parameters.
  public init() {}

  public static func match(_ sample: InputSample) -> FormatMatch {
    sample.match(
      fields: "event_name", "event_timestamp",
      oneOf: ["event_params", "user_pseudo_id", "event_bundle_sequence_id"])
  }

  public func makeReader(_ input: ImportInput) -> GoogleAnalyticsReader { GoogleAnalyticsReader() }
}

/// Converts events of Google Analytics.
public struct GoogleAnalyticsReader: MemorylessReader {

  public mutating func read(
    _ fields: inout FieldTree, into record: inout ImportedRecord
  ) throws(Rejection) {
    let name = try fields.require("event_name")
    let time = try fields.time(
      fields.take("event_timestamp"), named: "event_timestamp")
    if let offset = fields.find("event_server_timestamp_offset").flatMap({ fields.number($0) }),
      offset.magnitude < 1e16
    {
      record.received = Timestamp(microseconds: time.microseconds + Int64(offset))
    }
    guard let unit = fields.takeUnit(among: "user_id | user_pseudo_id") else {
      return record.ignore("events without user_id and user_pseudo_id")
    }
    if fields.text(name, is: "experiment_viewed") {
      let index = try record.add(.decision, at: time, unit: unit, fields)
      try setExposure(of: &record.events[index], &fields)
      try addAttributes(to: .context, of: &record.events[index], &fields)
    } else {
      let index = try record.add(.conversion, at: time, unit: unit, fields)
      try fields.set(.goal, of: &record.events[index], to: name)
      var revenue: FieldTree.Field?
      if Refund.isNamed(by: fields.text(name)) {
        revenue =
          fields.take(among: "ecommerce.refund_value | ecommerce.purchase_revenue | event_value_in_usd")
          ?? fields.takeParameter(firstOf: "value")
      } else {
        revenue = fields.take("ecommerce", "purchase_revenue") ?? fields.take("event_value_in_usd")
      }
      try fields.setRevenue(of: &record.events[index], to: revenue)
      try addAttributes(to: .metadata, of: &record.events[index], &fields)
    }
    guard let place = fields.find("batch_event_index") else { return }
    record.identify(
      joining: fields.find("user_pseudo_id"), fields.find("event_timestamp"), name,
      fields.find("event_bundle_sequence_id"), fields.find("batch_page_id"),
      fields.find("batch_ordering_id"), place, of: fields)
    record.hasUniqueIDs = true
  }

  private func setExposure(
    of event: inout EventRecord, _ fields: inout FieldTree
  ) throws(Rejection) {
    guard let experiment = fields.takeParameter(firstOf: "experiment_id", "experiment_name") else {
      throw Rejection(
        .event, "there is no parameter \"experiment_id\" or \"experiment_name\" in \"event_params\""
      )
    }
    guard
      let variant = fields.takeParameter(firstOf: "variation_id", "variant_id", "variation_name")
    else {
      throw Rejection(
        .event,
        "there is no parameter \"variation_id\", \"variant_id\" or \"variation_name\" in "
          + "\"event_params\"")
    }
    try fields.set(.experiment, of: &event, to: experiment)
    try fields.set(.variant, of: &event, to: variant)
  }

  private func addAttributes(
    to list: AttributeList, of event: inout EventRecord, _ fields: inout FieldTree
  ) throws(Rejection) {
    fields.addParameters("event_params", to: list, of: &event)
    fields.addParameters("user_properties", to: list, of: &event)
    try fields.addUnused(to: list, of: &event)
  }
}

/// Parameters: lists of objects with a `key` and a `value`, whose one member is the value by its type.
extension FieldTree {
  /// Returns the value of the first of several parameters in `event_params` that there is, and marks it as used.
  fileprivate mutating func takeParameter(firstOf names: StaticString...) -> Field? {
    guard let list = find("event_params"), isList(list) else { return nil }
    for name in names {
      let end = Int(nodes[list.index].next)
      var index = list.index + 1
      while index < end {
        let parameter = Field(index: index)
        index = Int(nodes[index].next)
        guard text(find("key", in: parameter), is: name), let value = value(of: parameter) else {
          continue
        }
        use(parameter)
        return value
      }
    }
    return nil
  }

  /// Adds the unused parameters of a list as attributes with its name and a point before theirs. One without a value is
  /// left out.
  fileprivate mutating func addParameters(
    _ name: StaticString, to attributes: AttributeList, of event: inout EventRecord
  ) {
    guard let list = find(name), isList(list) else { return }
    use(list)
    let end = Int(nodes[list.index].next)
    var index = list.index + 1
    while index < end {
      let parameter = Field(index: index)
      let isUsed = nodes[index].isUsed
      index = Int(nodes[index].next)
      guard !isUsed, let key = find("key", in: parameter), let value = value(of: parameter) else {
        continue
      }
      let start = event.bytes.count
      event.bytes.append(contentsOf: self.name(of: list))
      event.bytes.append(UInt8(ascii: "."))
      event.bytes.append(contentsOf: text(key))
      let slice = EventRecord.Slice(start: start, count: event.bytes.count - start)
      let attribute = EventRecord.Attribute(name: slice, value: typed(value, for: &event))
      event.add(attribute, to: attributes)
    }
  }

  /// Returns the value of a parameter, whatever its type.
  private func value(of parameter: Field) -> Field? {
    guard let value = find("value", in: parameter) else { return nil }
    return find("string_value", in: value) ?? find("int_value", in: value)
      ?? find("double_value", in: value) ?? find("float_value", in: value)
  }

  /// Returns a parameter's value as an attribute: BigQuery writes 64-bit integers as texts, which become numbers.
  private func typed(_ field: Field, for event: inout EventRecord) -> EventRecord.Value {
    let isText = name(of: field).elementsEqual("string_value".utf8)
    guard !isText, let number = number(field) else { return value(field, for: &event) }
    if number.magnitude > 0x1p53, let whole = Int64(string(field)) { return .integer(whole) }
    return .number(number)
  }
}
