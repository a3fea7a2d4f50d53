public import Specifications

/// The number of units of a segment that reached each step of a funnel.
public struct FunnelTally: Sendable, Equatable {
  /// Units assigned to the segment.
  public var units = 0
  /// Units whose window extends beyond the end of the data.
  public var unitsInProgress = 0
  /// For each step, the time since the previous step of every unit that reached it, in microseconds and in no
  /// particular order.
  public var times: [[Int64]]

  /// Creates an empty tally of a funnel with the given number of steps.
  public init(steps: Int) {
    times = Array(repeating: [], count: steps)
  }

  /// Returns the number of units that reached a step; steps are numbered from 0.
  public func reached(_ step: Int) -> Int { times[step].count }

  /// Returns the median time since the previous step in microseconds; nil if no unit reached the step.
  ///
  /// - Complexity: O(n log n) for n units.
  public func medianTime(_ step: Int) -> Double? {
    let sorted = times[step].sorted()
    guard !sorted.isEmpty else { return nil }
    let (low, high) = (sorted[(sorted.count - 1) / 2], sorted[sorted.count / 2])
    // Neither is negative, so the difference fits where the sum might not.
    return Double(low) + Double(high - low) / 2
  }

  /// Returns whether both have the same counts and the same times, in any order.
  public static func == (left: FunnelTally, right: FunnelTally) -> Bool {
    left.units == right.units && left.unitsInProgress == right.unitsInProgress
      && left.times.map { $0.sorted() } == right.times.map { $0.sorted() }
  }
}

extension FunnelTally: StateFields {
  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&units, other.units)
    visit(&unitsInProgress, other.unitsInProgress)
    for step in times.indices { visit.values(&times[step], other.times[step]) }
  }

  public var isOmitted: Bool { units <= 0 }
}

/// The funnels by segment, and the assignment ledger.
public struct FunnelTallies: Sendable, Equatable {
  /// The funnel of every segment with an assigned unit.
  public var segments: [Segment: FunnelTally] = [:]
  /// The counts of the assignment.
  public var ledger = AssignmentLedger()
}
