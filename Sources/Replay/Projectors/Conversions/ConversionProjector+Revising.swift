public import Statistics

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

  /// Writes the tallies of every variant and goal, and the ledger.
  public func write(_ state: State, to writer: inout StateWriter) {
    state.segments.write(to: &writer, where: { $0.exposures > 0 }) { count, writer in
      writer.write(tally: count.exposures)
      writer.write(tally: count.units)
    }
    // Segments are numbered as they are when they are read back: in sorted order.
    var goals = SegmentTable(GoalTally())
    let places = placesInOrder(state.segments)
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

  /// Returns, for each index of a segment, its rank among those with exposures; nil without any.
  private func placesInOrder(_ segments: SegmentTable<AssignmentCount>) -> [UInt32?] {
    let order = segments.tallies.indices.filter { segments.tallies[$0].exposures > 0 }.sorted {
      segments.segment(at: $0) < segments.segment(at: $1)
    }
    var places = [UInt32?](repeating: nil, count: segments.count)
    for (written, place) in order.enumerated() { places[place] = UInt32(written) }
    return places
  }

  public func read(
    _ reader: inout StateReader, _ context: UnitContext
  ) throws(StateError) -> State {
    var state = makeState(context)
    let codes = 1 << 32
    try state.segments.read(
      from: &reader, subjects: AssignmentRun.variants(context.arms).variants.count,
      values: context.values.count
    ) { (reader) throws(StateError) in
      AssignmentCount(exposures: try reader.readTally(), units: try reader.readTally())
    }
    try state.goals.read(from: &reader, subjects: state.segments.count, values: codes) {
      (reader) throws(StateError) in try GoalTally(from: &reader)
    }
    try state.goalsOfLog.read(from: &reader, subjects: codes, values: codes) {
      (reader) throws(StateError) in try reader.readTally()
    }
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
