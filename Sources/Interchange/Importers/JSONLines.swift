public import Events
public import Statistics

/// `jsonl`: Bandolier's own events as JSON Lines, one per line.
public struct JSONLines: ExportFormat {
  /// `jsonl`, without parameters.
  public static let info = SpecificationInfo(
    "jsonl", "Bandolier's own events, one JSON object per line",
    source: "Sources/Events/Events.docc/JSONLinesFormat.md")

  /// The key `type`.
  public static let recognition = "first line is a JSON object with the key \"type\""

  /// Makes the format.
  public init() {}

  /// Makes the format.
  public init(_ specification: Specification) { self.init() }

  /// Matches objects with the key `type`.
  public static func match(_ sample: InputSample) -> FormatMatch { sample.match(keys: "type") }

  /// Returns a source of one event for each line.
  public func open(_ input: ImportInput) -> any RecordSource {
    LineSource(input.bytes, JSONLinesReader())
  }

  /// Appends a line.
  public static func append(_ record: EventRecord, to bytes: inout [UInt8]) {
    JSONLinesEncoder.append(record, to: &bytes)
  }
}

private struct JSONLinesReader: RecordLineReader {
  private var decoder = JSONLinesDecoder()

  mutating func read(_ line: Span<UInt8>, into record: inout ImportedRecord) throws(Rejection) {
    let index = record.add(.decision, at: Timestamp(microseconds: 0))
    do throws(JSONLineError) {
      try decoder.decode(line, into: &record.events[index])
    } catch {
      throw Rejection(.json, error.reason, at: error.offset)
    }
  }
}
