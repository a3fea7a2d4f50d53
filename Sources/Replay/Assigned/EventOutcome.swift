/// Whether a goal or conversion counts for the assignments of its unit, and if not, why: ordered from the furthest from
/// counting to counted.
public enum EventOutcome: Int, CaseIterable, Comparable, Sendable {
  /// The unit was never exposed.
  case ofUnitNeverExposed
  /// None of the exposures of the unit counts.
  case ofUnitLeftOut
  /// It was before the first exposure.
  case beforeExposure
  /// It was after the first exposure, but within the delay, after the window or after the end.
  case outsideWindow
  /// Its value, or the amount of a conversion, is below the minimum, above the maximum, or not a number.
  case outOfBounds
  /// It would count if others of the unit, place and code had not reached the limit.
  case beyondLimit
  /// It counts.
  case counted

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension Attribution {
  /// Returns whether an event of a unit counts from an exposure on, before any limit is applied, and if not, why.
  @inline(__always)
  func outcome(of event: UnitEvent, since exposure: Int64) -> EventOutcome {
    if event.time < exposure { return .beforeExposure }
    guard isOpen(event, since: exposure) else { return .outsideWindow }
    return isWithinBounds(event) ? .counted : .outOfBounds
  }
}
