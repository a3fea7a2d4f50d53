internal import Arrow
internal import Events

/// Converts rows of a table of events.
struct ArrowEventReader: ArrowRowReader {
  private let fields: ArrowEventFields
  private var cells: ArrowEventCells?
  private var values = ArrowValueReader()
  private var decoder = JSONLinesDecoder()

  init(_ fields: ArrowEventFields) { self.fields = fields }

  mutating func begin(_ batch: ArrowBatch) { cells = ArrowEventCells(batch, fields) }

  func text(_ row: Int, of batch: ArrowBatch) -> [UInt8] { ArrowText.row(row, of: batch) }

  mutating func read(
    _ row: Int, of batch: ArrowBatch, into record: inout ImportedRecord
  ) throws(Rejection) {
    try cells?.read(row, into: &record, &values, &decoder)
    try record.checkUnits()
  }
}
