internal import Specifications
internal import Statistics

extension PolicyTally {
  /// Writes the tally. Equal tallies have equal bytes.
  ///
  /// - Throws: `StateError` if an estimator or a method of intervals cannot be written.
  func write(to writer: inout StateWriter) throws(StateError) {
    for index in estimates.indices {
      try estimates[index].write(to: &writer)
      differences[index]?.write(to: &writer)
      bootstraps[index]?.write(to: &writer)
    }
    weights.write(to: &writer)
    for (use, _) in otherInputs { otherWeights[use]?.write(to: &writer) }
    excess.write(to: &writer)
    support.write(to: &writer)
    writer.write(tally: undecided)
    writer.write(tally: unseen)
    writer.write(tally: notFinite)
    writer.write(UInt64(periods.count))
    for (period, tally) in periods.sorted(by: { $0.key < $1.key }) {
      writer.write(signed: period)
      try tally.write(to: &writer)
    }
    writer.write(UInt64(slots.count))
    for (place, tally) in slots.sorted(by: { $0.key < $1.key }) {
      writer.write(UInt64(place))
      try tally.write(to: &writer)
    }
  }

  /// Reads a tally of the same plan, in place of this one.
  ///
  /// - Throws: `StateError` if the bytes are invalid.
  mutating func read(
    from reader: inout StateReader, _ places: StoredPlaces
  ) throws(StateError) {
    let codes = places.codes
    for index in estimates.indices {
      try estimates[index].read(from: &reader, codes)
      try differences[index]?.read(from: &reader)
      try bootstraps[index]?.read(from: &reader)
    }
    weights = try WeightDiagnostics(from: &reader)
    for (use, _) in otherInputs { otherWeights[use] = try WeightDiagnostics(from: &reader) }
    excess = try Moments(from: &reader)
    support = try SupportTally(from: &reader, places)
    undecided = try reader.readTally()
    unseen = try reader.readTally()
    notFinite = try reader.readTally()
    for _ in 0..<(try reader.readCount()) {
      let period = try reader.readSigned()
      var tally = PeriodTally(estimators)
      try tally.read(from: &reader, codes)
      guard periods.updateValue(tally, forKey: period) == nil else {
        throw StateError("a period occurs twice")
      }
    }
    for _ in 0..<(try reader.readCount()) {
      let place = try places.read(&reader)
      var tally = SlotTally(estimators, intervals)
      try tally.read(from: &reader, codes)
      guard slots.updateValue(tally, forKey: place) == nil else {
        throw StateError("a slot occurs twice")
      }
    }
  }
}

extension OffPolicyEstimate {
  /// Reads an estimate in place of this one, whose logging policies are the values of the dimension.
  ///
  /// - Throws: `StateError` if the bytes are invalid.
  mutating func read(from reader: inout StateReader, _ codes: StateCodes) throws(StateError) {
    try read(from: &reader) { (reader) throws(StateError) in try codes.readValue(&reader) }
  }
}

extension OffPolicySums {
  /// Reads sums in place of these, whose logging policies are the values of the dimension.
  ///
  /// - Throws: `StateError` if the bytes are invalid.
  mutating func read(from reader: inout StateReader, _ codes: StateCodes) throws(StateError) {
    try read(from: &reader) { (reader) throws(StateError) in try codes.readValue(&reader) }
  }
}
