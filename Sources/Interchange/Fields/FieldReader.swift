internal import Arrow

/// A reader that converts records of named fields to events.
public protocol FieldReader: RecordReading {
  /// Whether lines that do not begin with `{` are ignored and counted, as in logs that have other lines between.
  var ignoresOtherLines: Bool { get }

  /// The names under which an object may have a list of records as its first member: `{"data":[...]}`.
  var listNames: [String] { get }

  /// Checks the header of a table before the first row is read, and may look columns up in it.
  ///
  /// - Throws: ``ImportError``, for instance because a column is missing.
  mutating func check(_ header: CSVHeader) throws(ImportError)

  /// The indices of the columns of a table that are needed, known once its header was checked; nil for all.
  var columnsRead: [Int]? { get }

  /// Reads a record.
  ///
  /// - Parameters:
  ///   - fields: The fields. Those that are looked up are marked as used; the others can be added to the event with
  ///     ``FieldTree/addUnused(to:of:under:)``.
  ///   - record: The record that the events are added to, initially empty.
  /// - Throws: ``Rejection`` if the record is invalid; reading continues after it.
  mutating func read(
    _ fields: inout FieldTree, into record: inout ImportedRecord
  ) throws(Rejection)
}

extension FieldReader {
  /// false: every line is a record.
  public var ignoresOtherLines: Bool { false }

  /// None: an object is a record.
  public var listNames: [String] { [] }

  /// All columns.
  public var columnsRead: [Int]? { nil }

  /// Accepts any header.
  public func check(_ header: CSVHeader) throws(ImportError) {}
}

/// A reader to which a record says nothing of later ones, but what the ``FieldTree`` keeps of its times, so that pieces
/// of an input can be read at the same time.
protocol MemorylessReader: FieldReader {}

/// A format whose records have named fields: JSON objects or rows of CSV or TSV with a header.
///
/// JSON objects may stand one to a line, in one list, or one after another over any number of lines.
public protocol FieldFormat: ImportFormat {
  /// The reader of records.
  associatedtype Reader: FieldReader

  /// Returns a reader for one input.
  ///
  /// - Throws: ``ImportError``.
  func makeReader(_ input: ImportInput) throws(ImportError) -> Reader
}

extension FieldFormat {
  /// Opens an input as JSON or CSV, by its first byte.
  public func open(_ input: ImportInput) throws(ImportError) -> any RecordSource {
    try Self.open(input.bytes, makeReader(input))
  }

  /// Opens an input, of which nothing has been consumed, as JSON or CSV.
  static func open<AnyReader: FieldReader>(
    _ input: ByteSource, _ reader: AnyReader
  ) throws(ImportError) -> any RecordSource {
    if let rejects = input.input as? RejectsInput, !rejects.isTable, !reader.ignoresOtherLines {
      return RejectedTextSource(input, rejects, reader)
    }
    var (bytes, reader) = (input, reader)
    if try ArrowInput.isArrow(&bytes) {
      let stream = try ArrowInput(bytes)
      let header = try CSVHeader(stream.schema.fields.map(\.name), inputName: input.name)
      try reader.check(header)
      try (reader as? MappedReader)?.mapping.check(stream.schema, input.name)
      return ArrowRecordSource(stream, ArrowFieldReader(reader, ColumnNames(header.names, read: reader.columnsRead)))
    }
    switch try FieldLayout(
      &bytes, anyLine: reader.ignoresOtherLines, listNames: reader.listNames)
    {
    case .lines: return LineSource(bytes, FieldLineReader(reader: reader))
    case .texts: return JSONTextSource(bytes, reader)
    case .table(let separator):
      return try CSVSource(bytes, separator: separator) { (header) throws(ImportError) in
        try reader.check(header)
        return FieldRowReader(reader: reader, names: ColumnNames(header.names, read: reader.columnsRead))
      }
    }
  }
}

/// Converts lines of JSON.
struct FieldLineReader<Reader: FieldReader>: RecordLineReader {
  var reader: Reader
  private var fields = FieldTree()

  init(reader: Reader) { self.reader = reader }

  var absentFields: [String] { reader.absentFields }

  mutating func read(
    _ line: Span<UInt8>, into record: inout ImportedRecord
  ) throws(Rejection) {
    if reader.ignoresOtherLines, line[0] != UInt8(ascii: "{") {
      return record.ignore("lines that do not begin with {")
    }
    try fields.fill(record: line)
    try reader.read(&fields, into: &record)
    try record.validate()
  }
}

extension FieldLineReader: PieceReader where Reader: MemorylessReader {
  var times: InputTimes {
    get { fields.times }
    set { fields.times = newValue }
  }
}

/// Converts rows of CSV.
struct FieldRowReader<Reader: FieldReader>: CSVRowReader {
  var reader: Reader
  let names: ColumnNames
  private var fields = FieldTree()

  init(reader: Reader, names: ColumnNames) {
    self.reader = reader
    self.names = names
  }

  var absentFields: [String] { reader.absentFields }

  mutating func read(
    _ row: CSVReader, into record: inout ImportedRecord
  ) throws(Rejection) {
    fields.fill(row, names)
    try reader.read(&fields, into: &record)
    try record.validate()
  }
}

extension FieldRowReader: PieceReader where Reader: MemorylessReader {
  var times: InputTimes {
    get { fields.times }
    set { fields.times = newValue }
  }
}
