internal import Specifications
internal import Statistics

extension RegretSurvey {
  func write(_ state: State, to writer: inout StateWriter) {
    state.units.write(to: &writer)
    state.tallies.write(to: &writer, where: { _ in true }) { $0.write(to: &$1) }
    state.orders.write(to: &writer, where: { _ in true }) { $0.write(to: &$1) }
    state.places.write(to: &writer, where: { _ in true }) { tally, writer in
      writer.write(tally: tally.sharedUnits)
      tally.decisions.write(to: &writer)
    }
  }

  func read(_ reader: inout StateReader, _ codes: StateCodes) throws(StateError) -> State {
    var state = makeState(codes.context)
    try state.units.read(from: &reader, codes)
    try state.tallies.read(from: &reader, codes) { (reader) throws(StateError) in
      try RegretTally(from: &reader)
    }
    let places = try PlaceCodes(codes)
    let limit = rules.orderRanges
    try state.orders.read(
      from: &reader, subject: { (reader) throws(StateError) in try places.read(&reader) },
      value: { (reader) throws(StateError) in try codes.readValue(&reader) }
    ) { (reader) throws(StateError) in try OrderHistogram(from: &reader, limit: limit) }
    try state.places.read(
      from: &reader, subject: { (reader) throws(StateError) in try places.read(&reader) },
      value: { (reader) throws(StateError) in try codes.readValue(&reader) }
    ) { (reader) throws(StateError) in
      RegretPlaceTally(
        sharedUnits: try reader.readTally(), decisions: try Moments(from: &reader))
    }
    return state
  }
}

/// The numbers of places in a stored state, as those of the context that it is read into.
struct PlaceCodes {
  private let places: [UInt32]?
  private let limit: Int

  init(_ codes: StateCodes) throws(StateError) {
    places = try codes.indices { Places($0).names }
    limit = Places(codes.storedArms).count
  }

  /// Reads the number of a place.
  ///
  /// - Throws: `StateError` if there is no such place.
  func read(_ reader: inout StateReader) throws(StateError) -> UInt32 {
    let place = try reader.readCount(below: limit)
    return places?[place] ?? UInt32(place)
  }
}

extension RegretTally {
  fileprivate func write(to writer: inout StateWriter) {
    writer.write(tally: weighed)
    rewards.write(to: &writer)
    weights.write(to: &writer)
    units.write(to: &writer)
    writer.write(tally: rewardsNotBinary)
    writer.write(tally: withoutPropensity)
    propensities.write(to: &writer)
  }

  fileprivate init(from reader: inout StateReader) throws(StateError) {
    weighed = try reader.readTally()
    rewards = try ExactSum(from: &reader)
    weights = try ExactSum(from: &reader)
    units = try RatioMoments(from: &reader)
    rewardsNotBinary = try reader.readTally()
    withoutPropensity = try reader.readTally()
    propensities = try PropensitySums(from: &reader)
  }
}
