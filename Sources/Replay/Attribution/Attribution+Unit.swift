internal import Events

/// An exposure of a unit to a variant of an experiment.
public struct Exposure: Hashable, Sendable {
  /// When, in microseconds since 1970-01-01T00:00:00Z.
  public var time: Int64
  /// Which variant.
  public var variant: UInt32

  /// Makes an exposure.
  public init(time: Int64, variant: UInt32) {
    self.time = time
    self.variant = variant
  }
}

/// A goal or conversion of a unit.
public struct GoalSignal: Hashable, Sendable {
  /// When, in microseconds since 1970-01-01T00:00:00Z.
  public var time: Int64
  /// What it is worth.
  public var value: Double

  /// Makes a goal.
  public init(time: Int64, value: Double) {
    self.time = time
    self.value = value
  }
}

/// Where a unit belongs in an experiment.
public enum UnitAssignment: Hashable, Sendable {
  /// It was never exposed, or only after the end.
  case none
  /// It was seen in several variants, and is left out.
  case crossed
  /// Its window is not over at the end, and it is left out.
  case inProgress
  /// It belongs to a variant since its first exposure.
  case assigned(variant: UInt32, since: Int64)
}

/// Part of a goal's value that an exposure gets.
public struct Credit: Hashable, Sendable {
  /// The index of the exposure.
  public var exposure: Int
  /// The index of the goal.
  public var goal: Int
  /// What it gets.
  public var value: Double
}

extension Attribution {
  /// Where a unit belongs, by its exposures in order of time.
  ///
  /// - Complexity: O(number of exposures).
  public func assignment(of exposures: some Collection<Exposure>) -> UnitAssignment {
    let seen = exposures.lazy.filter { hasSeen($0.time) }
    guard let first = seen.first else { return .none }
    if crossing == .drop, seen.contains(where: { $0.variant != first.variant }) { return .crossed }
    if isInProgress(first.time) { return .inProgress }
    return .assigned(variant: first.variant, since: first.time)
  }

  /// The goals that count for a unit that belongs to a variant since a time: those within the window, within minimum and
  /// maximum, as often as they may. Goals are those of one experiment, in order of time.
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

  /// What each exposure of a unit gets of each goal. Exposures and goals are in order of time; an exposure comes before a
  /// goal of the same time.
  ///
  /// - Returns: The credits in order of the goals, then of the exposures.
  /// - Complexity: O(goals × exposures in their windows); with `last` and `first` O(goals · log exposures + exposures).
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

  /// The most goals of a unit that count in an experiment; nil for all.
  var mostGoals: Int? { counting == .once ? min(limit ?? 1, 1) : limit }

  /// The last time that counts, in microseconds.
  var lastTime: Int64 { end?.microseconds ?? .max }

  /// Whether a time is not after the end.
  func hasSeen(_ time: Int64) -> Bool { time <= lastTime }

  func isWithinBounds(_ value: Double) -> Bool {
    value >= minimum ?? -.infinity && value <= maximum ?? .infinity
  }

  /// Whether a goal counts for an exposure: from the delay on to the end of the window, and not after the end.
  func isOpen(_ time: Int64, since exposure: Int64) -> Bool {
    let start = Self.sum(exposure, delay)
    guard time >= start, hasSeen(time) else { return false }
    return window.map { time <= Self.sum(start, $0) } ?? true
  }

  func isInProgress(_ exposure: Int64) -> Bool {
    guard excludesInProgress, let end, let window else { return false }
    return Self.sum(Self.sum(exposure, delay), window) > end.microseconds
  }

  /// The sum of two times or durations, held at the ends of what can be said.
  static func sum(_ a: Int64, _ b: Int64) -> Int64 {
    let (sum, isOver) = a.addingReportingOverflow(b)
    return isOver ? (b < 0 ? .min : .max) : sum
  }
}
