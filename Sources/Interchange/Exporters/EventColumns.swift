import Events
internal import Specifications

/// Columns of exported tables.
enum EventColumns {
  typealias Column = EventTable.Column

  /// The time, ISO 8601 in UTC.
  static let time: Column = { event, text in event.time.write(to: &text) }

  /// A single text of the event.
  static func text(_ field: EventRecord.TextField) -> Column {
    { event, text in text.append(contentsOf: event.bytes[event[field].range]) }
  }

  /// A number of the event.
  static func number(_ value: @escaping @Sendable (EventRecord) -> Double?) -> Column {
    { event, text in
      if let value = value(event) { NumberText.append(value, to: &text) }
    }
  }

  /// The status.
  static let status: Column = { event, text in
    if let status = event.status { text.append(contentsOf: status.name.utf8) }
  }

  /// Whether a conversion reverses an earlier one.
  static let negative: Column = { event, text in
    if let negative = event.negative { text.append(contentsOf: "\(negative)".utf8) }
  }

  /// The value of a data point.
  static let dataValue: Column = { event, text in
    if let value = event.dataValue { append(value, of: event, to: &text) }
  }

  /// A list of texts, separated by `|`, or as a JSON list if one of them contains a separator, or begins or ends with a
  /// space.
  static func texts(_ field: EventRecord.ListField) -> Column {
    { event, text in
      guard let list = event[field] else { return }
      let separators = Array("|;,\"[".utf8)
      let isPlain = list.allSatisfy { item in
        let name = event.bytes[item.range]
        return !name.isEmpty && !name.contains { separators.contains($0) }
          && !isSpace(name.first) && !isSpace(name.last)
      }
      guard isPlain, !list.isEmpty else {
        JSONBytes.append(list: list, to: &text) { item, text in
          JSONBytes.append(text: event.bytes[item.range], to: &text)
        }
        return
      }
      for (index, item) in list.enumerated() {
        if index > 0 { text.append(UInt8(ascii: "|")) }
        text.append(contentsOf: event.bytes[item.range])
      }
    }
  }

  private static func isSpace(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }

  /// The probabilities of the choices, separated by `|`.
  static let probabilities: Column = { event, text in
    for (index, probability) in event.probabilities.enumerated() {
      if index > 0 { text.append(UInt8(ascii: "|")) }
      NumberText.append(probability, to: &text)
    }
  }

  /// An attribute.
  static func attribute(_ field: AttributeList, _ name: String) -> Column {
    let wanted = Array(name.utf8)
    return { event, text in append(wanted, in: (event[field] ?? [])[...], of: event, to: &text) }
  }

  /// A feature of a choice.
  static func feature(_ variant: String, _ name: String) -> Column {
    let (variant, wanted) = (Array(variant.utf8), Array(name.utf8))
    return { event, text in
      var start = 0
      for group in event.featureGroups {
        let range = start..<start + group.count
        start = range.upperBound
        guard event.bytes[group.variant.range].elementsEqual(variant) else { continue }
        append(wanted, in: event.features[range], of: event, to: &text)
      }
    }
  }

  private static func append(
    _ name: [UInt8], in attributes: ArraySlice<EventRecord.Attribute>, of event: EventRecord,
    to text: inout [UInt8]
  ) {
    for attribute in attributes
    where Int(attribute.name.count) == name.count
      && event.bytes[attribute.name.range].elementsEqual(name)
    {
      append(attribute.value, of: event, to: &text)
    }
  }

  private static func append(
    _ value: EventRecord.Value, of event: EventRecord, to text: inout [UInt8]
  ) {
    if case .text(let slice) = value {
      text.append(contentsOf: event.bytes[slice.range])
    } else {
      JSONBytes.append(value, event, to: &text)
    }
  }
}
