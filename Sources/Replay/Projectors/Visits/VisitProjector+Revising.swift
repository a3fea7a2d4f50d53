extension VisitProjector: RevisableUnitProjector {
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
