public import Statistics

extension RewardProjector: RevisableUnitProjector {
  /// True: a goal is credited within its experiment.
  public var isDividedByExperiments: Bool { true }

  public func subtract(_ other: State, from state: inout State) {
    state.table.subtract(other.table) { $1.subtract($0) }
    state.ledger.subtract(other.ledger)
  }

  /// Writes the tallies of every segment, and the ledger.
  public func write(_ state: State, to writer: inout StateWriter) {
    state.table.write(to: &writer, where: { $0.decisions > 0 }) { tally, writer in
      writer.write(tally: tally.rewards)
      tally.total.write(to: &writer)
      tally.perDecision.write(to: &writer)
      tally.perUnit.write(to: &writer)
    }
    state.ledger.write(to: &writer)
  }

  public func read(
    _ reader: inout StateReader, _ codes: StateCodes
  ) throws(StateError) -> State {
    var state = makeState(codes.context)
    try state.table.read(from: &reader, codes) { (reader) throws(StateError) in
      var tally = RewardTally()
      tally.rewards = try reader.readTally()
      tally.total = try ExactSum(from: &reader)
      tally.perDecision = try Moments(from: &reader)
      tally.perUnit = try Moments(from: &reader)
      return tally
    }
    state.ledger = try RewardLedger(from: &reader)
    return state
  }
}
