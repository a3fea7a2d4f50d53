public import Specifications

/// The tallies of the segments that units are assigned to: the state of a projector of assigned units that reads all
/// kinds of events.
public struct AssignedState<Tally: StateField>: StateFields {
  var table: SegmentTable<Tally>
  var ledger = AssignmentLedger()
  var units: AssignedUnits

  /// Creates an empty state, with the initial tally of a segment.
  init(_ initial: Tally, _ context: UnitContext, _ attribution: Attribution) {
    table = SegmentTable(initial)
    units = AssignedUnits(context, attribution)
  }

  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&table, other.table)
    visit(&ledger, other.ledger)
  }

  /// Loads a unit, and adds each of its assignments that count to the tally of its segment.
  mutating func add(
    _ history: Span<UnitEvent>, _ body: (AssignedUnits.Assignment, inout Tally) -> Void
  ) {
    ledger.units += 1
    units.load(history, &ledger)
    for assignment in units.counting {
      body(assignment, &table.tallies[table.place(of: assignment.arm, assignment.value)])
    }
  }
}
