public import Specifications

/// Counts of what was read for a report on units and their conversions, and of what was excluded, by rule.
///
/// An assignment is a unit at one point and slot of one experiment. Every conversion (or goal) is counted under
/// exactly one rule: the one that came nearest to letting it count for a variant.
public struct ConversionLedger: StateFields, Equatable {
  /// The units, exposures and assignments.
  public var assigned = AssignmentLedger()
  /// Negative conversions that count.
  public var negative = 0
  /// Refused goals.
  public var refusedGoals = 0
  private var outcomes = Array(repeating: 0, count: EventOutcome.allCases.count)

  /// The number of conversions (or goals) with an outcome.
  public internal(set) subscript(outcome: EventOutcome) -> Int {
    get { outcomes[outcome.rawValue] }
    set { outcomes[outcome.rawValue] = newValue }
  }

  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&assigned, other.assigned)
    visit(&outcomes, other.outcomes)
    visit(&negative, other.negative)
    visit(&refusedGoals, other.refusedGoals)
  }

  /// The counts of units, exposures and assignments that reports note, with their names.
  public var noted: [(name: String, count: Int)] {
    [("units", assigned.exposedUnits), ("exposures", assigned.exposures)]
      + assigned.noted(AssignmentLedger.uncountedDecisions) + [
        ("assignments", assigned.countedAssignments),
        ("assignments_crossed", assigned.droppedAssignments),
        ("assignments_in_progress", assigned.inProgressAssignments),
        ("assignments_after_end", assigned.assignmentsAfterEnd),
      ]
  }
}
