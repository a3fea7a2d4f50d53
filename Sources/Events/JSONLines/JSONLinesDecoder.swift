/// Parses events from JSON Lines: one JSON object (RFC 8259) per line, in UTF-8.
///
/// The grammar of a line, whose keys may come in any order:
///
///     event   = "{" "type":KIND , "time":TIME , "unit":ID , member ... "}"
///     KIND    = "decision" | "goal" | "conversion" | "dataPoint" | "sessionExpired" | ...
///     member  = "id":ID | "system":TEXT | "instance":ID | a field of the kind | any other key
///     TIME    = ISO 8601 text with offset | number since 1970 (s, ms, µs or ns, by magnitude)
///     ID      = text | whole number, whose digits are kept as text
///
/// A key that this version does not know, or that is not a field of the kind, is preserved without interpretation as
/// ``EventRecord/TextField/unknown``. A known key whose value is `null` counts as absent, except that the
/// configuration `null` means that it was removed. No known key may occur twice.
///
/// `system` and `instance` of an event, and `point` and `slot` of a goal, did not exist in older versions: an invalid
/// value of these is preserved without interpretation too, as it was then.
///
/// A decoder owns scratch memory and nothing else: use one for many lines, and one per thread.
public struct JSONLinesDecoder: Sendable {
  /// The maximum length of a line, in bytes, whose texts a record can address even if every one is escaped.
  static let longestLine = 1 << 30 - 1

  /// A kind of event and its fields.
  struct Kind: Sendable {
    var kind: EventKind
    var fields: JSONLineField.Set
    var laterFields: JSONLineField.Set

    /// Creates the description of a kind.
    init(_ kind: EventKind) {
      (self.kind, fields, laterFields) = (kind, kind.fields, kind.laterFields)
    }
  }

  /// A skipped member: its key from the opening quote on, and its value.
  struct Member: Sendable {
    var field: JSONLineField?
    var start: Int
    var value: Int
    var end: Int
  }

  /// The state of parsing a line.
  struct Progress {
    var scanner = JSONScanner()
    var seen = JSONLineField.Set()
    var kind: Kind?
    var hasTime = false
    /// The place in the line, by the keys before it.
    var place = KeyPredictions.start
  }

  let fields = KeywordTable(JSONLineField.allCases.map { ($0.name, $0) })
  let kinds = KeywordTable(
    EventKind.allCases.map { ($0.name, Kind($0)) })
  let statuses = KeywordTable(EventStatus.allCases.map { ($0.name, $0) })
  /// The members that precede the type.
  private var pending: [Member] = []
  /// The members that are preserved without interpretation.
  private var carried: [Range<Int>] = []
  private var predictions = KeyPredictions()

  /// Creates a decoder.
  public init() {}

  /// Parses one line, with or without its line terminator, into a record, whose former content is lost.
  ///
  /// After an error the record holds parts of the line and must not be used before it is filled again.
  ///
  /// - Throws: ``JSONLineError`` if the line is not a JSON object, or not an event.
  /// - Complexity: O(length of the line), and one more pass over the members that precede `type`. Allocates nothing
  ///   once the buffers of decoder and record have grown.
  public mutating func decode(_ line: Span<UInt8>, into record: inout EventRecord)
    throws(JSONLineError)
  {
    guard line.count <= Self.longestLine else {
      throw JSONLineError(
        offset: Self.longestLine, reason: "the line is longer than 1 GiB; split the file into lines"
      )
    }
    start(line, &record)
    var progress = Progress()
    try progress.scanner.expect("{", "'{', which begins an event", line)
    let opening = progress.scanner.position - 1
    try members(&progress, line, &record)
    progress.scanner.skipSpace(line)
    guard progress.scanner.position == line.count else {
      throw .expected("the end of the line after '}'", at: progress.scanner.position, in: line)
    }
    try finish(progress, at: opening, line, &record)
  }

  /// Empties the record and copies the whole line into it: texts without escapes are slices of the copy, which is much
  /// cheaper than copying each of them.
  private mutating func start(_ line: Span<UInt8>, _ record: inout EventRecord) {
    record.reset(kind: .decision, time: Timestamp(microseconds: 0))
    record.bytes.append(line)
    if !pending.isEmpty { pending.removeAll(keepingCapacity: true) }
    if !carried.isEmpty { carried.removeAll(keepingCapacity: true) }
  }

  /// Parses all members and the closing brace.
  private mutating func members(
    _ progress: inout Progress, _ line: Span<UInt8>, _ record: inout EventRecord
  ) throws(JSONLineError) {
    while true {
      let start = progress.scanner.position
      if let entry = predictions.match(progress.place, at: start, line) {
        try predictedMember(entry, &progress, line, &record)
      } else if progress.place == KeyPredictions.start
        ? progress.scanner.skip("}", line) : try !progress.scanner.another(before: "}", line)
      {
        return
      } else {
        try member(from: start, &progress, line, &record)
      }
    }
  }

  /// Parses a member whose key is predicted.
  @inline(__always)
  private mutating func predictedMember(
    _ index: Int, _ progress: inout Progress, _ line: Span<UInt8>, _ record: inout EventRecord
  ) throws(JSONLineError) {
    let start = progress.scanner.position
    progress.scanner.position = start &+ predictions[index].count
    progress.place = predictions[index].place
    if let field = predictions[index].field { progress.seen.insert(field) }
    if let kind = predictions[index].kind {
      progress.kind = kind
      record.kind = kind.kind
    } else if let kind = progress.kind {
      progress.scanner.skipSpace(line)
      try value(
        of: predictions[index].field, kind, keyAt: start &+ predictions[index].quote, &progress,
        line, &record)
    }
  }

