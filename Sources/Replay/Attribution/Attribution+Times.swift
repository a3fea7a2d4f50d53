internal import Events

extension Attribution {
  /// The maximum number of goals of each code that count for a unit at a place; nil for no limit.
  var mostGoals: Int? { counting == .once ? min(limit ?? 1, 1) : limit }

  /// The last time that counts, in microseconds.
  var lastTime: Int64 { end?.microseconds ?? .max }

  /// Returns whether a time is at or before the end.
  func hasSeen(_ time: Int64) -> Bool { time <= lastTime }

  func isWithinBounds(_ value: Double) -> Bool {
    value >= minimum ?? -.infinity && value <= maximum ?? .infinity
  }

  /// Returns whether a goal counts for an exposure: from the delay to the end of the window, and not after the end.
  func isOpen(_ time: Int64, since exposure: Int64) -> Bool {
    let start = Self.sum(exposure, delay)
    guard time >= start, hasSeen(time) else { return false }
    return window.map { time <= Self.sum(start, $0) } ?? true
  }

  func isInProgress(_ exposure: Int64) -> Bool {
    guard excludesInProgress, let end, let window else { return false }
    return Self.sum(Self.sum(exposure, delay), window) > end.microseconds
  }

  /// Returns the saturating sum of two times or durations.
  static func sum(_ a: Int64, _ b: Int64) -> Int64 {
    let (sum, isOver) = a.addingReportingOverflow(b)
    return isOver ? (b < 0 ? .min : .max) : sum
  }
}
