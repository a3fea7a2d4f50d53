/// A reader that converts lines to events.
public protocol RecordLineReader: RecordReading {
  /// Whether what a line says does not depend on the lines before it.
  var readsLinesAlone: Bool { get }

  /// Reads a line.
  ///
  /// - Parameters:
  ///   - line: The bytes of the line, without its end. They may be anything, including invalid UTF-8.
  ///   - record: The record that the events are added to, initially empty.
  /// - Throws: ``Rejection`` if the line is invalid; reading continues after it.
  mutating func read(_ line: Span<UInt8>, into record: inout ImportedRecord) throws(Rejection)
}

extension RecordLineReader {
  /// false: a line may depend on those before it.
  public var readsLinesAlone: Bool { false }
}

/// The records of a format with one record per line. Blank lines are skipped and counted.
public struct LineSource<Reader: RecordLineReader>: RecordSource {
  private var lines: LineReader
  private var reader: Reader
  private var blankLines: Int64 = 0

  /// Creates a source of the lines of an input.
  public init(_ source: ByteSource, _ reader: Reader) {
    lines = LineReader(source)
    self.reader = reader
  }

  public var name: String { lines.source.name }

  public var absentFields: [String] { reader.absentFields }

  public var progress: SourceProgress { SourceProgress(lines.source, blankLines: blankLines) }

  public mutating func next(_ record: inout ImportedRecord) throws(ImportError) -> RecordStep {
    while try lines.next() {
      // The second reference is gone before `lines` reads on, so the buffer is never copied.
      let bytes = lines.source.bytes
      let line = bytes.span.extracting(lines.range)
      if line.isBlank {
        blankLines += 1
        continue
      }
      record.begin(line: lines.number, byteOffset: lines.offset)
      do throws(Rejection) {
        try reader.read(line, into: &record)
      } catch {
        return rejected(error)
      }
      return record.ignored.map { .ignored($0) } ?? .record
    }
    return .end
  }

  public mutating func skip(to offset: Int64, lineCount: Int64) throws(ImportError) -> Bool {
    guard reader.readsLinesAlone else { return false }
    return try lines.skip(to: offset, lineCount: lineCount)
  }

  private func rejected(_ rejection: Rejection) -> RecordStep {
    .rejected(
      RejectedRecord(
        rejection, line: lines.number, byteOffset: lines.offset + Int64(rejection.offset),
        bytes: Array(lines.source.bytes[lines.range])))
  }
}

extension LineSource: PieceSource where Reader: PieceReader {
  var times: InputTimes {
    get { reader.times }
    set { reader.times = newValue }
  }

  mutating func begin(_ piece: InputPiece) {
    lines.begin(piece)
    blankLines = 0
  }

  mutating func cut(to piece: inout InputPiece, size: Int) throws(ImportError) {
    while piece.bytes.count < size, try lines.next() {
      piece.append(lines.source, lines.wholeRange, linesBefore: lines.number - 1)
    }
  }
}