  /// Parses one member, which follows `from` after white space and perhaps a comma.
  private mutating func member(
    from: Int, _ progress: inout Progress, _ line: Span<UInt8>, _ record: inout EventRecord
  ) throws(JSONLineError) {
    let key = try progress.scanner.key(line)
    let field = field(key, line)
    if let field {
      guard !progress.seen.contains(field) else {
        throw JSONLineError(
          offset: key.start - 1, reason: "\"\(field.name)\" occurs twice; keep one of them")
      }
      progress.seen.insert(field)
    }
    guard let kind = progress.kind else {
      try memberBeforeType(key, field, &progress, line, &record)
      let isFirst = progress.place == KeyPredictions.start && field == .type
      progress.place =
        isFirst
        ? predictions.add(
          from..<progress.scanner.position, quote: key.start - 1, field, progress.kind,
          at: progress.place, line) : KeyPredictions.unknown
      return
    }
    progress.place = predictions.add(
      from..<progress.scanner.position, quote: key.start - 1, field, at: progress.place, line)
    try value(of: field, kind, keyAt: key.start - 1, &progress, line, &record)
  }

  /// Parses the value of a member, or preserves the member without interpretation.
  @inline(__always)
  private mutating func value(
    of field: JSONLineField?, _ kind: Kind, keyAt start: Int, _ progress: inout Progress,
    _ line: Span<UInt8>, _ record: inout EventRecord
  ) throws(JSONLineError) {
    if let field, reads(field, of: kind, progress.scanner, line) {
      return try read(field, &progress, line, &record)
    }
    let end = try progress.scanner.skipValue(line)
    carried.append(start..<end)
  }

  /// Returns whether the next value is parsed as that of a field of the kind.
  @inline(__always)
  private func reads(
    _ field: JSONLineField, of kind: Kind, _ scanner: JSONScanner, _ line: Span<UInt8>
  ) -> Bool {
    guard kind.fields.contains(field) else { return false }
    return !kind.laterFields.contains(field) || scanner.isAtName(orNumber: field != .system, line)
  }

  @inline(__always)
  private func field(_ key: JSONString, _ line: Span<UInt8>) -> JSONLineField? {
    if key.hasEscapes {
      var name: [UInt8] = []
      JSONScanner.unescape(key, line, into: &name)
      return fields.value(at: 0, count: name.count, in: name.span)
    }
    return fields.value(at: key.start, count: key.count, in: line)
  }

  /// Parses the type, or puts a member aside until the type is known.
  private mutating func memberBeforeType(
    _ key: JSONString, _ field: JSONLineField?, _ progress: inout Progress, _ line: Span<UInt8>,
    _ record: inout EventRecord
  ) throws(JSONLineError) {
    guard field == .type else {
      let value = progress.scanner.position
      let end = try progress.scanner.skipValue(line)
      pending.append(Member(field: field, start: key.start - 1, value: value, end: end))
      return
    }
    let kind = try readType(&progress.scanner, line)
    progress.kind = kind
    record.kind = kind.kind
    let resume = progress.scanner.position
    for member in pending {
      progress.scanner.position = member.value
      if let field = member.field, reads(field, of: kind, progress.scanner, line) {
        try read(field, &progress, line, &record)
      } else {
        carried.append(member.start..<member.end)
      }
    }
    progress.scanner.position = resume
  }

  private func readType(_ scanner: inout JSONScanner, _ line: Span<UInt8>) throws(JSONLineError)
    -> Kind
  {
    let start = scanner.position
    var found: Kind?
    if scanner.peek(line) == UInt8(ascii: "\"") {
      let name = try scanner.string(line)
      if name.hasEscapes {
        var bytes: [UInt8] = []
        JSONScanner.unescape(name, line, into: &bytes)
        found = kinds.value(at: 0, count: bytes.count, in: bytes.span)
      } else {
        found = kinds.value(at: name.start, count: name.count, in: line)
      }
    } else {
      _ = try scanner.skipValue(line)
    }
    guard let found else {
      let known = EventKind.allCases.map(\.name).joined(separator: ", ")
      throw JSONLineError(offset: start, reason: "unknown \"type\"; it must be one of \(known)")
    }
    return found
  }

  /// Checks what can only be checked at the end.
  @inline(__always)
  private func finish(
    _ progress: Progress, at opening: Int, _ line: Span<UInt8>, _ record: inout EventRecord
  ) throws(JSONLineError) {
    guard progress.kind != nil else {
      let known = EventKind.allCases.map(\.name).joined(separator: ", ")
      throw JSONLineError(
        offset: opening, reason: "an event must have \"type\", which is one of \(known)")
    }
    guard progress.hasTime else {
      throw JSONLineError(
        offset: opening, reason: "a \(record.kind.name) must have \"time\"")
    }
    if !carried.isEmpty {
      record[.unknown] = joinCarried(line, &record.bytes)
      record.flatten(record[.unknown].range)
    }
    do throws(EventProblem) {
      try record.validateFields()
    } catch {
      var problem = JSONLineError(offset: opening, reason: error.description)
      problem.lacksUnit = error.lacksUnit
      throw problem
    }
  }

  /// Joins the preserved members with commas.
  private func joinCarried(_ line: Span<UInt8>, _ bytes: inout [UInt8]) -> EventRecord.Slice {
    if carried.count == 1 {
      return EventRecord.Slice(start: carried[0].lowerBound, count: carried[0].count)
    }
    let start = bytes.count
    for member in carried {
      if bytes.count > start { bytes.append(UInt8(ascii: ",")) }
      bytes.append(line.extracting(member))
    }
    return EventRecord.Slice(start: start, count: bytes.count - start)
  }
}
