import Events

/// Bandolier's own JSON Lines: one event per line. Lines of white space are passed over.
public struct JSONLinesSource: RecordSource {
  private var lines: LineReader
  private var decoder = JSONLinesDecoder()
  private var blankLines: Int64 = 0

  /// Reads events from a source.
  package init(_ source: ByteSource) {
    self.lines = LineReader(source)
  }

  /// How messages call the input.
  public var name: String { lines.source.name }

  /// How far the input was read.
  public var progress: SourceProgress {
    SourceProgress(lines.source, blankLines: blankLines)
  }

  /// Reads the next event.
  public mutating func next(_ record: inout ImportedRecord) throws(ImportError) -> RecordStep {
    while try lines.next() {
      // The second reference is gone before `lines` reads on, so the buffer is never copied.
      let bytes = lines.source.bytes
      let line = bytes.span.extracting(lines.range)
      if Self.isBlank(line) {
        blankLines += 1
        continue
      }
      record.begin(line: lines.number, byteOffset: lines.offset)
      let index = record.add(.decision, at: Timestamp(microseconds: 0))
      do throws(JSONLineError) {
        try decoder.decode(line, into: &record.events[index])
      } catch {
        return rejected(error)
      }
      return .record
    }
    return .end
  }

  private static func isBlank(_ line: Span<UInt8>) -> Bool {
    for index in line.indices {
      guard line[index] == UInt8(ascii: " ") || line[index] == UInt8(ascii: "\t") else {
        return false
      }
    }
    return true
  }

  private func rejected(_ error: JSONLineError) -> RecordStep {
    .rejected(
      RejectedRecord(
        line: lines.number, byteOffset: lines.offset + Int64(error.offset), category: .json,
        reason: error.reason, bytes: Array(lines.source.bytes[lines.range])))
  }
}
