public import Specifications
internal import Statistics

extension VisitProjector: RevisableUnitProjector {
  public func subtract(_ other: State, from state: inout State) {
    state.table.subtract(other.table) { $1.subtract($0) }
    state.overall.subtract(other.overall)
    state.ledger.subtract(other.ledger)
  }

  /// Adds what the new events change. Visits that had ended before them are in neither state.
  public func extend(
    _ history: Span<UnitEvent>, from start: Int, in added: inout State, _ removed: inout State
  ) {
    guard let known = added.assignments.loadExtended(history, from: start)?.known else {
      return replace(history.extracting(..<start), by: history, in: &added, &removed)
    }
    added.ledger.extend(history, from: start, known: known, added.assignments)
    let places = added.assignments.places
    extend(history, 0..<start, at: nil, places, &added.overall, &removed.overall)
    for assignment in added.assignments.kept(crossing) {
      let (first, at) = (assignment.index, assignment.place)
      let place = added.table.place(of: assignment.arm, assignment.value)
      guard first < start else {
        add(history, from: first, at: at, places, &added.table.tallies[place])
        continue
      }
      let old = removed.table.place(of: assignment.arm, assignment.value)
      extend(
        history, first..<start, at: at, places, &added.table.tallies[place],
        &removed.table.tallies[old])
    }
  }

  private func extend(
    _ history: Span<UnitEvent>, _ range: Range<Int>, at place: UInt32?, _ places: Places,
    _ added: inout VisitTally, _ removed: inout VisitTally
  ) {
    var visits = UnitVisits()
    take(range, of: history, at: place, places, &visits)
    visits.forgetEnded()
    visits.add(to: &removed)
    take(range.upperBound..<history.count, of: history, at: place, places, &visits)
    visits.add(to: &added)
  }

  /// Writes the visits of every segment and of all units, and the ledger.
  public func write(_ state: State, to writer: inout StateWriter) {
    state.table.write(to: &writer, where: { $0.units > 0 }) { $0.write(to: &$1) }
    state.overall.write(to: &writer)
    state.ledger.write(to: &writer)
  }

  public func read(
    _ reader: inout StateReader, _ codes: StateCodes
  ) throws(StateError) -> State {
    var state = makeState(codes.context)
    try state.table.read(from: &reader, codes) { (reader) throws(StateError) in
      try VisitTally(from: &reader)
    }
    state.overall = try VisitTally(from: &reader)
    state.ledger = try AssignmentLedger(from: &reader)
    return state
  }
}

extension AssignmentLedger {
  /// Counts the new events of a unit with earlier ones, and its new assignments.
  fileprivate mutating func extend(
    _ history: Span<UnitEvent>, from start: Int, known: Int, _ assignments: Assignments
  ) {
    for index in start..<history.count {
      count(history[index], as: Assignments.role(of: history[index], end: .max))
    }
    exposedUnits += known == 0 && !assignments.all.isEmpty ? 1 : 0
    self.assignments += assignments.all.count - known
    crossedAssignments += assignments.all[known...].count { $0.isCrossed }
  }
}

extension VisitTally {
  fileprivate func write(to writer: inout StateWriter) {
    perUnit.write(to: &writer)
    writer.write(UInt64(truncatingIfNeeded: duration))
    writer.write(tally: Int(truncatingIfNeeded: duration >> 64))
    writer.write(tally: singles)
    writer.write(tally: withGoal)
  }

  fileprivate init(from reader: inout StateReader) throws(StateError) {
    self.init()
    perUnit = try RatioMoments(from: &reader)
    // Visits and events are counts, which are shown as `Int`.
    for sum in [perUnit.numerator.sum, perUnit.denominator.sum] {
      guard sum >= 0, sum < 0x1p60 else { throw StateError("a number of visits is none") }
    }
    let low = try reader.read()
    duration = Int128(try reader.readTally()) << 64 | Int128(low)
    singles = try reader.readTally()
    withGoal = try reader.readTally()
  }
}
