import Events
internal import Specifications

/// Appends parts of JSON texts to bytes.
enum JSONBytes {
  /// Appends a text in quotes, which must be UTF-8.
  static func append(text: some Sequence<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text {
      if JSONEscape.isRequired(byte) {
        JSONEscape.append(byte, isShort: false, to: &bytes)
      } else {
        bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends a comma, unless the text ends with an opening bracket or nothing.
  static func separate(_ bytes: inout [UInt8]) {
    guard let last = bytes.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") else {
      return
    }
    bytes.append(UInt8(ascii: ","))
  }

  /// Appends a name of a member with its colon, after a comma if it is not the first.
  static func append(key: some Sequence<UInt8>, to bytes: inout [UInt8]) {
    separate(&bytes)
    append(text: key, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
  }

  /// Appends a member that is a text.
  static func append(key: String, _ text: some Sequence<UInt8>, to bytes: inout [UInt8]) {
    append(key: key.utf8, to: &bytes)
    append(text: text, to: &bytes)
  }

  /// Appends a member that is a number.
  static func append(key: String, _ number: Double, to bytes: inout [UInt8]) {
    append(key: key.utf8, to: &bytes)
    NumberText.append(number, to: &bytes)
  }

  /// Appends a list.
  static func append<Element>(
    list: some Sequence<Element>, to bytes: inout [UInt8],
    element: (Element, inout [UInt8]) -> Void
  ) {
    bytes.append(UInt8(ascii: "["))
    for item in list {
      separate(&bytes)
      element(item, &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Appends the value of an attribute.
  static func append(
    _ value: EventRecord.Value, _ record: EventRecord, to bytes: inout [UInt8]
  ) {
    switch value {
    case .number(let number): NumberText.append(number, to: &bytes)
    case .integer(let integer): NumberText.append(integer, to: &bytes)
    case .text(let slice): append(text: record.bytes[slice.range], to: &bytes)
    case .flag(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    }
  }

  /// Appends attributes as members: `outer.inner` as the member `inner` of an object `outer`.
  ///
  /// - Complexity: O(attributes) if those of one object follow each other.
  static func append(
    members attributes: some Sequence<EventRecord.Attribute>, of record: EventRecord,
    to bytes: inout [UInt8]
  ) {
    var order: [ArraySlice<UInt8>] = []
    var members: [ArraySlice<UInt8>: [EventRecord.Attribute]] = [:]
    for attribute in attributes {
      let name = record.bytes[attribute.name.range]
      guard let dot = name.firstIndex(of: UInt8(ascii: ".")) else {
        append(key: name, to: &bytes)
        append(attribute.value, record, to: &bytes)
        continue
      }
      if members[name[..<dot]] == nil { order.append(name[..<dot]) }
      members[name[..<dot], default: []].append(attribute)
    }
    for object in order {
      append(key: object, to: &bytes)
      bytes.append(UInt8(ascii: "{"))
      for attribute in members[object] ?? [] {
        append(key: record.bytes[attribute.name.range].dropFirst(object.count + 1), to: &bytes)
        append(attribute.value, record, to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }
}
