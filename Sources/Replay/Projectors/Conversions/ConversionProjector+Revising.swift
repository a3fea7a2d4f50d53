internal import EventLog
public import Specifications
internal import Statistics

/// Conversions can be revised unless they are capped at a percentile: in that case every unit's revenue is kept, and
/// each one to subtract would have to be searched for.
extension ConversionProjector: RevisableUnitProjector {
  public func subtract(_ other: State, from state: inout State) {
    for place in other.segments.tallies.indices {
      let (variant, value) = other.segments.segment(at: place)
      let mine = state.segments.place(of: variant, value)
      state.segments.tallies[mine].exposures -= other.segments.tallies[place].exposures
      state.segments.tallies[mine].units -= other.segments.tallies[place].units
    }
    for place in other.goals.tallies.indices {
      let (segment, goal) = other.goals.segment(at: place)
      let (variant, value) = other.segments.segment(at: Int(segment))
      let mine = UInt32(truncatingIfNeeded: state.segments.place(of: variant, value))
      state.goals.tallies[state.goals.place(of: mine, goal)].subtract(other.goals.tallies[place])
    }
    state.goalsOfLog.subtract(other.goalsOfLog) { $1 -= $0 }
    state.ledger.subtract(other.ledger)
  }

  /// Adds what the new events change if they are exposures of a unit without conversions.
  public func extend(
    _ history: Span<UnitEvent>, from start: Int, in added: inout State, _ removed: inout State
  ) {
    if added.run.extend(history, from: start, &added.segments, &added.ledger) { return }
    replace(history.extracting(..<start), by: history, in: &added, &removed)
  }

  /// Writes the tallies of every variant and goal, and the ledger.
  public func write(_ state: State, to writer: inout StateWriter) {
    state.segments.writeSegments(to: &writer)
    // Segments are numbered as they are when they are read back: in sorted order.
    var goals = SegmentTable(GoalTally())
    let places = state.segments.placesInOrder
    for (place, tally) in state.goals.tallies.enumerated() {
      let (segment, goal) = state.goals.segment(at: place)
      guard let written = places[Int(segment)] else { continue }
      goals.tallies[goals.place(of: written, goal)] = tally
    }
    goals.write(to: &writer, where: { $0.tally.conversions > 0 }) { goal, writer in
      goal.write(to: &writer)
    }
    state.goalsOfLog.write(to: &writer, where: { $0 > 0 }) { $1.write(tally: $0) }
    state.ledger.write(to: &writer)
  }

  public func read(
    _ reader: inout StateReader, _ codes: StateCodes
  ) throws(StateError) -> State {
    var state = makeState(codes.context)
    let segments = try state.segments.readSegments(from: &reader, codes)
    try state.goals.read(
      from: &reader,
      subject: { (reader) throws(StateError) in
        segments[try reader.readCount(below: segments.count)]
      }, value: { (reader) throws(StateError) in try codes.readName(.goals, &reader) }
    ) { (reader) throws(StateError) in try GoalTally(from: &reader) }
    try state.goalsOfLog.read(
      from: &reader,
      subject: { (reader) throws(StateError) in try codes.readName(.goals, &reader) },
      value: { (reader) throws(StateError) in try codes.readName(.experiments, &reader) }
    ) { (reader) throws(StateError) in try reader.readTally() }
    state.ledger = try ConversionLedger(from: &reader)
    return state
  }
}

extension ConversionProjector.GoalTally {
  fileprivate mutating func subtract(_ other: Self) {
    tally.converters -= other.tally.converters
    tally.conversions -= other.tally.conversions
    tally.total.subtract(other.tally.total)
    tally.perUnit.subtract(other.tally.perUnit)
    tally.cappedUnits -= other.tally.cappedUnits
    for revenue in other.revenues {
      if let place = revenues.firstIndex(of: revenue) { revenues.remove(at: place) }
    }
  }

  fileprivate func write(to writer: inout StateWriter) {
    writer.write(tally: tally.converters)
    writer.write(tally: tally.conversions)
    tally.total.write(to: &writer)
    tally.perUnit.write(to: &writer)
    writer.write(tally: tally.cappedUnits)
    writer.write(UInt64(revenues.count))
    for revenue in revenues.sorted() { writer.write(revenue) }
  }

  fileprivate init(from reader: inout StateReader) throws(StateError) {
    self.init()
    tally.converters = try reader.readTally()
    tally.conversions = try reader.readTally()
    tally.total = try ExactSum(from: &reader)
    tally.perUnit = try Moments(from: &reader)
    tally.cappedUnits = try reader.readTally()
    for _ in 0..<(try reader.readCount()) { revenues.append(try reader.readDouble()) }
  }
}
