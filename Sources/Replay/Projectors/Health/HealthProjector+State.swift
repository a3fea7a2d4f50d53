internal import EventLog
public import Specifications
internal import Statistics

extension HealthProjector {
  /// Writes all counts.
  public func write(_ state: State, to writer: inout StateWriter) {
    state.exposures.write(to: &writer, where: { $0.first.units > 0 }) { tally, writer in
      tally.first.write(to: &writer)
      tally.priorConversions.write(to: &writer)
      tally.priorRevenue.write(to: &writer)
      tally.priorGoals.write(to: &writer)
    }
    if readsProbabilities { state.expected.writePlaces(to: &writer) }
    state.experiments.write(to: &writer, where: { _ in true }) { $0.write(to: &$1) }
    state.units.write(to: &writer)
  }

  /// Reads a state.
  ///
  /// - Throws: `StateError` if the bytes are not a state.
  public func read(
    _ reader: inout StateReader, _ codes: StateCodes
  ) throws(StateError) -> State {
    var state = makeState(codes.context)
    try state.exposures.read(from: &reader, codes) { (reader) throws(StateError) in
      var tally = ExposureTally()
      tally.first = try FirstExposures(from: &reader)
      tally.priorConversions = try Moments(from: &reader)
      tally.priorRevenue = try Moments(from: &reader)
      tally.priorGoals = try Moments(from: &reader)
      return tally
    }
    if readsProbabilities { try state.expected.readPlaces(from: &reader, codes) }
    try state.experiments.read(
      from: &reader,
      subject: { (reader) throws(StateError) in try codes.readName(.experiments, &reader) },
      value: { (reader) throws(StateError) in UInt32(try reader.readCount(below: 1)) }
    ) { (reader) throws(StateError) in try ExperimentLedger(from: &reader) }
    state.units = try UnitLedger(from: &reader)
    return state
  }
}

extension UnitLedger {
  private static let tallies: [any WritableKeyPath<UnitLedger, Int> & Sendable] = [
    \.units, \.events, \.lateEvents, \.exposedUnits, \.conversions, \.orphanConversions,
    \.duplicateConversions, \.busyUnits, \.mostEventsOfDay,
  ]

  fileprivate func write(to writer: inout StateWriter) {
    for count in Self.tallies { writer.write(tally: self[keyPath: count]) }
    writer.write(signed: largestLateness)
  }

  fileprivate init(from reader: inout StateReader) throws(StateError) {
    self.init()
    for count in Self.tallies { self[keyPath: count] = try reader.readTally() }
    largestLateness = try reader.readSigned()
  }
}
