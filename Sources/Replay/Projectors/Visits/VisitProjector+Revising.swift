public import Statistics

extension VisitProjector: RevisableUnitProjector {
  public func subtract(_ other: State, from state: inout State) {
    state.table.subtract(other.table) { $1.subtract($0) }
    state.overall.subtract(other.overall)
    state.ledger.subtract(other.ledger)
  }

  /// Writes the visits of every segment and of all units, and the ledger.
  public func write(_ state: State, to writer: inout StateWriter) {
    state.table.write(to: &writer, where: { $0.units > 0 }) { $0.write(to: &$1) }
    state.overall.write(to: &writer)
    state.ledger.write(to: &writer)
  }

  public func read(
    _ reader: inout StateReader, _ codes: StateCodes
  ) throws(StateError) -> State {
    var state = makeState(codes.context)
    try state.table.read(from: &reader, codes) { (reader) throws(StateError) in
      try VisitTally(from: &reader)
    }
    state.overall = try VisitTally(from: &reader)
    state.ledger = try AssignmentLedger(from: &reader)
    return state
  }
}

extension VisitTally {
  fileprivate func write(to writer: inout StateWriter) {
    perUnit.write(to: &writer)
    writer.write(UInt64(truncatingIfNeeded: duration))
    writer.write(tally: Int(truncatingIfNeeded: duration >> 64))
    writer.write(tally: singles)
    writer.write(tally: withGoal)
  }

  fileprivate init(from reader: inout StateReader) throws(StateError) {
    self.init()
    perUnit = try RatioMoments(from: &reader)
    // Visits and events are counts, which are shown as `Int`.
    for sum in [perUnit.numerator.sum, perUnit.denominator.sum] {
      guard sum >= 0, sum < 0x1p60 else { throw StateError("a number of visits is none") }
    }
    let low = try reader.read()
    duration = Int128(try reader.readTally()) << 64 | Int128(low)
    singles = try reader.readTally()
    withGoal = try reader.readTally()
  }
}
