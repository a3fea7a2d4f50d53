public import Events

/// Events that have each field of each kind, by the table of fields: whatever keeps events keeps all of these.
public enum FieldSamples {
  /// Lines of JSON: for each kind one with all fields, one with those that it must have, and one for each of the others,
  /// which has it besides.
  public static let lines: [String] = EventKind.allCases.flatMap { kind in
    let all = Set(kind.fieldRows.indices)
    let optional = all.filter { isEvent(line(all.subtracting([$0]), of: kind)) }
    let required = all.subtracting(optional)
    return [line(all, of: kind), line(required, of: kind)]
      + optional.sorted().map { line(required.union([$0]), of: kind) }
  }

  /// Returns the event of a line.
  public static func event(_ line: String) throws -> Event {
    var record = EventRecord()
    var decoder = JSONLinesDecoder()
    try decoder.decode(Array(line.utf8).span, into: &record)
    return try Event(record)
  }

  /// Returns the line of an event.
  public static func line(_ event: borrowing EventRecord) -> String {
    var line: [UInt8] = []
    JSONLinesEncoder.append(copy event, to: &line)
    return String(decoding: line.dropLast(), as: UTF8.self)
  }

  private static func isEvent(_ line: String) -> Bool { (try? event(line)) != nil }

  private static func line(_ rows: Set<Int>, of kind: EventKind) -> String {
    let members = kind.fieldRows.enumerated().filter { rows.contains($0.offset) }.map { _, row in
      "\"\(row.name)\":\(value(of: row, kind))"
    }
    return "{\(members.joined(separator: ","))}"
  }

  private static func value(of row: EventFieldRow, _ kind: EventKind) -> String {
    switch row.content {
    case .kind: "\"\(kind.name)\""
    case .time: "\"2026-01-02T03:04:05.678901Z\""
    case .name(let field), .text(let field): "\"the \(field)\""
    case .json: #"{"a":[1,null]}"#
    case .number: "0.25"
    case .flag: "true"
    case .status:
      "\"\(EventStatus.allCases.first { $0.applies(to: kind) }?.name ?? "")\""
    case .texts: #"["b","a b"]"#
    case .probabilities: "[0.25,0.75]"
    case .attributes: #"{"n":1.5,"t":"x","f":false}"#
    case .features: #"{"b":{"n":2},"a b":{"t":"y"}}"#
    case .value: "5"
    }
  }
}
