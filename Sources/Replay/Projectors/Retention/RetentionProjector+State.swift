public import Specifications

extension RetentionProjector {
  /// Writes the tallies of every segment and day, and the ledger.
  public func write(_ state: State, to writer: inout StateWriter) {
    state.table.write(to: &writer, where: { _ in true }) { days, writer in
      for day in days {
        writer.write(tally: day.units)
        writer.write(tally: day.returned)
        writer.write(tally: day.tooYoung)
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
    let count = days.count
    try state.table.read(from: &reader, codes) { (reader) throws(StateError) in
      var days: [RetentionTally] = []
      for _ in 0..<count {
        var day = RetentionTally()
        day.units = try reader.readTally()
        day.returned = try reader.readTally()
        day.tooYoung = try reader.readTally()
        days.append(day)
      }
      return days
    }
    state.ledger = try AssignmentLedger(from: &reader)
    return state
  }
}
