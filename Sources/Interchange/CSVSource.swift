/// A reader that converts rows of CSV to events.
public protocol CSVRowReader: RecordReading {
  /// Reads a row.
  ///
  /// - Parameters:
  ///   - row: The row, which is UTF-8 and has as many fields as the header.
  ///   - record: The record that the events are added to, initially empty.
  /// - Throws: ``Rejection`` if the row is invalid; reading continues after it.
  mutating func read(_ row: CSVReader, into record: inout ImportedRecord) throws(Rejection)
}

/// The records of a CSV file with a header, one per row.
///
/// Rows with invalid quotes, a different number of fields than the header, or invalid UTF-8 are rejected.
public struct CSVSource<Reader: CSVRowReader>: RecordSource {
  private var csv: CSVReader
  private let columnCount: Int
  public let header: [UInt8]?
  private var reader: Reader

  /// Reads the header of an input.
  ///
  /// - Parameters:
  ///   - source: The input.
  ///   - separator: The byte between two fields.
  ///   - makeReader: Looks up the columns in the header and returns the reader of the rows.
  /// - Throws: ``ImportError`` if there is no valid header, and what `makeReader` throws.
  public init(
    _ source: ByteSource, separator: UInt8 = UInt8(ascii: ","),
    makeReader: (CSVHeader) throws(ImportError) -> Reader
  ) throws(ImportError) {
    csv = CSVReader(source, separator: separator)
    guard let names = try csv.nextTexts() else {
      throw ImportError(.badData, "\(source.name): the file is empty; it must have a header")
    }
    guard !names.contains(where: { $0.hasLoneReturn }) else {
      throw ImportError(
        .badData, "\(source.name): its lines end with a carriage return alone; write line feeds, as tr '\\r' '\\n' does"
      )
    }
    columnCount = names.count
    header = Array(csv.source.bytes[csv.rawRange])
    reader = try makeReader(try CSVHeader(names, inputName: source.name))
  }

  /// Creates a source of the rows of an input without a header.
  ///
  /// - Parameters:
  ///   - source: The input.
  ///   - separator: The byte between two fields.
  ///   - columnCount: The number of fields that every row must have.
  ///   - reader: The reader of the rows.
  init(rowsOf source: ByteSource, separator: UInt8, columnCount: Int, _ reader: Reader) {
    csv = CSVReader(source, separator: separator)
    self.columnCount = columnCount
    header = nil
    self.reader = reader
  }

  public var name: String { csv.source.name }

  public var absentFields: [String] { reader.absentFields }

  public var progress: SourceProgress { SourceProgress(csv.source, blankLines: csv.blankLines) }

  public mutating func next(_ record: inout ImportedRecord) throws(ImportError) -> RecordStep {
    switch try csv.next() {
    case .end: return .end
    case .malformed(let reason, let offset):
      return rejected(Rejection(.quoting, reason), at: offset)
    case .record:
      record.begin(line: csv.line, byteOffset: csv.offset)
      do throws(Rejection) {
        try read(&record)
        return record.ignored.map { .ignored($0) } ?? .record
      } catch {
        return rejected(error, at: csv.offset + Int64(error.offset))
      }
    }
  }

  private mutating func read(_ record: inout ImportedRecord) throws(Rejection) {
    guard csv.fields.count == columnCount else {
      throw Rejection(
        .columnCount, "\(csv.fields.count) fields where the header has \(columnCount)")
    }
    guard csv.isUTF8 else { throw Rejection(.encoding, "the row is not UTF-8") }
    try reader.read(csv, into: &record)
  }

  private func rejected(_ rejection: Rejection, at offset: Int64) -> RecordStep {
    .rejected(
      RejectedRecord(
        rejection, line: csv.line, byteOffset: offset,
        bytes: Array(csv.source.bytes[csv.rawRange])))
  }
}

extension CSVSource: PieceSource where Reader: PieceReader {
  var times: InputTimes {
    get { reader.times }
    set { reader.times = newValue }
  }

  mutating func begin(_ piece: InputPiece) { csv.begin(piece) }

  mutating func cut(to piece: inout InputPiece, size: Int) throws(ImportError) {
    while piece.bytes.count < size {
      let before = csv.number
      guard try csv.pass() != nil else { return }
      piece.append(csv.source, csv.wholeRange, linesBefore: csv.line - 1, recordsBefore: before)
    }
  }
}

extension String {
  /// Whether it has a carriage return without a line feed behind it.
  fileprivate var hasLoneReturn: Bool {
    zip(utf8, utf8.dropFirst().map { $0 } + [0]).contains { $0 == UInt8(ascii: "\r") && $1 != UInt8(ascii: "\n") }
  }
}
