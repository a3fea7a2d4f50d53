public import Specifications
internal import Statistics

extension SeriesProjector: RevisableUnitProjector {
  /// True: a goal is credited within its experiment.
  public var isDividedByExperiments: Bool { true }

  public func subtract(_ other: State, from state: inout State) {
    state.table.subtract(other.table) { $1.subtract($0) }
    state.ledger.subtract(other.ledger)
  }

  /// Writes the tallies of every segment and period, and the ledger.
  public func write(_ state: State, to writer: inout StateWriter) {
    state.table.write(to: &writer, where: { !$0.tallies.allSatisfy(\.isEmpty) }) {
      $0.write(to: &$1)
    }
    state.ledger.write(to: &writer)
  }

  public func read(
    _ reader: inout StateReader, _ codes: StateCodes
  ) throws(StateError) -> State {
    var state = makeState(codes.context)
    let periods = period.index(of: .min)...period.index(of: .max)
    try state.table.read(from: &reader, codes) { (reader) throws(StateError) in
      try PeriodTable(from: &reader, within: periods)
    }
    state.ledger = try RewardLedger(from: &reader)
    return state
  }
}

extension PeriodTable {
  fileprivate mutating func subtract(_ other: PeriodTable) {
    for (place, period) in other.periods.enumerated() {
      change(period) { $0.subtract(other.tallies[place]) }
    }
  }

  /// Writes the periods that are not empty, in order of time.
  fileprivate func write(to writer: inout StateWriter) {
    let periods = periods
    let order = tallies.indices.filter { !tallies[$0].isEmpty }.sorted { periods[$0] < periods[$1] }
    writer.write(UInt64(order.count))
    for place in order {
      writer.write(signed: periods[place])
      tallies[place].write(to: &writer)
    }
  }

  /// Reads periods, each of which must be one that was seen in the log.
  fileprivate init(
    from reader: inout StateReader, within periods: ClosedRange<Int64>
  ) throws(StateError) {
    self.init()
    for _ in 0..<(try reader.readCount()) {
      let period = try reader.readSigned()
      guard periods.contains(period) else { throw StateError("a period that no time lies in") }
      let tally = try SeriesTally(from: &reader)
      change(period) { $0 = tally }
    }
  }
}

extension SeriesTally {
  fileprivate func write(to writer: inout StateWriter) {
    for count in [decisions, newUnits, activeUnits, rewards, decisionsWithPropensity] {
      writer.write(tally: count)
    }
    rewardSum.write(to: &writer)
    perDecision.write(to: &writer)
    propensitySum.write(to: &writer)
  }

  fileprivate init(from reader: inout StateReader) throws(StateError) {
    self.init()
    decisions = try reader.readTally()
    newUnits = try reader.readTally()
    activeUnits = try reader.readTally()
    rewards = try reader.readTally()
    decisionsWithPropensity = try reader.readTally()
    rewardSum = try ExactSum(from: &reader)
    perDecision = try Moments(from: &reader)
    propensitySum = try ExactSum(from: &reader)
  }
}
