internal import Arrow
internal import Events

/// Converts rows of a table of events.
struct ArrowEventReader: ArrowRowReader, PieceReader {
  private let fields: ArrowEventFields
  private var cells: ArrowEventCells?
  private var values = ArrowValueReader()
  private var decoder = JSONLinesDecoder()

  init(_ fields: ArrowEventFields) { self.fields = fields }

  var times: InputTimes {
    get { values.times }
    set { values.times = newValue }
  }

  func cells(of batch: ArrowBatch) -> ArrowEventCells? { ArrowEventCells(batch, fields) }

  mutating func begin(_ piece: ArrowPiece) { cells = piece.cells }

  mutating func read(_ row: Int, into record: inout ImportedRecord) throws(Rejection) {
    try cells?.read(row, into: &record, &values, &decoder)
    try record.checkUnits()
  }
}
