extension JSONLinesDecoder {
  /// Parses the value of a field of the record's kind.
  @inline(__always)
  func read(
    _ field: JSONLineField, _ progress: inout Progress, _ line: Span<UInt8>,
    _ record: inout EventRecord
  ) throws(JSONLineError) {
    if progress.scanner.peek(line) == UInt8(ascii: "n"), field != .configuration {
      return try progress.scanner.literal("null", line)
    }
    if let text = field.identifier {
      record[text] = try identifier(field, &progress.scanner, line, &record.bytes)
    } else {
      try readOther(field, &progress, line, &record)
    }
  }

  /// Parses the value of a field that is not an identifier.
  private func readOther(
    _ field: JSONLineField, _ progress: inout Progress, _ line: Span<UInt8>,
    _ record: inout EventRecord
  ) throws(JSONLineError) {
    switch field {
    case .time:
      record.time = try time(&progress.scanner, line)
      progress.hasTime = true
    case .reason:
      record[.reason] = try text(field, &progress.scanner, line, &record.bytes)
    case .kind:
      record[.dataKind] = try text(field, &progress.scanner, line, &record.bytes)
    case .system:
      record[.system] = try text(field, &progress.scanner, line, &record.bytes)
    case .status: record.status = try status(&progress.scanner, line)
    case .propensity: record.propensity = try number(field, &progress.scanner, line)
    case .revenue: record.revenue = try number(field, &progress.scanner, line)
    case .value where record.kind == .goal:
      record.value = try reward(&progress.scanner, line)
    case .value:
      record.dataValue = try attributeValue(
        "\"value\"", &progress.scanner, line, &record.bytes)
    case .negative: record.negative = try flag(field, &progress.scanner, line)
    case .configuration:
      let start = progress.scanner.position
      let end = try progress.scanner.skipValue(line)
      record[.configuration] = EventRecord.Slice(start: start, count: end - start)
      record.flatten(start..<end)
    default: try readCollection(field, &progress.scanner, line, &record)
    }
  }

  private func readCollection(
    _ field: JSONLineField, _ scanner: inout JSONScanner, _ line: Span<UInt8>,
    _ record: inout EventRecord
  ) throws(JSONLineError) {
    // The flag is set first, because it is what resets the list after an error halfway.
    switch field {
    case .choices:
      record.hasChoices = true
      try list(field, &scanner, line) { (scanner, line) throws(JSONLineError) in
        record.choices.append(try identifier(field, &scanner, line, &record.bytes))
      }
    case .probabilities:
      record.hasProbabilities = true
      try list(field, &scanner, line) { (scanner, line) throws(JSONLineError) in
        record.probabilities.append(try number(field, &scanner, line))
      }
    case .changed:
      record.hasChanged = true
      try list(field, &scanner, line) { (scanner, line) throws(JSONLineError) in
        record.changed.append(try text(field, &scanner, line, &record.bytes))
      }
    case .context:
      record.hasContext = true
      try attributes(field, &scanner, line, &record.bytes, into: &record.context)
    case .metadata:
      record.hasMetadata = true
      try attributes(field, &scanner, line, &record.bytes, into: &record.metadata)
    case .features:
      record.hasFeatures = true
      try features(&scanner, line, &record)
    default: _ = try scanner.skipValue(line)
    }
  }

  /// Parses a list, each element by `element`.
  @inline(__always)
  private func list(
    _ field: JSONLineField, _ scanner: inout JSONScanner, _ line: Span<UInt8>,
    element: (inout JSONScanner, Span<UInt8>) throws(JSONLineError) -> Void
  ) throws(JSONLineError) {
    guard scanner.skip("[", line) else {
      throw .expected("a list for \"\(field.name)\"", at: scanner.position, in: line)
    }
    guard !scanner.skip("]", line) else { return }
    repeat {
      scanner.skipSpace(line)
      try element(&scanner, line)
    } while try scanner.another(before: "]", line)
  }

  /// Returns the slice of a text in the record's bytes: in the copy of the line or, if it has escapes, after it.
  @inline(__always)
  func slice(_ string: JSONString, _ line: Span<UInt8>, _ bytes: inout [UInt8])
    -> EventRecord.Slice
  {
    guard string.hasEscapes else {
      return EventRecord.Slice(start: string.start, count: string.count)
    }
    let start = bytes.count
    JSONScanner.unescape(string, line, into: &bytes)
    return EventRecord.Slice(start: start, count: bytes.count - start)
  }

  /// Parses a name: a text, or an integer whose digits are kept.
  @inline(__always)
  private func identifier(
    _ field: JSONLineField, _ scanner: inout JSONScanner, _ line: Span<UInt8>,
    _ bytes: inout [UInt8]
  ) throws(JSONLineError) -> EventRecord.Slice {
    if scanner.peek(line) == UInt8(ascii: "\"") {
      return slice(try scanner.string(line), line, &bytes)
    }
    return try numericIdentifier(field, &scanner, line)
  }

  @inline(never)
  private func numericIdentifier(
    _ field: JSONLineField, _ scanner: inout JSONScanner, _ line: Span<UInt8>
  ) throws(JSONLineError) -> EventRecord.Slice {
    let start = scanner.position
    guard JSONScanner.beginsNumber(scanner.peek(line)) else {
      throw .expected(
        "a text in double quotes or a whole number for \"\(field.name)\"", at: start, in: line)
    }
    let number = try scanner.number(line)
    guard number.isInteger else {
      throw JSONLineError(
        offset: start,
        reason: "\"\(field.name)\" must be a text or a whole number; put it in double quotes")
    }
    return EventRecord.Slice(start: number.start, count: number.end - number.start)
  }

