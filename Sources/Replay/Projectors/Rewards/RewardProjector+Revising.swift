public import Specifications
internal import Statistics

extension RewardProjector: RevisableUnitProjector {
  /// True: a goal is credited within its experiment.
  public var isDividedByExperiments: Bool { true }

  public func subtract(_ other: State, from state: inout State) {
    state.table.subtract(other.table) { $1.subtract($0) }
    state.ledger.subtract(other.ledger)
  }

  /// Writes the tallies of every segment, and the ledger.
  public func write(_ state: State, to writer: inout StateWriter) {
    state.table.write(to: &writer, where: { $0.decisions > 0 }) { $0.write(to: &$1) }
    state.ledger.write(to: &writer)
  }

  public func read(
    _ reader: inout StateReader, _ codes: StateCodes
  ) throws(StateError) -> State {
    var state = makeState(codes.context)
    try state.table.read(from: &reader, codes) { (reader) throws(StateError) in
      try RewardTally(from: &reader)
    }
    state.ledger = try RewardLedger(from: &reader)
    return state
  }
}

extension RewardTally {
  /// Writes the tally.
  func write(to writer: inout StateWriter) {
    writer.write(tally: rewards)
    total.write(to: &writer)
    perDecision.write(to: &writer)
    perUnit.write(to: &writer)
  }

  /// Reads a tally.
  ///
  /// - Throws: `StateError` if the bytes are not one.
  init(from reader: inout StateReader) throws(StateError) {
    self.init()
    rewards = try reader.readTally()
    total = try ExactSum(from: &reader)
    perDecision = try Moments(from: &reader)
    perUnit = try Moments(from: &reader)
  }
}
