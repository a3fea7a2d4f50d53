internal import Arrow
internal import Events

/// Converts rows of a table of events.
struct ArrowEventReader: ArrowRowReader, PieceReader {
  private let fields: ArrowEventFields
  private var values = ArrowValueReader()
  private var decoder = JSONLinesDecoder()

  init(_ fields: ArrowEventFields) { self.fields = fields }

  var times: InputTimes {
    get { values.times }
    set { values.times = newValue }
  }

  func cells(of batch: ArrowBatch) -> ArrowEventCells? { ArrowEventCells(batch, fields) }

  mutating func read(
    _ row: Int, of piece: ArrowPiece, into record: inout ImportedRecord
  ) throws(Rejection) {
    try piece.cells?.read(row, into: &record, &values, &decoder)
    try record.checkUnits()
  }
}