  private func text(
    _ field: JSONLineField, _ scanner: inout JSONScanner, _ line: Span<UInt8>,
    _ bytes: inout [UInt8]
  ) throws(JSONLineError) -> EventRecord.Slice {
    guard scanner.peek(line) == UInt8(ascii: "\"") else {
      throw .expected(
        "a text in double quotes for \"\(field.name)\"", at: scanner.position, in: line)
    }
    return slice(try scanner.string(line), line, &bytes)
  }

  @inline(__always)
  private func number(_ field: JSONLineField, _ scanner: inout JSONScanner, _ line: Span<UInt8>)
    throws(JSONLineError) -> Double
  {
    guard JSONScanner.beginsNumber(scanner.peek(line)) else {
      throw .expected("a number for \"\(field.name)\"", at: scanner.position, in: line)
    }
    let number = try scanner.number(line)
    guard let value = number.double(line) else {
      throw JSONLineError(
        offset: number.start,
        reason: "\"\(field.name)\" is too large for a number, which is at most 1.8e308")
    }
    return value
  }

  /// Parses the value of a goal: a number, or `true` and `false`, which are 1 and 0.
  @inline(__always)
  private func reward(_ scanner: inout JSONScanner, _ line: Span<UInt8>) throws(JSONLineError)
    -> Double
  {
    let byte = scanner.peek(line)
    guard byte == UInt8(ascii: "t") || byte == UInt8(ascii: "f") else {
      return try number(.value, &scanner, line)
    }
    return try flag(.value, &scanner, line) ? 1 : 0
  }

  private func flag(_ field: JSONLineField, _ scanner: inout JSONScanner, _ line: Span<UInt8>)
    throws(JSONLineError) -> Bool
  {
    switch scanner.peek(line) {
    case UInt8(ascii: "t"):
      try scanner.literal("true", line)
      return true
    case UInt8(ascii: "f"):
      try scanner.literal("false", line)
      return false
    default:
      throw .expected(
        "true or false for \"\(field.name)\"", at: scanner.position, in: line)
    }
  }

  private func status(_ scanner: inout JSONScanner, _ line: Span<UInt8>) throws(JSONLineError)
    -> EventStatus
  {
    let start = scanner.position
    var found: EventStatus?
    if scanner.peek(line) == UInt8(ascii: "\"") {
      let name = try scanner.string(line)
      var bytes: [UInt8] = []
      if name.hasEscapes { JSONScanner.unescape(name, line, into: &bytes) }
      found =
        name.hasEscapes
        ? statuses.value(at: 0, count: bytes.count, in: bytes.span)
        : statuses.value(at: name.start, count: name.count, in: line)
    }
    guard let found else {
      let known = EventStatus.allCases.map(\.name).joined(separator: ", ")
      throw JSONLineError(offset: start, reason: "\"status\" must be one of \(known)")
    }
    return found
  }

  private func time(_ scanner: inout JSONScanner, _ line: Span<UInt8>) throws(JSONLineError)
    -> Timestamp
  {
    let start = scanner.position
    var found: Timestamp?
    if scanner.peek(line) == UInt8(ascii: "\"") {
      let text = try scanner.string(line)
      if text.hasEscapes {
        var bytes: [UInt8] = []
        JSONScanner.unescape(text, line, into: &bytes)
        found = Timestamp(iso8601: bytes.span)
      } else {
        found = Timestamp(iso8601: line.extracting(text.start..<text.end))
      }
    } else if JSONScanner.beginsNumber(scanner.peek(line)) {
      let number = try scanner.number(line)
      if let integer = number.integer {
        found = Timestamp(sinceEpoch: integer)
      } else {
        found = number.double(line).flatMap { Timestamp(sinceEpoch: $0) }
      }
    }
    guard let found else {
      throw JSONLineError(
        offset: start,
        reason: "\"time\" must be ISO 8601 with an offset, such as 2026-01-02T03:04:05Z, or a "
          + "number since 1970, in the years 0001 to 9999")
    }
    return found
  }
}

extension JSONScanner {
  /// Returns whether a number begins with the byte.
  @inline(__always)
  static func beginsNumber(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") < 10
  }

  /// Returns whether a text, `null` or, where numbers may be names, an integer comes next.
  func isAtName(orNumber: Bool, _ line: Span<UInt8>) -> Bool {
    switch peek(line) {
    case UInt8(ascii: "\""), UInt8(ascii: "n"): return true
    case let byte where orNumber && Self.beginsNumber(byte):
      var ahead = self
      return (try? ahead.number(line))?.isInteger ?? false
    default: return false
    }
  }
}

extension JSONLineError {
  /// Returns an error for a number beyond the range of a Double.
  @inline(never)
  static func tooLarge(_ what: String, at offset: Int) -> JSONLineError {
    JSONLineError(
      offset: offset, reason: "\(what) is too large for a number; write it as a text")
  }
}

extension JSONLineField {
  /// The text field of the record for an identifier; nil for any other field.
  @inline(__always)
  var identifier: EventRecord.TextField? {
    switch self {
    case .id: .id
    case .unit: .unit
    case .experiment: .experiment
    case .point: .point
    case .slot: .slot
    case .variant: .variant
    case .policy: .policy
    case .goal: .goal
    case .key: .key
    case .instance: .instance
    default: nil
    }
  }
}
