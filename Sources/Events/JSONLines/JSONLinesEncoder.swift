internal import Specifications

/// Writes events as JSON Lines: one JSON object per line, in UTF-8, with keys in a fixed order, without white space.
/// The grammar is that of ``JSONLinesDecoder``.
public enum JSONLinesEncoder {
  /// Appends one event as a line with its line feed.
  ///
  /// The record must have passed ``EventRecord/validate()``, and its texts must be UTF-8. A number that is not finite,
  /// which a valid event cannot have, is written as `null`.
  ///
  /// - Complexity: O(length of the line).
  public static func append(_ record: EventRecord, to output: inout [UInt8]) {
    for member in members[record.kind] { append(member, record, to: &output) }
    appendUnknown(record, to: &output)
    output.append(UInt8(ascii: "}"))
    output.append(UInt8(ascii: "\n"))
  }

  /// A member of the JSON object.
  private struct Member {
    /// The key with what is around it, such as `,"goal":`.
    let key: [UInt8]
    let content: EventFieldRow.Content

    init(_ row: EventFieldRow) {
      key = Array("\(row.content == .kind ? "{" : ",")\"\(row.name)\":".utf8)
      content = row.content
    }
  }

  private static let members = KindTable { $0.fieldRows.map(Member.init) }

  private static func append(_ member: Member, _ record: EventRecord, to output: inout [UInt8]) {
    switch member.content {
    case .kind:
      output.append(contentsOf: member.key)
      append(quoted: record.kind.name, to: &output)
    case .time:
      output.append(contentsOf: member.key)
      output.append(UInt8(ascii: "\""))
      record.time.write(to: &output)
      output.append(UInt8(ascii: "\""))
    case .name(let field), .text(let field):
      guard record[field].isPresent else { return }
      output.append(contentsOf: member.key)
      append(text: record.bytes.span.extracting(record[field].range), to: &output)
    case .json(let field):
      guard record[field].isPresent else { return }
      output.append(contentsOf: member.key)
      append(raw: record.bytes.span.extracting(record[field].range), to: &output)
    case .number(let field):
      guard let number = record[field] else { return }
      output.append(contentsOf: member.key)
      append(number, to: &output)
    default: appendOther(member, record, to: &output)
    }
  }

  private static func appendOther(
    _ member: Member, _ record: EventRecord, to output: inout [UInt8]
  ) {
    switch member.content {
    case .flag:
      guard let negative = record.negative else { return }
      output.append(contentsOf: member.key)
      append(negative, to: &output)
    case .status:
      guard let status = record.status else { return }
      output.append(contentsOf: member.key)
      append(quoted: status.name, to: &output)
    case .texts(let field):
      guard let texts = record[field] else { return }
      output.append(contentsOf: member.key)
      append(list: texts, to: &output) { slice, output in
        append(text: record.bytes.span.extracting(slice.range), to: &output)
      }
    case .probabilities:
      guard record.hasProbabilities else { return }
      output.append(contentsOf: member.key)
      append(list: record.probabilities, to: &output) { append($0, to: &$1) }
    case .attributes(let field):
      guard let attributes = record[field] else { return }
      output.append(contentsOf: member.key)
      append(attributes[...], record, to: &output)
    case .features:
      guard record.hasFeatures else { return }
      output.append(contentsOf: member.key)
      appendFeatures(record, to: &output)
    case .value:
      guard let value = record.dataValue else { return }
      output.append(contentsOf: member.key)
      append(value, record, to: &output)
    case .kind, .time, .name, .text, .json, .number: break
    }
  }

  private static func appendFeatures(_ record: EventRecord, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "{"))
    var next = 0
    for (index, group) in record.featureGroups.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      append(text: record.bytes.span.extracting(group.variant.range), to: &output)
      output.append(UInt8(ascii: ":"))
      append(record.features[next..<next + group.count], record, to: &output)
      next += group.count
    }
    output.append(UInt8(ascii: "}"))
  }

  private static func appendUnknown(_ record: EventRecord, to output: inout [UInt8]) {
    guard record[.unknown].count > 0 else { return }
    output.append(UInt8(ascii: ","))
    append(raw: record.bytes.span.extracting(record[.unknown].range), to: &output)
  }
}

extension JSONLinesEncoder {
  /// Appends a text that needs no escapes, in quotes.
  private static func append(quoted text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    output.append(contentsOf: text.utf8)
    output.append(UInt8(ascii: "\""))
  }

  /// Appends a text constant as it is.
  @inline(__always)
  private static func append(_ text: StaticString, to output: inout [UInt8]) {
    // Safety: the buffer, which lives as long as the program, is used only within the closure.
    text.withUTF8Buffer { unsafe output.append(contentsOf: $0) }
  }

  @inline(__always)
  private static func append(_ flag: Bool, to output: inout [UInt8]) {
    append(flag ? "true" : "false" as StaticString, to: &output)
  }

  private static func append<Element>(
    list elements: [Element], to output: inout [UInt8], element: (Element, inout [UInt8]) -> Void
  ) {
    output.append(UInt8(ascii: "["))
    for index in elements.indices {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      element(elements[index], &output)
    }
    output.append(UInt8(ascii: "]"))
  }

  private static func append(
    _ attributes: ArraySlice<EventRecord.Attribute>, _ record: EventRecord,
    to output: inout [UInt8]
  ) {
    output.append(UInt8(ascii: "{"))
    for index in attributes.indices {
      if index > attributes.startIndex { output.append(UInt8(ascii: ",")) }
      append(text: record.bytes.span.extracting(attributes[index].name.range), to: &output)
      output.append(UInt8(ascii: ":"))
      append(attributes[index].value, record, to: &output)
    }
    output.append(UInt8(ascii: "}"))
  }

  private static func append(
    _ value: EventRecord.Value, _ record: EventRecord, to output: inout [UInt8]
  ) {
    switch value {
    case .number(let number): append(number, to: &output)
    case .integer(let integer): NumberText.append(integer, to: &output)
    case .text(let slice): append(text: record.bytes.span.extracting(slice.range), to: &output)
    case .flag(let flag): append(flag, to: &output)
    }
  }

  private static func append(_ number: Double, to output: inout [UInt8]) {
    if number.isFinite {
      NumberText.append(number, to: &output)
    } else {
      append("null", to: &output)
    }
  }
}
