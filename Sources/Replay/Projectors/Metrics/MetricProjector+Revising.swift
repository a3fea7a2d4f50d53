public import Statistics

/// Metrics can be revised as long as only counts and moments are computed: kept values, bootstrap replicates, days and
/// probabilities can be neither subtracted nor written.
extension MetricProjector: RevisableUnitProjector {
  public func subtract(_ other: State, from state: inout State) {
    state.table.subtract(other.table) { $1.subtract($0) }
    state.exposures.subtract(other.exposures) { $1.subtract($0) }
    state.ledger.subtract(other.ledger)
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
      }
    }
    state.exposures.write(to: &writer, where: { $0.units > 0 }) { $0.write(to: &$1) }
    state.ledger.write(to: &writer)
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
      }
      return list
    }
    try state.exposures.read(from: &reader, codes) { (reader) throws(StateError) in
      try FirstExposures(from: &reader)
    }
    state.ledger = try MetricLedger(from: &reader)
    return state
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
    }
  }
}
