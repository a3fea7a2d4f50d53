public import Events
public import Specifications

/// `jsonl`: Bandolier's own events as JSON Lines, one per line.
public struct JSONLines: ExportFormat {
  public static let info = SpecificationInfo(
    "jsonl", "Bandolier's own events, one JSON object per line",
    source: "Sources/Events/Events.docc/JSONLinesFormat.md")

  public static let recognition = "first line is a JSON object with the key \"type\""

  public init() {}

  public static func match(_ sample: InputSample) -> FormatMatch {
    guard !sample.has("specversion") else {
      return .mismatch("the field \"specversion\" is of CloudEvents")
    }
    guard let type = sample.text("type"), !EventKind.allCases.contains(where: { $0.name == type })
    else { return sample.match(keys: "type") }
    // An unknown kind, perhaps of a later version; other systems have a "type" too.
    return sample.match(keys: "type", "time", "unit")
  }

  /// Opens the lines; events in a list or over several lines are read as well.
  public func open(_ input: ImportInput) throws(ImportError) -> any RecordSource {
    var bytes = input.bytes
    let line = try FirstLine.read(&bytes)
    guard line.first == UInt8(ascii: "[") || line == [UInt8(ascii: "{")], !(bytes.input is RejectsInput) else {
      return LineSource(bytes, JSONLinesReader())
    }
    return JSONTextSource(bytes, EventTextReader())
  }

  /// Appends the line of an event.
  public static func append(_ record: EventRecord, to bytes: inout [UInt8]) {
    JSONLinesEncoder.append(record, to: &bytes)
  }

  public static func makeExporter() -> any EventExporter { JSONLinesExporter() }
}

/// Writes every event as a line.
private struct JSONLinesExporter: EventExporter {
  let omitted: [String: Int] = [:]

  func append(_ record: EventRecord, to bytes: inout [UInt8]) {
    JSONLinesEncoder.append(record, to: &bytes)
  }

  func finish(to bytes: inout [UInt8]) {}
}

private struct JSONLinesReader: RecordLineReader, PieceReader {
  let readsLinesAlone = true
  var times = InputTimes()
  private var decoder = JSONLinesDecoder()

  mutating func read(_ line: Span<UInt8>, into record: inout ImportedRecord) throws(Rejection) {
    try decoder.addEvent(line, to: &record)
    try record.checkUnits()
  }
}

/// Reads events that stand in a list, or over several lines.
private struct EventTextReader: MemorylessReader {
  private var decoder = JSONLinesDecoder()

  mutating func read(_ fields: inout FieldTree, into record: inout ImportedRecord) throws(Rejection) {
    try decoder.addEvent(fields.text(fields.root).span, to: &record)
  }
}

extension JSONLinesDecoder {
  /// Adds the event of a text to a record.
  fileprivate mutating func addEvent(_ text: Span<UInt8>, to record: inout ImportedRecord) throws(Rejection) {
    let index = record.addUnfilled()
    do throws(JSONLineError) {
      try decode(text, into: &record.events[index])
    } catch {
      throw Rejection(error)
    }
  }
}
