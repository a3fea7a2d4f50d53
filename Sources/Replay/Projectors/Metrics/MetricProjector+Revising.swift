internal import EventLog
public import Specifications
internal import Statistics

/// Metrics can be revised as long as only counts and moments are computed: kept values, bootstrap replicates, days and
/// probabilities are written, but cannot be subtracted.
extension MetricProjector: RevisableUnitProjector {
  /// Whether no metric uses conversions or visits, which belong to no experiment.
  public var isDividedByExperiments: Bool {
    !formulas.readsConversions && formulas.visits == nil
  }

  public func subtract(_ other: State, from state: inout State) {
    state.table.subtract(other.table) { $1.subtract($0) }
    state.exposures.subtract(other.exposures) { $1.subtract($0) }
    state.ledger.subtract(other.ledger)
  }

  /// Adds what the new events change if they are exposures.
  public func extend(
    _ history: Span<UnitEvent>, from start: Int, in added: inout State, _ removed: inout State
  ) {
    if isUnchangedByExposures,
      let known = added.run.extend(history, from: start, &added.ledger)
    {
      added.run.addExposures(of: history, from: known, to: &added.exposures)
      added.run.assign(from: known, &added.ledger)
      // No earlier event counts for a later exposure.
      added.run.measure(history.extracting(..<0), &added.ledger)
      added.run.tally(unit: added.hashes[history[0].unit], into: &added.table)
      return added.run.end()
    }
    replace(history.extracting(..<start), by: history, in: &added, &removed)
  }

  /// Whether an exposure changes the metrics at its own place only, and not by the events before it.
  private var isUnchangedByExposures: Bool {
    formulas.decisions == nil && formulas.visits == nil && !formulas.readsConversions
      && covariatePeriod == nil && !readsProbabilities && !countsDays
  }

  /// Writes the tallies of every segment, and the ledger.
  public func write(_ state: State, to writer: inout StateWriter) {
    state.table.write(to: &writer, where: { $0.units > 0 }) { list, writer in
      writer.write(tally: list.units)
      for metric in list.metrics {
        writer.write(tally: metric.converters)
        metric.moments.write(to: &writer)
        metric.ratio?.write(to: &writer)
        metric.cuped?.write(to: &writer)
        metric.cupedRatio?.write(to: &writer)
        if let values = metric.values { write(values, to: &writer) }
        metric.bootstrap?.write(to: &writer)
      }
    }
    state.exposures.write(to: &writer, where: { $0.units > 0 }) { $0.write(to: &$1) }
    if readsProbabilities { state.expected.writePlaces(to: &writer) }
    if countsDays { write(state.days, to: &writer) }
    state.ledger.write(to: &writer)
  }

  private func write(_ values: [Double], to writer: inout StateWriter) {
    writer.write(UInt64(values.count))
    for value in values.sorted(by: { !$1.isTotallyOrdered(belowOrEqualTo: $0) }) {
      writer.write(value)
    }
  }

  private func write(_ days: [UInt32: [Int64: Int]], to writer: inout StateWriter) {
    writer.write(UInt64(days.count))
    for (arm, days) in days.sorted(by: { $0.key < $1.key }) {
      writer.write(UInt64(arm))
      writer.write(UInt64(days.count))
      for (day, units) in days.sorted(by: { $0.key < $1.key }) {
        writer.write(signed: day)
        writer.write(tally: units)
      }
    }
  }

  public func read(
    _ reader: inout StateReader, _ codes: StateCodes
  ) throws(StateError) -> State {
    var state = makeState(codes.context)
    let noUnits = noUnits
    try state.table.read(from: &reader, codes) { (reader) throws(StateError) in
      var list = noUnits
      list.units = try reader.readTally()
      for index in list.metrics.indices {
        list.metrics[index].converters = try reader.readTally()
        list.metrics[index].moments = try Moments(from: &reader)
        if list.metrics[index].ratio != nil {
          list.metrics[index].ratio = try RatioMoments(from: &reader)
        }
        if list.metrics[index].cuped != nil {
          list.metrics[index].cuped = try CupedMoments(from: &reader)
        }
        if list.metrics[index].cupedRatio != nil {
          list.metrics[index].cupedRatio = try CupedRatioMoments(from: &reader)
        }
        if list.metrics[index].values != nil {
          list.metrics[index].values = try Self.readValues(&reader)
        }
        if let bootstrap {
          list.metrics[index].bootstrap = try PoissonBootstrap(
            from: &reader, replicates: bootstrap.replicates, seed: bootstrap.seed)
        }
      }
      return list
    }
    try state.exposures.read(from: &reader, codes) { (reader) throws(StateError) in
      try FirstExposures(from: &reader)
    }
    if readsProbabilities { try state.expected.readPlaces(from: &reader, codes) }
    if countsDays { state.days = try Self.readDays(&reader, codes) }
    state.ledger = try MetricLedger(from: &reader)
    return state
  }

  private static func readValues(_ reader: inout StateReader) throws(StateError) -> [Double] {
    var values: [Double] = []
    for _ in 0..<(try reader.readCount()) { values.append(try reader.readDouble()) }
    return values
  }

  private static func readDays(
    _ reader: inout StateReader, _ codes: StateCodes
  ) throws(StateError) -> [UInt32: [Int64: Int]] {
    var days: [UInt32: [Int64: Int]] = [:]
    for _ in 0..<(try reader.readCount()) {
      let arm = try codes.readArm(&reader)
      for _ in 0..<(try reader.readCount()) {
        let day = try reader.readSigned()
        days[arm, default: [:]][day] = try reader.readTally()
      }
    }
    return days
  }
}

extension MetricTallyList {
  fileprivate mutating func subtract(_ other: MetricTallyList) {
    units -= other.units
    for (index, metric) in other.metrics.enumerated() {
      metrics[index].converters -= metric.converters
      metrics[index].moments.subtract(metric.moments)
      if let ratio = metric.ratio { metrics[index].ratio?.subtract(ratio) }
      if let cuped = metric.cuped { metrics[index].cuped?.subtract(cuped) }
      if let cuped = metric.cupedRatio { metrics[index].cupedRatio?.subtract(cuped) }
    }
  }
}
