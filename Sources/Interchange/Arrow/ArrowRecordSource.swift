internal import Arrow
import Events

/// A reader that converts rows of Arrow batches to events.
protocol ArrowRowReader: RecordReading {
  /// Looks up the columns of a batch; nil if its rows are read by their names.
  func cells(of batch: ArrowBatch) -> ArrowEventCells?

  /// Begins with the rows of a piece.
  mutating func begin(_ piece: ArrowPiece)

  /// Reads a row and checks its events.
  ///
  /// - Throws: ``Rejection`` if the row is invalid; reading continues after it.
  mutating func read(_ row: Int, into record: inout ImportedRecord) throws(Rejection)
}

/// The records of an Arrow stream, one per row.
struct ArrowRecordSource<Reader: ArrowRowReader>: RecordSource {
  /// The most rows of a piece.
  private static var mostRows: Int { 512 }

  let name: String
  /// The batches; nil for a thread that reads pieces of them.
  private var input: ArrowInput?
  private var reader: Reader
  /// The rows of a batch that are to be read.
  ///
  /// Rows are read without a copy of it, whose references all threads would count.
  private var piece: ArrowPiece?
  /// The index of the batch's first row in the stream.
  private var firstRow = 0

  /// Creates a source of the rows of an input whose schema was read.
  init(_ input: ArrowInput, _ reader: Reader) {
    self.input = input
    self.reader = reader
    name = input.source.name
  }

  var absentFields: [String] { reader.absentFields }

  var noun: String { "row" }

  var progress: SourceProgress {
    let file = input?.source.input
    return SourceProgress(
      fileBytes: file?.consumedBytes ?? 0, totalFileBytes: file?.totalBytes, textBytes: piece?.textBytes ?? 0)
  }

  mutating func next(_ record: inout ImportedRecord) throws(ImportError) -> RecordStep {
    while true {
      if let row = piece?.next() { return read(row, into: &record) }
      guard try nextBatch() else { return .end }
    }
  }

  /// Reads the next batch; returns whether there is one.
  private mutating func nextBatch() throws(ImportError) -> Bool {
    guard let batch = try input?.next() else { return false }
    begin(ArrowPiece(batch, reader.cells(of: batch), textBefore: piece?.textBytes ?? 0))
    return true
  }

  private mutating func begin(_ rows: ArrowPiece) {
    firstRow = Int(rows.batch.firstRow)
    reader.begin(rows)
    piece = rows
  }

  private mutating func read(_ row: Int, into record: inout ImportedRecord) -> RecordStep {
    let number = firstRow + row + 1
    record.begin(line: number, byteOffset: 0)
    do throws(Rejection) {
      try reader.read(row, into: &record)
      return record.ignored.map { .ignored($0) } ?? .record
    } catch {
      let text = piece.map { ArrowText.row(row, of: $0.batch) } ?? []
      return .rejected(RejectedRecord(error, line: number, byteOffset: 0, bytes: text))
    }
  }
}

extension ArrowRecordSource: PieceSource where Reader: PieceReader {
  var times: InputTimes {
    get { reader.times }
    set { reader.times = newValue }
  }

  mutating func begin(_ piece: InputPiece) {
    input = nil
    if let rows = piece.rows { begin(rows) }
  }

  mutating func cut(to piece: inout InputPiece, size: Int) throws(ImportError) {
    while self.piece?.rows.isEmpty != false { guard try nextBatch() else { return } }
    piece.rows = self.piece?.take(Self.mostRows, size: size)
  }
}

/// Converts rows of tables by their named fields.
struct ArrowFieldReader<Reader: FieldReader>: ArrowRowReader {
  private var reader: Reader
  private let names: ColumnNames
  private var fields = FieldTree()
  private var batch: ArrowBatch?

  init(_ reader: Reader, _ names: ColumnNames) {
    self.reader = reader
    self.names = names
  }

  var absentFields: [String] { reader.absentFields }

  func cells(of batch: ArrowBatch) -> ArrowEventCells? { nil }

  mutating func begin(_ piece: ArrowPiece) { batch = piece.batch }

  mutating func read(_ row: Int, into record: inout ImportedRecord) throws(Rejection) {
    guard let batch else { return }
    try fields.fill(row, of: batch, names)
    try reader.read(&fields, into: &record)
    try record.validate()
  }
}

extension ArrowFieldReader: PieceReader where Reader: MemorylessReader {
  var times: InputTimes {
    get { fields.times }
    set { fields.times = newValue }
  }
}
