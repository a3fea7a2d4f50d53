import Statistics

@testable import Replay

/// An exposure of a unit to a variant of an experiment.
struct Exposure {
  var time: Int64
  var variant: UInt32
}

/// A goal or conversion of a unit.
struct GoalSignal {
  var time: Int64
  /// The value of a goal, or the amount of a conversion.
  var value: Double
}

extension Attribution {
  /// The variant that a unit is assigned to, and since when, by its exposures in order of time; nil if none counts.
  func assignment(of exposures: [Exposure]) -> (variant: UInt32, since: Int64)? {
    let seen = exposures.filter { hasSeen($0.time) }
    guard let first = seen.first, !isInProgress(first.time) else { return nil }
    if crossing == .drop, seen.contains(where: { $0.variant != first.variant }) { return nil }
    return (first.variant, first.time)
  }

  /// The indices of the goals that count from the given time on, whatever the limit.
  func counted(_ goals: [GoalSignal], since: Int64) -> [Int] {
    goals.indices.filter {
      let time = goals[$0].time
      return time >= since + delay && hasSeen(time) && time <= window.map { since + delay + $0 } ?? .max
        && goals[$0].value >= minimum ?? -.infinity && goals[$0].value <= maximum ?? .infinity
    }
  }
}

extension Capping {
  /// The values, in order, with those above the cap replaced by it.
  func capped(_ values: [Double]) -> [Double] {
    let cap: Double? =
      switch self {
      case .absolute(let value): value
      case .percentile(let p, let ignoringZeros):
        QuantileType.linear.quantile(
          p, of: values.filter { !ignoringZeros || $0 != 0 }.sorted())
      }
    return cap.map { cap in values.map { min($0, cap) } } ?? values
  }
}
