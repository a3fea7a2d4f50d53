/// How far the units of a segment came.
public struct FunnelTally: Sendable, Equatable {
  /// Units that belong to it.
  public var units = 0
  /// Units whose window was not over at the end of the data.
  public var unitsInProgress = 0
  /// For each step, the microseconds since the step before of every unit that reached it, in any order.
  public var times: [[Int64]]

  /// No units yet, on a way of so many steps.
  public init(steps: Int) {
    times = Array(repeating: [], count: steps)
  }

  /// How many units reached a step; the steps are numbered from 0.
  public func reached(_ step: Int) -> Int { times[step].count }

  /// The median of the time since the step before in microseconds; nil when nobody reached the step.
  ///
  /// - Complexity: O(n log n) for n units.
  public func medianTime(_ step: Int) -> Double? {
    let sorted = times[step].sorted()
    guard !sorted.isEmpty else { return nil }
    let (low, high) = (sorted[(sorted.count - 1) / 2], sorted[sorted.count / 2])
    // Neither is below 0, so that the difference fits where the sum might not.
    return Double(low) + Double(high - low) / 2
  }

  mutating func merge(_ other: FunnelTally) {
    units += other.units
    unitsInProgress += other.unitsInProgress
    for step in times.indices { times[step] += other.times[step] }
  }

  /// Whether both have the same counts and the same times, in whatever order.
  public static func == (left: FunnelTally, right: FunnelTally) -> Bool {
    left.units == right.units && left.unitsInProgress == right.unitsInProgress
      && left.times.map { $0.sorted() } == right.times.map { $0.sorted() }
  }
}

/// Funnels by segment, and what was found.
public struct FunnelTallies: Sendable, Equatable {
  /// The funnel of every segment with an assigned unit.
  public var segments: [Segment: FunnelTally] = [:]
  /// What was found while units were assigned.
  public var ledger = AssignmentLedger()
}
