/// What was read for a report of units and their conversions, and what of it did not count, by rule.
///
/// An assignment is a unit at one point and slot of one experiment. Every conversion (or goal) is counted under exactly one
/// rule: the one that came nearest to letting it count for a variant.
public struct ConversionLedger: Sendable, Equatable {
  /// Distinct units with an exposure that is not after the end.
  public var units = 0
  /// Exposures that are not after the end.
  public var exposures = 0
  /// Provisional decisions that nothing confirmed.
  public var unconfirmedDecisions = 0
  /// Exposures among them that show the same assignment again.
  public var repeatedDecisions = 0
  /// Units that got the default because they are not in.
  public var excludedDecisions = 0
  /// Decisions with a status that this version does not know.
  public var unknownDecisions = 0
  /// Decisions that were left out by their reason.
  public var leftOutDecisions = 0
  /// Assignments that count.
  public var assignments = 0
  /// Assignments left out because the unit saw two variants at the same point and slot.
  public var crossedAssignments = 0
  /// Assignments left out because their window is not over at the end.
  public var inProgressAssignments = 0
  /// Assignments left out because their first exposure is after the end.
  public var assignmentsAfterEnd = 0
  /// Conversions that count for at least one variant.
  public var counted = 0
  /// Those among them that take an earlier one back.
  public var negative = 0
  /// Conversions that would count if no others of the unit and experiment had reached the limit.
  public var beyondLimit = 0
  /// Conversions within the window that are worth too little or too much, or not a number.
  public var outOfBounds = 0
  /// Conversions after the first exposure, but within the delay, after the window or after the end.
  public var outsideWindow = 0
  /// Conversions before the first exposure.
  public var beforeExposure = 0
  /// Conversions of units with exposures of which none counts.
  public var ofUnitsLeftOut = 0
  /// Conversions of units without any exposure.
  public var ofUnitsNeverExposed = 0
  /// Goals that were refused when they came in.
  public var refusedGoals = 0

  /// Every count.
  static let fields: [any WritableKeyPath<ConversionLedger, Int> & Sendable] = [
    \.units, \.exposures, \.unconfirmedDecisions, \.repeatedDecisions, \.excludedDecisions,
    \.unknownDecisions, \.leftOutDecisions, \.assignments, \.crossedAssignments,
    \.inProgressAssignments, \.assignmentsAfterEnd, \.counted, \.negative, \.beyondLimit,
    \.outOfBounds, \.outsideWindow, \.beforeExposure, \.ofUnitsLeftOut, \.ofUnitsNeverExposed,
    \.refusedGoals,
  ]

  mutating func merge(_ other: ConversionLedger) {
    for field in Self.fields { self[keyPath: field] += other[keyPath: field] }
  }

  mutating func subtract(_ other: ConversionLedger) {
    for field in Self.fields { self[keyPath: field] -= other[keyPath: field] }
  }

  /// Counts a conversion or goal.
  mutating func count(_ fate: ConversionFate) {
    switch fate {
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

/// What becomes of a conversion, from what is furthest from counting to what counts.
enum ConversionFate: Int, Sendable {
  case ofUnitNeverExposed
  case ofUnitLeftOut
  case beforeExposure
  case outsideWindow
  case outOfBounds
  case beyondLimit
  case counted
}
