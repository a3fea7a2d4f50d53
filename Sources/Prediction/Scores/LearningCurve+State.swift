internal import Specifications
internal import Statistics

extension CurveCell {
  func write(to writer: inout StateWriter) {
    writer.write(tally: events)
    guard events > 0 else { return }
    writer.write(tally: hits)
    loss.write(to: &writer)
    brier.write(to: &writer)
  }

  init(from reader: inout StateReader) throws(StateError) {
    self.init()
    events = try reader.readTally()
    guard events > 0 else { return }
    hits = try reader.readTally()
    loss = try FixedPointSum(from: &reader)
    brier = try FixedPointSum(from: &reader)
  }
}

extension PeriodTally {
  func write(to writer: inout StateWriter) {
    writer.write(UInt64(cells.count))
    guard !cells.isEmpty else { return }
    writer.write(UInt64(doublings))
    writer.write(signed: first)
    for cell in cells { cell.write(to: &writer) }
  }

  init(from reader: inout StateReader, period: Int64) throws(StateError) {
    self.init(period: period)
    let count = try reader.readCount(below: Self.limit + 1)
    guard count > 0 else { return }
    doublings = Int64(try reader.readCount(below: 64))
    first = try reader.readSigned()
    // No time gives periods beyond these.
    let isReached = first >= Int64.min >> doublings && first <= Int64.max >> doublings
    guard isReached, !first.addingReportingOverflow(Int64(count)).overflow else {
      throw StateError("the periods of a curve are damaged")
    }
    for _ in 0..<count { cells.append(try CurveCell(from: &reader)) }
  }
}
