public import Specifications

extension FunnelProjector {
  /// Writes the tallies of every segment, the times of each step in ascending order, and the ledger.
  public func write(_ state: State, to writer: inout StateWriter) {
    state.table.write(to: &writer, where: { $0.units > 0 }) { tally, writer in
      writer.write(tally: tally.units)
      writer.write(tally: tally.unitsInProgress)
      for times in tally.times {
        writer.write(UInt64(times.count))
        for time in times.sorted() { writer.write(signed: time) }
      }
    }
    state.ledger.write(to: &writer)
  }

  /// Reads a state.
  ///
  /// - Throws: `StateError` if the bytes are not a state.
  public func read(
    _ reader: inout StateReader, _ codes: StateCodes
  ) throws(StateError) -> State {
    var state = makeState(codes.context)
    let count = steps.count
    try state.table.read(from: &reader, codes) { (reader) throws(StateError) in
      var tally = FunnelTally(steps: count)
      tally.units = try reader.readTally()
      tally.unitsInProgress = try reader.readTally()
      for step in 0..<count {
        for _ in 0..<(try reader.readCount()) { tally.times[step].append(try reader.readSigned()) }
      }
      return tally
    }
    state.ledger = try AssignmentLedger(from: &reader)
    return state
  }
}
