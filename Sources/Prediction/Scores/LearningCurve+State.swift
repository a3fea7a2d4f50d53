internal import Specifications

extension PeriodTally: StateField {
  func write(to writer: inout StateWriter) {
    writer.write(UInt64(cells.count))
    guard !cells.isEmpty else { return }
    writer.write(UInt64(doublings))
    writer.write(signed: first)
    for cell in cells { cell.write(to: &writer) }
  }

  mutating func read(from reader: inout StateReader) throws(StateError) {
    let count = try reader.readCount(below: Self.limit + 1)
    guard count > 0 else { return }
    doublings = Int64(try reader.readCount(below: 64))
    first = try reader.readSigned()
    // No time gives periods beyond these.
    let isReached = first >= Int64.min >> doublings && first <= Int64.max >> doublings
    guard isReached, !first.addingReportingOverflow(Int64(count)).overflow else {
      throw StateError("the periods of a curve are damaged")
    }
    cells = Array(repeating: CurveCell(), count: count)
    try cells.read(from: &reader)
  }
}
