internal import Arrow
import Events

/// A reader that converts rows of Arrow batches to events.
protocol ArrowRowReader: RecordReading {
  /// Reads a row and checks its events.
  ///
  /// - Throws: ``Rejection`` if the row is invalid; reading continues after it.
  mutating func read(
    _ row: Int, of batch: ArrowBatch, into record: inout ImportedRecord
  ) throws(Rejection)

  /// Looks up the columns of a batch, before its rows are read.
  mutating func begin(_ batch: ArrowBatch)

  /// Returns a row as a JSON object, as it is written to the rejects.
  func text(_ row: Int, of batch: ArrowBatch) -> [UInt8]
}

/// The records of an Arrow stream, one per row.
struct ArrowRecordSource<Reader: ArrowRowReader>: RecordSource {
  private var input: ArrowInput
  private var reader: Reader
  private var batch: ArrowBatch?
  private var row = 0
  private var rowCount = 0
  /// The number of bytes of all events so far, by which the caller bounds its memory.
  private var textBytes: Int64 = 0

  /// Creates a source of the rows of an input whose schema was read.
  init(_ input: ArrowInput, _ reader: Reader) {
    self.input = input
    self.reader = reader
  }

  var name: String { input.source.name }

  var absentFields: [String] { reader.absentFields }

  var noun: String { "row" }

  var progress: SourceProgress {
    SourceProgress(
      fileBytes: input.source.input.consumedBytes, totalFileBytes: input.source.input.totalBytes,
      textBytes: textBytes)
  }

  mutating func next(_ record: inout ImportedRecord) throws(ImportError) -> RecordStep {
    while true {
      if row < rowCount {
        row += 1
        return step(row - 1, &record)
      }
      guard let next = try input.next() else { return .end }
      batch = next
      (row, rowCount) = (0, next.count)
      reader.begin(next)
    }
  }

  private mutating func step(
    _ row: Int, _ record: inout ImportedRecord
  ) -> RecordStep {
    guard let batch else { return .end }
    let number = Int(batch.firstRow) + row + 1
    record.begin(line: number, byteOffset: 0)
    do throws(Rejection) {
      try reader.read(row, of: batch, into: &record)
      for index in 0..<record.count { textBytes += Int64(record.events[index].bytes.count) }
      return record.ignored.map { .ignored($0) } ?? .record
    } catch {
      return .rejected(
        RejectedRecord(
          error, line: number, byteOffset: 0,
          bytes: reader.text(row, of: batch)))
    }
  }
}

/// Converts rows of tables by their named fields.
struct ArrowFieldReader<Reader: FieldReader>: ArrowRowReader {
  private var reader: Reader
  private let names: ColumnNames
  private var fields = FieldTree()

  init(_ reader: Reader, _ names: ColumnNames) {
    self.reader = reader
    self.names = names
  }

  var absentFields: [String] { reader.absentFields }

  func begin(_ batch: ArrowBatch) {}

  mutating func read(
    _ row: Int, of batch: ArrowBatch, into record: inout ImportedRecord
  ) throws(Rejection) {
    try fields.fill(row, of: batch, names)
    try reader.read(&fields, into: &record)
    try record.validate()
  }

  func text(_ row: Int, of batch: ArrowBatch) -> [UInt8] { ArrowText.row(row, of: batch) }
}
