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
    append("{\"type\":\"", to: &output)
    output.append(contentsOf: record.kind.name.utf8)
    output.append(UInt8(ascii: "\""))
    append("id", record, .id, to: &output)
    appendKey("time", to: &output)
    output.append(UInt8(ascii: "\""))
    record.time.write(to: &output)
    output.append(UInt8(ascii: "\""))
    append("unit", record, .unit, to: &output)
    append("system", record, .system, to: &output)
    append("instance", record, .instance, to: &output)
    appendPayload(record, to: &output)
    appendUnknown(record, to: &output)
    output.append(UInt8(ascii: "}"))
    output.append(UInt8(ascii: "\n"))
  }

  private static func appendPayload(_ record: EventRecord, to output: inout [UInt8]) {
    switch record.kind {
    case .decision: appendDecision(record, to: &output)
    case .goal: appendGoal(record, to: &output)
    case .conversion:
      append("goal", record, .goal, to: &output)
      append("revenue", record.revenue, to: &output)
      append("negative", record.negative, to: &output)
      if record.hasMetadata { append("metadata", record.metadata[...], record, to: &output) }
    case .dataPoint:
      append("kind", record, .dataKind, to: &output)
      append("key", record, .key, to: &output)
      if let value = record.dataValue {
        appendKey("value", to: &output)
        append(value, record, to: &output)
      }
    case .sessionExpired, .assignmentRemoved:
      append("experiment", record, .experiment, to: &output)
      append("reason", record, .reason, to: &output)
    case .decisionConfirmed:
      append("experiment", record, .experiment, to: &output)
      append("point", record, .point, to: &output)
      append("slot", record, .slot, to: &output)
    case .configurationApplied: appendConfiguration(record, to: &output)
    }
  }

  private static func appendDecision(_ record: EventRecord, to output: inout [UInt8]) {
    append("experiment", record, .experiment, to: &output)
    append("point", record, .point, to: &output)
    append("slot", record, .slot, to: &output)
    append("variant", record, .variant, to: &output)
    if record.hasChoices { append("choices", record.choices, record, to: &output) }
    append("propensity", record.propensity, to: &output)
    if record.hasProbabilities {
      appendList("probabilities", record.probabilities, to: &output) { number, output in
        append(number, to: &output)
      }
    }
    append("policy", record, .policy, to: &output)
    append("reason", record, .reason, to: &output)
    append("status", record.status, to: &output)
    if record.hasContext { append("context", record.context[...], record, to: &output) }
    if record.hasFeatures { appendFeatures(record, to: &output) }
  }

  private static func appendGoal(_ record: EventRecord, to output: inout [UInt8]) {
    append("experiment", record, .experiment, to: &output)
    append("point", record, .point, to: &output)
    append("slot", record, .slot, to: &output)
    append("goal", record, .goal, to: &output)
    append("value", record.value, to: &output)
    append("status", record.status, to: &output)
    append("reason", record, .reason, to: &output)
    if record.hasMetadata { append("metadata", record.metadata[...], record, to: &output) }
  }

  private static func appendConfiguration(_ record: EventRecord, to output: inout [UInt8]) {
    append("experiment", record, .experiment, to: &output)
    append("reason", record, .reason, to: &output)
    if record.hasChanged { append("changed", record.changed, record, to: &output) }
    if record[.configuration].isPresent {
      appendKey("configuration", to: &output)
      append(raw: record.bytes.span.extracting(record[.configuration].range), to: &output)
    }
  }

  private static func appendFeatures(_ record: EventRecord, to output: inout [UInt8]) {
    appendKey("features", to: &output)
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
  /// Appends a comma and a key, which is never the first one, with its colon.
  @inline(__always)
  private static func appendKey(_ key: StaticString, to output: inout [UInt8]) {
    output.append(UInt8(ascii: ","))
    output.append(UInt8(ascii: "\""))
    append(key, to: &output)
    output.append(UInt8(ascii: "\""))
    output.append(UInt8(ascii: ":"))
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

  private static func append(
    _ key: StaticString, _ record: EventRecord, _ field: EventRecord.TextField,
    to output: inout [UInt8]
  ) {
    guard record[field].isPresent else { return }
    appendKey(key, to: &output)
    append(text: record.bytes.span.extracting(record[field].range), to: &output)
  }

  private static func append(_ key: StaticString, _ number: Double?, to output: inout [UInt8]) {
    guard let number else { return }
    appendKey(key, to: &output)
    append(number, to: &output)
  }

  private static func append(_ key: StaticString, _ flag: Bool?, to output: inout [UInt8]) {
    guard let flag else { return }
    appendKey(key, to: &output)
    append(flag, to: &output)
  }

  private static func append(_ key: StaticString, _ status: EventStatus?, to output: inout [UInt8]) {
    guard let status else { return }
    appendKey(key, to: &output)
    output.append(UInt8(ascii: "\""))
    output.append(contentsOf: status.name.utf8)
    output.append(UInt8(ascii: "\""))
  }

  private static func append(
    _ key: StaticString, _ texts: [EventRecord.Slice], _ record: EventRecord,
    to output: inout [UInt8]
  ) {
    appendList(key, texts, to: &output) { slice, output in
      append(text: record.bytes.span.extracting(slice.range), to: &output)
    }
  }

  private static func appendList<Element>(
    _ key: StaticString, _ elements: [Element], to output: inout [UInt8],
    element: (Element, inout [UInt8]) -> Void
  ) {
    appendKey(key, to: &output)
    output.append(UInt8(ascii: "["))
    for index in elements.indices {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      element(elements[index], &output)
    }
    output.append(UInt8(ascii: "]"))
  }

  private static func append(
    _ key: StaticString, _ attributes: ArraySlice<EventRecord.Attribute>, _ record: EventRecord,
    to output: inout [UInt8]
  ) {
    appendKey(key, to: &output)
    append(attributes, record, to: &output)
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
