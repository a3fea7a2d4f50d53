internal import Specifications

/// Counts of what was read for a report on units and their conversions, and of what was excluded, by rule.
///
/// An assignment is a unit at one point and slot of one experiment. Every conversion (or goal) is counted under
/// exactly one rule: the one that came nearest to letting it count for a variant.
public struct ConversionLedger: DecisionLedger, Equatable {
  /// Distinct units with an exposure at or before the end.
  public var units = 0
  /// Exposures at or before the end.
  public var exposures = 0
  /// The decisions that are not counted.
  public var uncounted = UncountedDecisions()
  /// Assignments that count.
  public var assignments = 0
  /// Assignments excluded because the unit saw two variants at the same point and slot.
  public var crossedAssignments = 0
  /// Assignments excluded because their window extends beyond the end.
  public var inProgressAssignments = 0
  /// Assignments excluded because their first exposure is after the end.
  public var assignmentsAfterEnd = 0
  /// Conversions that count for at least one variant.
  public var counted = 0
  /// Negative conversions among them.
  public var negative = 0
  /// Conversions that would count if others of the unit, place and code had not reached the limit.
  public var beyondLimit = 0
  /// Conversions within the window whose value is below the minimum, above the maximum, or not a number.
  public var outOfBounds = 0
  /// Conversions after the first exposure, but within the delay, after the window or after the end.
  public var outsideWindow = 0
  /// Conversions before the first exposure.
  public var beforeExposure = 0
  /// Conversions of exposed units none of whose exposures counts.
  public var ofUnitsLeftOut = 0
  /// Conversions of units without any exposure.
  public var ofUnitsNeverExposed = 0
  /// Refused goals.
  public var refusedGoals = 0

  public static let counts: LedgerCounts<Self> =
    ["units": \.units, "exposures": \.exposures] + uncountedDecisions + [
      "assignments": \.assignments, "assignments_crossed": \.crossedAssignments,
      "assignments_in_progress": \.inProgressAssignments,
      "assignments_after_end": \.assignmentsAfterEnd,
    ]
    + .unnamed(
      \.counted, \.negative, \.beyondLimit, \.outOfBounds, \.outsideWindow, \.beforeExposure,
      \.ofUnitsLeftOut, \.ofUnitsNeverExposed, \.refusedGoals)

  /// Counts a conversion or goal.
  mutating func count(_ outcome: ConversionOutcome) {
    switch outcome {
    case .ofUnitNeverExposed: ofUnitsNeverExposed += 1
    case .ofUnitLeftOut: ofUnitsLeftOut += 1
    case .beforeExposure: beforeExposure += 1
    case .outsideWindow: outsideWindow += 1
    case .outOfBounds: outOfBounds += 1
    case .beyondLimit: beyondLimit += 1
    case .counted: counted += 1
    }
  }
}

/// Whether a conversion counts, and if not, why: ordered from the furthest from counting to counted.
enum ConversionOutcome: Int, Sendable {
  case ofUnitNeverExposed
  case ofUnitLeftOut
  case beforeExposure
  case outsideWindow
  case outOfBounds
  case beyondLimit
  case counted
}
