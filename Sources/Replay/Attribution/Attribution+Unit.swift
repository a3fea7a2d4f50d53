internal import Events

/// An exposure of a unit to a variant of an experiment.
public struct Exposure: Hashable, Sendable {
  /// The time in microseconds since 1970-01-01T00:00:00Z.
  public var time: Int64
  /// The code of the variant.
  public var variant: UInt32

  /// Creates an exposure.
  public init(time: Int64, variant: UInt32) {
    self.time = time
    self.variant = variant
  }
}

/// A goal or conversion of a unit.
public struct GoalSignal: Hashable, Sendable {
  /// The time in microseconds since 1970-01-01T00:00:00Z.
  public var time: Int64
  /// The value of the goal, or the revenue of the conversion.
  public var value: Double

  /// Creates a goal.
  public init(time: Int64, value: Double) {
    self.time = time
    self.value = value
  }
}

/// The assignment of a unit in an experiment.
public enum UnitAssignment: Hashable, Sendable {
  /// The unit was never exposed, or only after the end.
  case none
  /// The unit was exposed to several variants, and is excluded.
  case crossed
  /// The unit's window extends beyond the end, and it is excluded.
  case inProgress
  /// The unit is assigned to a variant from its first exposure on.
  case assigned(variant: UInt32, since: Int64)
}

/// The part of a goal's value that is credited to an exposure.
public struct Credit: Hashable, Sendable {
  /// The index of the exposure.
  public var exposure: Int
  /// The index of the goal.
  public var goal: Int
  /// The value that is credited.
  public var value: Double
}

extension Attribution {
  /// Returns the assignment of a unit with the given exposures, which must be in order of time.
  ///
  /// - Complexity: O(number of exposures).
  public func assignment(of exposures: some Collection<Exposure>) -> UnitAssignment {
    let seen = exposures.lazy.filter { hasSeen($0.time) }
    guard let first = seen.first else { return .none }
    if crossing == .drop, seen.contains(where: { $0.variant != first.variant }) { return .crossed }
    if isInProgress(first.time) { return .inProgress }
    return .assigned(variant: first.variant, since: first.time)
  }

  /// Returns the goals that count for a unit assigned to a variant at a given time: those within the window and within
  /// minimum and maximum, up to the limit. Goals are those of one experiment, in order of time.
  ///
  /// - Returns: The indices of the goals that count.
  /// - Complexity: O(number of goals).
  public func counted(_ goals: some Collection<GoalSignal>, since: Int64) -> [Int] {
    var counted: [Int] = []
    for (index, goal) in goals.enumerated() {
      guard isOpen(goal.time, since: since), isWithinBounds(goal.value) else { continue }
      counted.append(index)
      if counted.count >= most { break }
    }
    return counted
  }

  /// Returns the credit that each exposure of a unit gets for each goal. Exposures and goals are in order of time; an
  /// exposure precedes a goal of the same time.
  ///
  /// - Returns: The credits in order of the goals, then of the exposures.
  /// - Complexity: O(goals × exposures in their windows); with `last` and `first` O(goals · log exposures +
  ///   exposures).
  public func credits(_ goals: [GoalSignal], to exposures: [Exposure]) -> [Credit] {
    var credits: [Credit] = []
    var goalsCredited = 0
    for (index, goal) in goals.enumerated() {
      guard goalsCredited < most else { break }
      guard isWithinBounds(goal.value), hasSeen(goal.time) else { continue }
      let credited = exposures.indices.filter { place in
        let time = exposures[place].time
        return isOpen(goal.time, since: time) && !isInProgress(time)
      }
      guard let first = credited.first, let last = credited.last else { continue }
      goalsCredited += 1
      switch rule {
      case .last: credits.append(Credit(exposure: last, goal: index, value: goal.value))
      case .first: credits.append(Credit(exposure: first, goal: index, value: goal.value))
      case .all:
        credits += credited.map { Credit(exposure: $0, goal: index, value: goal.value) }
      case .linear:
        let part = goal.value / Double(credited.count)
        credits += credited.map { Credit(exposure: $0, goal: index, value: part) }
      }
    }
    return credits
  }

  private var most: Int { mostGoals ?? .max }

  /// The maximum number of goals of a unit that count in an experiment; nil for no limit.
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
