extension JSONLinesDecoder {
  /// Parses an object of numbers, texts and truth values with unique names.
  @inline(__always)
  func attributes(
    _ field: JSONLineField, _ scanner: inout JSONScanner, _ line: Span<UInt8>,
    _ bytes: inout [UInt8], into list: inout [EventRecord.Attribute]
  ) throws(JSONLineError) {
    guard scanner.skip("{", line) else {
      throw .expected(
        "an object of numbers, texts and truth values in \"\(field.name)\"",
        at: scanner.position, in: line)
    }
    guard !scanner.skip("}", line) else { return }
    var names = DistinctNames(first: list.count)
    repeat {
      let key = try scanner.key(line)
      let name = slice(key, line, &bytes)
      guard names.isNew(name, at: key.start - 1, in: list, bytes) else {
        throw .repeatedName(name, at: key.start - 1, in: bytes)
      }
      let value: EventRecord.Value
      if scanner.peek(line) == UInt8(ascii: "\"") {
        value = .text(slice(try scanner.string(line), line, &bytes))
      } else {
        value = try scalar(name, &scanner, line, bytes)
      }
      list.append(EventRecord.Attribute(name: name, value: value))
    } while try scanner.another(before: "}", line)
    try names.finish(list, bytes)
  }

  /// Parses the attributes of each choice.
  func features(
    _ scanner: inout JSONScanner, _ line: Span<UInt8>, _ record: inout EventRecord
  ) throws(JSONLineError) {
    guard scanner.skip("{", line) else {
      throw .expected(
        "an object with an object for each choice in \"features\"", at: scanner.position, in: line)
    }
    guard !scanner.skip("}", line) else { return }
    var names = DistinctNames(first: 0)
    repeat {
      let key = try scanner.key(line)
      let variant = slice(key, line, &record.bytes)
      guard names.isNew(variant, at: key.start - 1, in: record.featureGroups, record.bytes) else {
        throw .repeatedName(variant, at: key.start - 1, in: record.bytes)
      }
      let first = record.features.count
      try attributes(.features, &scanner, line, &record.bytes, into: &record.features)
      record.featureGroups.append(
        EventRecord.FeatureGroup(variant: variant, count: record.features.count - first))
    } while try scanner.another(before: "}", line)
    try names.finish(record.featureGroups, record.bytes)
  }

  /// Parses a number, a text or a truth value, described as `what` in errors.
  func attributeValue(
    _ what: String, _ scanner: inout JSONScanner, _ line: Span<UInt8>, _ bytes: inout [UInt8]
  ) throws(JSONLineError) -> EventRecord.Value {
    if scanner.peek(line) == UInt8(ascii: "\"") {
      return .text(slice(try scanner.string(line), line, &bytes))
    }
    return try scalar(&scanner, line) { what }
  }

  @inline(__always)
  private func scalar(
    _ name: EventRecord.Slice, _ scanner: inout JSONScanner, _ line: Span<UInt8>, _ bytes: [UInt8]
  ) throws(JSONLineError) -> EventRecord.Value {
    try scalar(&scanner, line) { "attribute " + JSONLineError.quoted(name, in: bytes) }
  }

  @inline(__always)
  private func scalar(
    _ scanner: inout JSONScanner, _ line: Span<UInt8>, what: () -> String
  ) throws(JSONLineError) -> EventRecord.Value {
    switch scanner.peek(line) {
    case UInt8(ascii: "t"):
      try scanner.literal("true", line)
      return .flag(true)
    case UInt8(ascii: "f"):
      try scanner.literal("false", line)
      return .flag(false)
    case let byte where JSONScanner.beginsNumber(byte): break
    default:
      throw .expected(
        "a number, a text in double quotes, true or false for \(what())", at: scanner.position,
        in: line)
    }
    let number = try scanner.number(line)
    if number.significand > 1 << 53, let integer = number.integer { return .integer(integer) }
    // An integer that is rounded would be the same as others.
    guard let value = number.double(line), number.digits <= 15 || !number.isInteger || number.isExact(value, line)
    else {
      throw .tooLarge(what(), at: number.start)
    }
    return .number(value)
  }
}

/// An element with a name in a list of distinct names.
private protocol Named {
  var name: EventRecord.Slice { get }
}

extension EventRecord.Attribute: Named {}

extension EventRecord.FeatureGroup: Named {
  fileprivate var name: EventRecord.Slice { variant }
}

/// Detects duplicate names: the usual few by comparison as they are read, many at the end by hashing, so that no line
/// takes quadratic time.
private struct DistinctNames {
  static let few = 24

  /// The index of the first name in its list.
  let first: Int
  /// The offsets in the line of the names beyond the first few.
  private var laterOffsets: [Int] = []

  init(first: Int) { self.first = first }

  /// Checks a name that is about to be appended to the list; returns false if it is one of the first few.
  @inline(__always)
  mutating func isNew(
    _ name: EventRecord.Slice, at offset: Int, in list: [some Named], _ bytes: [UInt8]
  ) -> Bool {
    if list.count - first >= Self.few { laterOffsets.append(offset) }
    for index in first..<min(list.count, first + Self.few) {
      let other = list[index].name
      if other.count == name.count, Self.areEqual(other, name, bytes) { return false }
    }
    return true
  }

  @inline(__always)
  private static func areEqual(_ a: EventRecord.Slice, _ b: EventRecord.Slice, _ bytes: [UInt8])
    -> Bool
  {
    var (left, right) = (Int(a.start), Int(b.start))
    for _ in 0..<Int(a.count) {
      guard bytes[left] == bytes[right] else { return false }
      left &+= 1
      right &+= 1
    }
    return true
  }

  /// Checks the names beyond the first few for duplicates among themselves.
  @inline(__always)
  func finish(_ list: [some Named], _ bytes: [UInt8]) throws(JSONLineError) {
    if !laterOffsets.isEmpty { try compareLater(list, bytes) }
  }

  @inline(never)
  private func compareLater(_ list: [some Named], _ bytes: [UInt8]) throws(JSONLineError) {
    var seen = Set<ArraySlice<UInt8>>()
    for (offset, element) in zip(laterOffsets, list[(first + Self.few)...]) {
      guard seen.insert(bytes[element.name.range]).inserted else {
        throw .repeatedName(element.name, at: offset, in: bytes)
      }
    }
  }
}

extension JSONLineError {
  @inline(never)
  fileprivate static func repeatedName(
    _ name: EventRecord.Slice, at offset: Int, in bytes: [UInt8]
  ) -> JSONLineError {
    JSONLineError(
      offset: offset, reason: "\(quoted(name, in: bytes)) occurs twice; keep one of them")
  }

  /// Returns a name in double quotes, as JSON, so that it stays on one line.
  fileprivate static func quoted(_ name: EventRecord.Slice, in bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    JSONLinesEncoder.append(text: bytes.span.extracting(name.range), to: &text)
    return String(decoding: text, as: UTF8.self)
  }
}
